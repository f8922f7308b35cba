"""A class has one submission per student, whatever some of them have handed in."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import sys
import tarfile
import tokenize
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Command, of, points
from own_files import as_notebook, in_form

from autograder.checking.collect import Checks
from autograder.course import assignments, skeleton
from autograder.course.place import ENGINE
from autograder.diagnosis.naming import namer
from autograder.grading.grade import Grade, Outcome
from autograder.grading.grader import Grader
from autograder.grading.in_turn import grade
from autograder.sandbox import Sandbox
from autograder.submissions import ids
from autograder.submissions.finding import Submission, find, find_each, passed_over
from autograder.submissions.submission import own_name
from autograder.submissions.whose import left_out

Texts = dict[str, str]
Graded = Callable[[Path, "str | None"], "dict[str, Grade]"]
Spoil = Callable[[Path, str], None]
BASE, BUILT = "attention_layer", "multi_head"  # the second needs the first
SPOIL = "\nimport torch\ntorch.softmax = torch.Tensor.softmax = None\n"
FORGE = """
import torch
import sys
frame, engine = sys._getframe(), []
while frame:
    if "autograder" in frame.f_globals["__name__"]:
        engine.append(frame.f_globals)
    frame = frame.f_back
for names in engine:
    names.clear()
"""


def packed(path: Path, files: dict[str, str]) -> None:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))


def put(folder: Path, text: str, name: str = f"{BASE}.py") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def grades(checks: Checks, sandbox: Sandbox) -> Graded:
    """Grade all submissions at a path."""

    def graded(path: Path, assignment: str | None) -> dict[str, Grade]:
        grader = Grader(checks, sandbox, frozenset())
        found = [grader.grade(submission) for submission in find(path, assignment)]
        assert len({grade.submission for grade in found}) == len(found)
        return {grade.submission: grade for grade in found}

    return graded


def has_all(grade: Grade) -> bool:
    return grade.status == "graded" and 0 < grade.points == grade.max_points


# Finding submissions


@pytest.mark.dear
def test_every_student_in_their_own_way(grades: Graded, tmp_path: Path, solutions: Texts) -> None:
    right = solutions[BASE]
    put(tmp_path / "anna", right)
    put(tmp_path / "ben", as_notebook(right), f"{BASE}.ipynb")
    put(tmp_path / "ben", skeleton(BASE))
    packed(tmp_path / "cleo.zip", {f"{BASE}.py": right})
    packed(tmp_path / "dora.tgz", {f"work/{BASE}.py": right, "work/readme.txt": "."})
    put(tmp_path, right, "eva.py")
    put(tmp_path, as_notebook(right), "finn.ipynb")
    put(tmp_path / "gus", right, f"{BASE} (1).py")
    (tmp_path / "hana").mkdir()
    packed(tmp_path / "hana" / f"{BASE}.zip", {f"{BASE}.py": right})
    packed(tmp_path / "hana" / f"{BUILT}.zip", {f"{BUILT}.py": ""})
    (tmp_path / "Ida Sm\xf8rg, 12_assignsubmission_file_").mkdir()
    packed(tmp_path / "Ida Sm\xf8rg, 12_assignsubmission_file_" / "mine.zip", {f"{BASE}.py": right})
    (tmp_path / "list.csv").write_text("anna")
    (tmp_path / ".DS_Store").touch()
    (tmp_path / "__MACOSX").mkdir()
    found = grades(tmp_path, BASE)
    assert list(found) == [
        "anna", "ben", "cleo", "dora", "eva", "finn", "gus", "hana",
        "Ida Sm\xf8rg, 12_assignsubmission_file_",
    ]  # fmt: skip
    assert all(map(has_all, found.values()))


def test_what_is_built_from_another_assignment_finds_it_in_the_archive(
    grades: Graded, tmp_path: Path, solutions: Texts
) -> None:
    both = {f"{BASE}.py": solutions[BASE], f"{BUILT}.py": solutions[BUILT]}
    packed(tmp_path / "anna.zip", both)
    packed(tmp_path / "ben.zip", {f"{BUILT}.py": solutions[BUILT]})
    found = grades(tmp_path, BUILT)
    assert has_all(found["anna"])
    assert of(found["ben"], "MultiHeadList").waits_for == "AttentionHead"


def test_an_archive_alone(grades: Graded, tmp_path: Path, solutions: Texts) -> None:
    """An archive is for the assignment in its name, or else for all assignments in it."""
    both = {f"{BASE}.py": solutions[BASE], f"{BUILT}.py": solutions[BUILT]}
    for name in (BASE, "anna"):
        packed(tmp_path / f"{name}.zip", both)
    assert [s.assignment for s in find(tmp_path / f"{BASE}.zip", None)] == [BASE]
    assert [s.name for s in find(tmp_path / f"{BASE}.zip", None)] == [tmp_path.name]
    submissions = find(tmp_path / "anna.zip", None)
    assert [(s.name, s.assignment) for s in submissions] == [("anna", BASE), ("anna", BUILT)]
    assert str(submissions[0].path) == str(tmp_path / "anna.zip" / f"{BASE}.py")
    [submission] = find(tmp_path / "anna.zip", BUILT)
    assert submission.assignment == BUILT


@pytest.mark.dear
def test_a_class_of_one_is_a_class(command: Command, tmp_path: Path, solutions: Texts) -> None:
    put(tmp_path / "anna", solutions[BASE])
    run = command("grade", tmp_path, "--assignment", BASE)
    assert run.stdout.splitlines()[0].split() == [
        "anna",
        BASE,
        "graded",
        f"{points(BASE):g}/{points(BASE):g}",
    ]
    run = command("grade", tmp_path / "anna", "--assignment", BASE)
    assert run.stdout.startswith(f"{BASE}  (")


@pytest.mark.parametrize("other", ["anna", "multi_head"])
def test_a_folder_called_like_the_assignment_does_not_stand_for_a_class(
    other: str, tmp_path: Path, solutions: Texts
) -> None:
    """Next to another student's folder it is refused; next to another assignment's it is graded."""
    put(tmp_path / BASE, solutions[BASE])
    put(tmp_path / other, solutions[BASE], "multi_head.py" if other == BUILT else f"{BASE}.py")
    *others, found = find(tmp_path, BASE)
    if other == BUILT:
        assert found.texts[BASE] == solutions[BASE]
        assert not others
    else:
        assert "and there are other submissions beside it (anna)." in found.problem
        assert [one.texts[BASE] for one in others] == [solutions[BASE]]


@pytest.mark.parametrize("name", ["anna.py", "anna/work.py", f"anna/{BASE}.py"])
@pytest.mark.parametrize(
    "how", ["{}", "\n\n\ndef ScaledDotProduct():\n    pass\n", "AttentionHead = 1"]
)
def test_a_file_that_imports_other_students_does_not_stand_for_a_class(
    name: str, how: str, tmp_path: Path, solutions: Texts
) -> None:
    """A module without exercises and without an assignment's name may be a student's own."""
    put(tmp_path, f"import anna.work, anna\n{solutions[BASE]}", f"{BASE}.py")
    work = tmp_path / name
    put(work.parent, how.replace("{}", solutions[BASE]), work.name)
    anna, found = find(tmp_path, BASE)
    assert anna.texts
    assert "and there are other submissions beside it (anna" in found.problem
    work.write_text("HELP = 1\n", encoding="utf-8")
    assert len(find(tmp_path, BASE)) == (2 if work.stem == BASE else 1)


@pytest.mark.parametrize("name", ["work.ipynb", "work.zip", "part/work.ipynb"])
def test_a_folder_with_other_work_is_another_students(
    name: str, tmp_path: Path, solutions: Texts
) -> None:
    put(tmp_path, f"import anna.helper\n{solutions[BASE]}", f"{BASE}.py")
    put(tmp_path / "anna", "HELP = 1\n", "helper.py")
    assert len(find(tmp_path, BASE)) == 1
    work = tmp_path / "anna" / name
    work.parent.mkdir(exist_ok=True)
    if work.suffix == ".zip":
        packed(work, {"work.py": solutions[BASE]})
    else:
        work.write_text(as_notebook(solutions[BASE]), encoding="utf-8")
    assert len(find(tmp_path, BASE)) == 2


@pytest.mark.parametrize("named", [f"{BASE}.py", f"{BASE}/{BASE}.py", "normalization.py"])
@pytest.mark.parametrize("kind", ["zip", "tgz", "html", "docx", "ipynb.part"])
def test_a_class_is_graded_whatever_its_folders_hold_and_whatever_one_file_is_called(
    kind: str, named: str, tmp_path: Path, solutions: Texts
) -> None:
    """No file's name makes the class one person's; without an assignment, the others are named."""
    for student in ("anna", "ben"):
        work = tmp_path / student / f"work.{kind}"
        put(work.parent, "", work.name)
        if kind in ("zip", "tgz"):
            packed(work, {f"{BASE}.py": solutions[BASE]})
    put((tmp_path / named).parent, solutions[BASE], Path(named).name)
    found = {one.name: one.problem for one in find(tmp_path, BASE)}
    other = found.pop(Path(named).stem)
    assert [*found] == ["anna", "ben"]
    assert all((problem == "") is (kind in ("zip", "tgz")) for problem in found.values())
    assert "and there are other submissions beside it (anna, ben)." in other
    assert left_out(tmp_path) == ["anna", "ben"]


@pytest.mark.parametrize(
    "names", [("anna_{}.py", "ben_{}.py"), ("anna_1_2_{}.py", "{} (ben).ipynb")]
)
def test_a_folder_named_after_another_assignment_makes_a_class_no_one_persons(
    names: tuple[str, str], tmp_path: Path, solutions: Texts
) -> None:
    for name in names:
        work = tmp_path / name.format(BASE)
        work.write_text(in_form(work.name, solutions[BASE]), encoding="utf-8")
    put(tmp_path / "self_attention", "x = 1\n", "x.py")
    found = {one.name: one.problem for one in find(tmp_path, BASE)}
    assert "there are other submissions beside it" in found.pop("self_attention")
    assert [*found.values()] == ["", ""]


def test_a_person_may_keep_a_copy_beside_folders(tmp_path: Path, solutions: Texts) -> None:
    put(tmp_path / "self_attention", "x = 1\n", "x.py")
    put(tmp_path, solutions[BASE], f"{BASE} (1).py")
    [found] = find(tmp_path, BASE)
    assert (found.name, found.problem) == (tmp_path.name, "")


def test_files_of_several_students_do_not_import_each_other(
    command: Command, tmp_path: Path, solutions: Texts
) -> None:
    """A shell turns CLASS/*.py into the files of several students."""
    (tmp_path / "anna.py").write_text(solutions["multi_head"])
    (tmp_path / "attention_layer.py").write_text("import os; os._exit(3)")
    paths = sorted(str(path) for path in tmp_path.glob("*.py"))
    done = command("grade", *paths, "--assignment", "multi_head", "--json", "--unlocked")
    found = {one["submission"]: one for one in json.loads(done.stdout)["submissions"]}
    assert found["anna"]["status"] == "graded"
    assert 0 < found["anna"]["score"] < points("multi_head")  # an earlier exercise is missing


def test_without_an_assignment_a_class_is_not_searched(tmp_path: Path, solutions: Texts) -> None:
    put(tmp_path / "anna", solutions[BASE])
    [found] = find(tmp_path, None)
    assert found.problem.startswith(f"{tmp_path} holds no submission: ")


@pytest.mark.parametrize("other", ["", f"zed/{BASE}/x.py"])
def test_without_an_assignment_each_row_that_needs_one_says_so(
    other: str, tmp_path: Path, solutions: Texts
) -> None:
    """One student's folder for an assignment takes the advice from nobody else."""
    for name in ("anna/my work.py", f"ben_12_34_{BASE}.py", "ben_12_35_helpers.py", other):
        if name:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            put((tmp_path / name).parent, solutions[BASE], Path(name).name)
    packed(tmp_path / "carl.zip", {"x.py": solutions[BASE]})
    said = [one.problem for one in find(tmp_path, None) if one.name != "zed"]
    assert len(said) == (3 if other else 1)
    assert all("ive the assignment: --assignment NAME." in one for one in said)


# Submissions that are refused, without harm to other students


def make_link(path: Path, right: str) -> None:
    path.symlink_to(path.parent / "anna")


def make_nothing(path: Path, right: str) -> None:
    path.mkdir()


def make_linked_file(path: Path, right: str) -> None:
    path.mkdir()
    (path / f"{BASE}.py").symlink_to("/etc/passwd")


def make_pipe(path: Path, right: str) -> None:
    path.mkdir()
    os.mkfifo(path / f"{BASE}.py")


def make_two(path: Path, right: str) -> None:
    put(path, right, "a.py")
    put(path, f"{right}x = 1\n", "b.py")


def make_zip(path: Path, right: str) -> None:
    packed(path.with_suffix(".zip"), {f"../{BASE}.py": right})


def make_deep(path: Path, right: str) -> None:
    put(path, '{"nbformat": 4, "cells": ' + "[" * 100_000, f"{BASE}.ipynb")


REFUSED: dict[str, tuple[Spoil, str]] = {
    "nothing": (make_nothing, "holds no submission: expected attention_layer"),
    "a link": (make_link, "bad is a link. Hand in the file or the folder itself."),
    "a linked file": (make_linked_file, "is a link, not a file. Hand in the file itself."),
    "a pipe": (make_pipe, "is a named pipe, not a file."),
    "two files": (make_two, "holds several files (a.py, b.py). Name the one that counts attention"),
    "zip slip": (make_zip, "which leads out of it."),
    "deep": (make_deep, "cannot be read as a notebook (it is nested too deeply)"),
}


@pytest.mark.dear
@pytest.mark.skipif(os.name != "posix", reason="has no such files")
@pytest.mark.parametrize("name", REFUSED)
def test_one_that_cannot_be_read_is_refused_alone(
    name: str, grades: Graded, tmp_path: Path, solutions: Texts
) -> None:
    spoil, sentence = REFUSED[name]
    put(tmp_path / "anna", solutions[BASE])
    spoil(tmp_path / "bad", solutions[BASE])
    put(tmp_path / "zoe", solutions[BASE])
    found = grades(tmp_path, BASE)
    assert list(found) == ["anna", "bad", "zoe"]
    assert has_all(found["anna"])
    assert has_all(found["zoe"])
    assert (found["bad"].status, found["bad"].points) == ("unreadable", 0)
    assert sentence in found["bad"].message


ODD = [
    "=cmd()",
    "-rf",
    "a\x1b[2Jb",
    "a\u202eb",
    "a" * 130,
    "a\nb",
    "<b>",
    "caf\udce9",
    "anna\ufe0f",
    "\u1160anna",
]


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="has no such names")
def test_names_that_are_no_ids_break_nothing(
    command: Command, tmp_path: Path, solutions: Texts
) -> None:
    for name in ODD:
        put(tmp_path / name, solutions[BASE])
    put(tmp_path / "anna", solutions[BASE])
    for how in ([], ["--json"]):
        run = command("grade", tmp_path, "--assignment", BASE, *how)
        assert run.returncode == 0, run.stderr
        assert all(c.isprintable() for text in (run.stdout, run.stderr) for c in text if c != "\n")
    found = json.loads(run.stdout)["submissions"]
    assert len(found) == len(ODD) + 1
    status = {s["submission"]: s["status"] for s in found}
    assert status.pop("anna") == "graded"
    assert set(status.values()) == {"unreadable"}
    assert not any(map(ids.is_id, status))
    assert all(
        "cannot be a student's id. Rename it." in s["message"] for s in found if s["message"]
    )


def test_a_student_whose_file_is_a_folder_is_refused_and_not_left_out(tmp_path: Path) -> None:
    """The class's folder has folders of students, which have folders of assignments."""
    (tmp_path / "dora" / BASE / f"{BASE}.py").mkdir(parents=True)
    [dora] = find(tmp_path, None)
    assert (dora.name, dora.assignment) == ("dora", BASE)
    assert "is a folder, not a file" in dora.problem


@pytest.mark.dear
def test_the_same_student_twice_is_asked_which_counts(
    grades: Graded, tmp_path: Path, solutions: Texts
) -> None:
    put(tmp_path / "anna", solutions[BASE])
    packed(tmp_path / "anna.zip", {f"{BASE}.py": solutions[BASE]})
    put(tmp_path / "ben", solutions[BASE])
    found = grades(tmp_path, BASE)
    assert [has_all(grade) for grade in found.values()] == [False, True]
    message = found["anna"].message
    assert message == "anna and anna.zip belong to the same student. Keep the one that counts."


@pytest.mark.parametrize("name", ["anna.py", "anna.ipynb", "anna.tgz", "anna.zip"])
def test_a_folder_has_no_ending_and_is_nobody_elses(
    name: str, tmp_path: Path, solutions: Texts
) -> None:
    """Whoever chooses such a name must not cost another student the grade."""
    for student in ("anna", name, "zoe"):
        put(tmp_path / student, solutions[BASE])
    assert [(one.name, one.problem) for one in find(tmp_path, BASE)] == [
        ("anna", ""),
        (name, ""),
        ("zoe", ""),
    ]


ENDINGS = (
    ".ipynb.zip", ".py.ZIP", ".ipynb.tar.gz", ".tar.bz2", ".py.gz", ".ipynb.part",
    ".zip.crdownload", ".ipynb.html",
)  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_of_two_endings_is_named_after_its_student(ending: str, tmp_path: Path) -> None:
    for student in ("anna", "ben.b"):
        (tmp_path / f"{student}{ending}").write_bytes(b"PK")
    assert [one.name for one in find(tmp_path, BASE)] == ["anna", "ben.b"]


@pytest.mark.parametrize("ending", [".py", ".IPYNB", ".py.txt", ".Ipynb.Json", ".py.zip", ".html"])
@pytest.mark.parametrize("student", ["\u0130brahim", "\u0130\u0130", "\u0130.b", "\xdf\ufb01"])
def test_a_letter_that_is_longer_in_other_capitals_is_cut_nowhere(
    student: str, ending: str, tmp_path: Path
) -> None:
    (tmp_path / f"{student}{ending}").write_bytes(b"x = 1\n")
    assert own_name(tmp_path / f"{student}{ending}") == student
    if ids.is_id(student):
        assert [one.name for one in find(tmp_path, BASE)] == [student]


def test_the_archive_of_one_file_is_for_the_assignment_in_its_name(
    tmp_path: Path, solutions: Texts
) -> None:
    both = {f"{BASE}.py": solutions[BASE], f"{BUILT}.py": solutions[BUILT]}
    packed(tmp_path / f"{BASE}.py.zip", both)
    packed(tmp_path / "anna.py.zip", both)
    assert [one.assignment for one in find(tmp_path / f"{BASE}.py.zip", None)] == [BASE]
    assert {one.name for one in find(tmp_path / "anna.py.zip", None)} == {"anna"}


@pytest.mark.dear
@pytest.mark.parametrize("folder", ["", "work/"])
@pytest.mark.parametrize("suffix", [".zip", ".tgz"])
def test_work_in_a_folder_of_the_assignments_name_is_found_in_an_archive(
    folder: str, suffix: str, grades: Graded, tmp_path: Path, solutions: Texts
) -> None:
    """Work in an archive is found as in a person's folder, also if no assignment is given."""
    files = {f"{folder}{BASE}/__init__.py": solutions[BASE], f"{folder}{BUILT}/notes.py": "x = 1"}
    packed(tmp_path / f"anna{suffix}", files)
    [found] = find(tmp_path / f"anna{suffix}", None)
    assert found.assignment == BASE
    assert has_all(grades(tmp_path / f"anna{suffix}", None)["anna"])


@pytest.mark.dear
def test_names_in_other_capitals_are_two_students(
    grades: Graded, tmp_path: Path, solutions: Texts
) -> None:
    """Names that differ in case are two students, as for nbgrader: neither can take a grade."""
    put(tmp_path, solutions[BASE], "anna.py")
    packed(tmp_path / "ANNA.zip", {f"{BASE}.py": "x = 1"})
    found = grades(tmp_path, BASE)
    assert list(found) == ["ANNA", "anna"]
    assert has_all(found["anna"])
    assert not has_all(found["ANNA"])


# Students are independent


@pytest.mark.dear
@pytest.mark.parametrize("spoil", [SPOIL, FORGE], ids=["torch", "the child"])
def test_what_one_does_in_its_process_is_not_felt_by_the_next(
    spoil: str, checks: Checks, sandbox: Sandbox, tmp_path: Path, solutions: Texts
) -> None:
    """The students' files are in one folder."""
    put(tmp_path, solutions[BASE] + spoil, "anna.py")
    put(tmp_path, solutions[BASE], "ben.py")
    grades = grade(find(tmp_path, BASE), sandbox)
    assert [has_all(one) for one in grades] == [False, True]
    assert has_all(grade(find(tmp_path / "ben.py", BASE), sandbox)[0])


# The grader does not compile a student's text


CANARY = "kanarienvogel"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Record all texts that are compiled, parsed or tokenized in this process."""
    seen: list[str] = []
    on = [True]

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        if on[0] and event in ("compile", "exec"):
            seen.append(repr(arguments))

    def watched(name: str) -> None:
        known = getattr(tokenize, name)

        def tokens(readline: object, *more: object) -> object:
            seen.append(repr(list(iter(readline, ""))))  # type: ignore[call-overload]
            return known(iter([]).__next__, *more)

        monkeypatch.setattr(tokenize, name, tokens)

    for name in ("tokenize", "generate_tokens"):
        watched(name)
    sys.addaudithook(audit)
    yield seen
    on[0] = False


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.dear
def test_no_text_of_a_student_is_parsed_in_the_grader(
    suffix: str,
    compiled: list[str],
    checks: Checks,
    sandbox: Sandbox,
    tmp_path: Path,
    solutions: Texts,
) -> None:
    """The text is right, wrong, or has a syntax error, or another module imports it."""
    ast.parse(f"{CANARY} = 1")
    assert any(CANARY in text for text in compiled)
    compiled.clear()
    right = f"{CANARY} = 1\n{solutions[BASE]}"
    wrong = right.replace("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
    texts = {"right": right, "wrong": wrong, "broken": f"{right}\n{CANARY} = = 2\n"}
    for name, text in texts.items():
        put(tmp_path / name, text if suffix == ".py" else as_notebook(text), f"{BASE}{suffix}")
        put(tmp_path / name, solutions[BUILT], f"{BUILT}.py")
    found = [s for name in texts for s in find(tmp_path / name, None)]
    grades = grade(found, sandbox, diagnosing=namer)
    assert {g.assignment for g in grades} == {BASE, BUILT}
    wrongs = [e for g in grades for e in g.exercises if e.outcome is Outcome.FAILED]
    assert any(e.diagnoses for e in wrongs)
    assert any(e.example for e in wrongs)
    assert not [text for text in compiled if CANARY in text]


def test_a_file_named_by_whoever_grades_need_not_be_an_id(tmp_path: Path) -> None:
    put(tmp_path, "x = 1", "=1+1.py")
    [found] = find(tmp_path / "=1+1.py", BASE)
    assert isinstance(found, Submission)
    assert (found.name, found.problem) == ("\N{REPLACEMENT CHARACTER}1+1", "")
    assert assignments()


@pytest.mark.parametrize("place", [f"{BASE}/{BASE}.py", f"{BASE}/work.py", "work.py", "in/x.py"])
@pytest.mark.parametrize("untouched", [f"{BASE}.py", f"{BASE}/{BASE}.ipynb"])
def test_of_the_places_of_a_student_the_one_with_work_counts(
    untouched: str, place: str, tmp_path: Path, solutions: Texts
) -> None:
    """A file as it was released hides no work in the folder of its assignment, or beside that."""
    released = skeleton(BASE) if untouched.endswith(".py") else as_notebook(skeleton(BASE))
    anna = tmp_path / "anna"
    for name, text in (
        (f"{BUILT}/{BUILT}.py", ""),
        (untouched, released),
        (place, solutions[BASE]),
    ):
        (anna / name).parent.mkdir(parents=True, exist_ok=True)
        (anna / name).write_text(text, encoding="utf-8")
    [found] = find(tmp_path, BASE)
    assert (found.path, found.problem) == (anna / place, "")


@pytest.mark.parametrize("place", ["ben.py", "old/attention_layer.py", "old/ben.ipynb", "ben.zip"])
def test_an_untouched_file_is_refused_where_others_work_may_be_meant(
    place: str, tmp_path: Path, solutions: Texts
) -> None:
    put(tmp_path, skeleton(BASE))
    work = tmp_path / place
    work.parent.mkdir(exist_ok=True)
    text = solutions[BASE]
    if work.suffix == ".zip":
        packed(work, {f"{BASE}.py": text})
    else:
        work.write_text(in_form(work.suffix, text), encoding="utf-8")
    [found] = find(tmp_path, None)
    assert f"is as it was released, and {work}" in found.problem
    assert "may hold the work." in found.problem
    put(tmp_path, solutions[BASE])
    [found] = find(tmp_path, None)
    assert not found.problem


TOO_HIGH = {  # the folder that is given; what is in it; that of the class, or "" if it is none
    "a folder around": ("{0}", ["class/a/{0}.py", "class/b/{0}.py"], "class"),
    "archives": ("{0}", ["class/a/w.zip", "class/b/w.zip"], "class"),
    "other names": ("{0}", ["class/a/x.py", "class/b/y.py", "class/c/z.py"], "class"),
    "named after the assignment": ("", ["{0}/a/{0}.py", "{0}/b/{0}.py"], "{0}"),
    "a large one": ("{0}", [f"class/a{i}/x{i % 2}.py" for i in range(101)], "class"),
    "very high": ("{0}", ["x/class/a/{0}.py", "x/class/b/{0}.py"], "x/class"),
    "drafts of one": ("{0}", ["anna/v1.py", "anna/v2.py"], ""),
    "a draft in a folder": ("{0}", ["anna/v1.py", "anna/old/v2.py", "anna/old/v3.py"], ""),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", TOO_HIGH)
def test_a_class_in_a_folder_too_high_is_not_asked_to_keep_one_file(
    case: str, tmp_path: Path, solutions: Texts
) -> None:
    asked, names, folder = TOO_HIGH[case]
    for number, name in enumerate(names):
        path = tmp_path / name.format(BASE)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"{solutions[BASE]}number = {number}\n"
        if path.suffix == ".zip":
            packed(path, {f"{BASE}.py": text})
        else:
            path.write_text(text, encoding="utf-8")
    [found] = find(tmp_path, asked.format(BASE) or None)
    place = tmp_path / folder.format(BASE)
    said = f" If they are several students', keep all, and grade {place} with --assignment {BASE}."
    assert "holds several files" in found.problem or "holds more than 100" in found.problem
    assert found.problem.endswith(said) if folder else "several students" not in found.problem
    if folder:
        assert len([one for one in find(place, BASE) if one.texts]) == len(names)


COPIES = {  # what else lies beside an untouched file, and the file that then counts, if one does
    "a browser's": (["{} (1).py"], "{} (1).py"),
    "a browser's, of a notebook": (["{}(2).ipynb"], "{}(2).ipynb"),
    "a file manager's": (["{} copy.py"], "{} copy.py"),
    "Windows's": (["{} - Copy (2).py"], "{} - Copy (2).py"),
    "Jupyter's": (["{}-Copy1.ipynb"], "{}-Copy1.ipynb"),
    "a website's": (["Copy of {}.ipynb"], "Copy of {}.ipynb"),
    "two": (["{} (1).py", "{} (2).py"], ""),
    "a student's": (["{}_anna.py"], ""),
    "a number": (["{}_1.py"], ""),
    "another's": (["{} (1).py", "ben.py"], ""),
    "an older one": (["ben/{} (1).py"], ""),
}


@pytest.mark.parametrize("case", COPIES)
def test_the_work_in_a_copy_of_an_untouched_file_counts(
    case: str, tmp_path: Path, solutions: Texts
) -> None:
    """If it is all the work that is there: copies may be what several students have sent."""
    copies, counts = COPIES[case]
    put(tmp_path, skeleton(BASE))
    for number, name in enumerate(copies):
        path = tmp_path / name.format(BASE)
        path.parent.mkdir(exist_ok=True)
        text = in_form(path.suffix, f"{solutions[BASE]}number = {number}\n")
        path.write_text(text, encoding="utf-8")
    [found] = find(tmp_path, None)
    assert found.path.name == (counts or f"{BASE}.py").format(BASE)
    first = min(tmp_path / name.format(BASE) for name in copies)
    remedy = f"Hand that one in as {BASE}{first.suffix}."
    assert found.problem.endswith("" if counts else f"{first} may hold the work. {remedy}")
    assert bool(found.texts) is bool(counts)
    put(tmp_path, f"{solutions[BASE]}changed = 1\n")
    [found] = find(tmp_path, None)
    assert (found.path, found.problem) == (tmp_path / f"{BASE}.py", "")


@pytest.mark.parametrize("name", ["{} (1).py", "mine.ipynb"])
def test_in_a_copy_of_the_folder_of_all_assignments_the_only_work_counts(
    name: str, tmp_path: Path, solutions: Texts
) -> None:
    for one in assignments():
        put(tmp_path, skeleton(one), f"{one}.py")
    work = tmp_path / name.format(BASE)
    work.write_text(in_form(work.suffix, solutions[BASE]), encoding="utf-8")
    found = {one.assignment: one for one in find(tmp_path, None)}
    assert not any(one.problem for one in found.values())
    paths = {one.assignment: one.path for one in found.values()}
    assert paths == {one: tmp_path / f"{one}.py" for one in assignments()} | {BASE: work}


def test_what_was_typed_into_a_form_is_no_second_student(tmp_path: Path, solutions: Texts) -> None:
    for name in (f"file_{BASE}.py", "onlinetext_onlinetext.html"):
        path = tmp_path / f"Jane Doe_12_assignsubmission_{name}"
        path.write_text(solutions[BASE], encoding="utf-8")
    assert [(one.name, one.problem) for one in find(tmp_path, BASE)] == [("Jane Doe_12", "")]


@pytest.mark.parametrize("end", ["_", ""])
@pytest.mark.parametrize("inside", [f"{BASE}.py", f"{BASE}/{BASE}.py", "work.zip"])
def test_what_was_typed_into_a_form_is_no_second_student_in_folders(
    inside: str, end: str, tmp_path: Path, solutions: Texts
) -> None:
    """The file counts; what was typed is refused if it is all, or may hold the work instead."""
    work = tmp_path / f"Jane Doe_12_assignsubmission_file{end}" / inside
    typed = tmp_path / f"Jane Doe_12_assignsubmission_onlinetext{end}" / "onlinetext.html"
    put(tmp_path, solutions[BASE], "ben.py")
    for path in (work, typed):
        path.parent.mkdir(parents=True)

    def found() -> Submission:
        paths = sorted(tmp_path.iterdir())
        classes = [find(tmp_path, BASE), find_each(paths, BASE), find_each(paths[::-1], BASE)]
        rows = [{one.name: one for one in rows} for rows in classes]
        assert all(len(one) == 2 for one in classes)
        [(path, problem)] = {(row["Jane Doe_12"].path, row["Jane Doe_12"].problem) for row in rows}
        assert problem or path.is_relative_to(work.parent)
        return rows[0]["Jane Doe_12"]

    def write(text: str) -> None:
        if work.suffix == ".zip":
            packed(work, {f"{BASE}.py": text})
        else:
            work.write_text(text, encoding="utf-8")

    write(solutions[BASE])
    typed.write_text("<p>done</p>", encoding="utf-8")
    assert not found().problem
    write(skeleton(BASE))
    assert not found().problem
    typed.write_text(f"<p>{solutions[BASE]}</p>", encoding="utf-8")
    assert f"{typed} may hold the work." in found().problem
    work.unlink()
    assert f"{typed} may hold the work." in found().problem
    shutil.rmtree(tmp_path / f"Jane Doe_12_assignsubmission_file{end}")
    assert f"{typed} is not what is graded." in found().problem


CANVAS = {  # the name of a form's text -> that of the file of the same student, and the student
    "redcat_103_text.html": ("redcat_103_9001_{}.py", "redcat_103"),
    "redcat_LATE_103_text.html": ("redcat_LATE_103_9001_{}.py", "redcat_103"),
    "redcat_103_9002_text.html": ("redcat_103_9001_{}.py", "redcat_103"),
    "red_cat_103_text.html": ("red_cat_103_9001_{}.py", "red_cat_103"),
    "redcat_103_link.html": ("redcat_103_9001_{}.py", "redcat_103"),
    "anon_a1B2c_text.html": ("anon_a1B2c_9001_{}.py", "anon_a1B2c"),
    "LATE_anon_a1B2c_text.html": ("LATE_anon_a1B2c_9001_{}.py", "anon_a1B2c"),
}


@pytest.mark.parametrize("typed", CANVAS)
def test_what_was_typed_into_a_form_of_canvas_is_no_second_student(
    typed: str, tmp_path: Path, solutions: Texts
) -> None:
    """It is refused under the student's name if it is all there is, or may hold the work.

    But what may be a classmate's has a row of its own where the student would be refused for it.
    """
    name, student = CANVAS[typed]
    unsure = "redcat_103_9002_text"  # of one whose name ends with 103, or a file of redcat's
    put(tmp_path, solutions[BASE], "ben_12_34_work.py")
    put(tmp_path, "<p>done</p>", typed)
    path = tmp_path / typed

    def problems() -> dict[str, str]:
        rows = {one.name: one.problem for one in find(tmp_path, BASE)}
        assert rows.pop("ben_12") == ""
        return rows

    assert f"{path} is not what is graded." in problems()[student]
    put(tmp_path, solutions[BASE], name.format(BASE))
    assert problems() == {student: ""}
    put(tmp_path, skeleton(BASE), name.format(BASE))
    assert problems() == {student: ""}
    put(tmp_path, f"<p>{solutions[BASE]}</p>", typed)
    found = problems()
    if typed.startswith(unsure):
        assert f"{path} is not what is graded." in found.pop(unsure)
        assert found == {student: ""}
    else:
        assert found.keys() == {student} and f"{path} may hold the work." in found[student]


def test_a_classmates_text_costs_nobody_the_work(tmp_path: Path, solutions: Texts) -> None:
    """Of two files text.html of a student, one is another's whose name ends with a number."""
    put(tmp_path, solutions[BASE], f"red_12_9001_{BASE}.py")
    put(tmp_path, "<p>done</p>", "red_12_9002_text.html")
    put(tmp_path, "<p>done</p>", "red_12_107_text.html")
    rows = {one.name: bool(one.problem) for one in find(tmp_path, BASE)}
    assert rows == {"red_12": False, "red_12_107_text": True, "red_12_9002_text": True}


@pytest.mark.parametrize("text", [None, "\0"])
def test_the_path_of_what_a_website_has_named_is_where_it_lies(
    text: str | None, tmp_path: Path, solutions: Texts
) -> None:
    """Another file may have the name under which the student has handed it in."""
    put(tmp_path, "x = 1\n")
    for name in (f"ben_12_34_{BASE}.py", "ben_12_35_helpers.py"):
        put(tmp_path, text or solutions[BASE], name)
    [found] = [one for one in find(tmp_path, BASE) if one.name == "ben_12"]
    assert found.path == tmp_path / f"ben_12_34_{BASE}.py"
    assert bool(found.problem) is bool(text)


def test_no_name_is_proposed_that_cannot_be_an_id(tmp_path: Path) -> None:
    (tmp_path / "anna.py").touch()
    for name, proposed in (("con.txt", "STUDENT.py"), ("finn.txt", "finn.py")):
        (tmp_path / name).write_text("class AttentionHead:\n    pass\n")
        assert f"Name it {proposed}," in " ".join(one.problem for one in find(tmp_path, BASE))
        (tmp_path / name).unlink()


def test_what_is_of_no_kind_in_a_class_is_named(command: Command, tmp_path: Path) -> None:
    """A file of no kind may be a missing student's in a class, but not in one person's folder."""
    (tmp_path / "class").mkdir()
    put(tmp_path / "class" / "anna", "", f"{BASE}.py")
    put(tmp_path / "class", "anna", "list.csv")
    (tmp_path / "class" / "emil.pages").write_bytes(b"PK\x03\x04")
    (tmp_path / "class" / "finn.txt").write_text("class AttentionHead:\n    pass\n")
    done = command("grade", str(tmp_path / "class"), "--assignment", BASE, "--unlocked")
    said = "Not read: emil.pages, list.csv. A submission is a module, a notebook, an archive or"
    assert said in done.stderr
    assert "finn" in done.stdout
    (tmp_path / "class" / "anna" / "notes.txt").touch()
    done = command("grade", str(tmp_path / "class" / "anna"), "--unlocked")
    assert "Not read" not in done.stderr


PROSE = {"smiley": "anna: AttentionHead :)\n", "quote": "it's `AttentionHead`\n)\nclass: 5\n"}
DOCUMENTS = ("README.md", "autograder/SECURITY.md", "autograder/INSTRUCTORS.md")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("case", [*PROSE, *DOCUMENTS])
def test_prose_about_exercises_is_nobodys_work(case: str, encoding: str, tmp_path: Path) -> None:
    """Such as the kit's own documents, beside the students' files."""
    text = PROSE.get(case) or (ENGINE.parent / case).read_text(encoding="utf-8")
    put(tmp_path, "x = 1\n", "anna.py")
    (tmp_path / "README.md").write_text(text, encoding)
    found = find(tmp_path, BASE)
    assert [one.name for one in found] == ["anna"]
    assert passed_over(tmp_path, found) == ["README.md"]
    (tmp_path / "README.md").write_text(f"{text}\nclass AttentionHead:\n    pass\n", encoding)
    assert [one.name for one in find(tmp_path, BASE)] == ["anna", "README"]


@pytest.mark.skipif(os.name != "posix", reason="has named pipes")
def test_what_is_no_file_and_of_no_kind_is_named(command: Command, tmp_path: Path) -> None:
    """Nor is a link to a file looked into, which may be another student's."""
    put(tmp_path, "", "anna.py")
    (tmp_path / "list.csv").touch()
    os.mkfifo(tmp_path / "ben")
    (tmp_path / "emil").symlink_to("list.csv")
    done = command("grade", tmp_path, "--assignment", BASE, "--unlocked")
    assert "Not read: ben, emil, list.csv. A submission is" in done.stderr


@pytest.mark.dear
@pytest.mark.parametrize("place", ["pages", "out/all/pages", "."])
def test_our_own_pages_and_tables_are_nobodys_work(
    place: str, command: Command, tmp_path: Path, solutions: Texts
) -> None:
    """Wherever in the class they were written; but what a student has put there has a row."""
    for name in ("anna", "ben"):
        put(tmp_path, "x = 1\n", f"{name}.py")
    asked = ["grade", tmp_path, "--assignment", BASE, "--html", tmp_path / place, "--unlocked"]
    asked += ["--csv", tmp_path / "out" / "grades.csv"]
    for _ in range(2):
        done = command(*asked)
        assert done.returncode == 0
        assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["anna", "ben"]
    (tmp_path / "ben.py").unlink()  # its page is no work, even alone
    rows = [(one.name, one.problem) for one in find(tmp_path, BASE)]
    assert rows == [("anna", "")]
    first = place.partition("/")[0]
    assert ("ben.html" if place == "." else first) in command(*asked).stderr
    (tmp_path / "out" / "work.py").write_text(solutions[BASE], encoding="utf-8")
    assert [one.name for one in find(tmp_path, BASE)] == ["anna", "out"]
