"""Tests of intake: files in a course's folders count as they do for `make grade`."""

from __future__ import annotations

import io
import json
import os
import shutil
import tracemalloc
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import sampled, written
from damaged_data import KINDS, put_damaged
from own_files import BASE, OWN, ROOT, Files, as_notebook, has_all, put, using

from autograder.classroom.grading_jobs import submission
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings
from autograder.course import assignments, root, skeleton
from autograder.cpu_limit import OutOfTime
from autograder.grading.grader import Grader
from autograder.nbgrader import process
from autograder.nbgrader.intake import MOST, Folders
from autograder.nbgrader.process import Order
from autograder.submissions import choosing
from autograder.submissions import folders as submission_folders
from autograder.submissions.finding import find
from autograder.submissions.folders import MOST as MOST_FILES
from autograder.submissions.submission_files import SubmissionFiles

WORK = f"{BASE}.ipynb"
LAYOUTS = {
    "next to it": ("", WORK, "my_helpers.py"),
    "a folder deeper": ("", f"work/{WORK}", "work/my_helpers.py"),
    "a folder deeper, its module at the top": ("", f"work/{WORK}", "my_helpers.py"),
    "a module": ("", f"{BASE}.py", "my_helpers.py"),
    "capitals": ("", f"{BASE.upper()}.IPYNB", "my_helpers.py"),
    "what a browser appends": ("", f"{WORK}.txt", "my_helpers.py"),
    "a copy's name": ("", f"copy of {WORK}", "my_helpers.py"),
    "another name": ("", "homework.ipynb", "my_helpers.py"),
    "an archive": ("homework.zip", WORK, "my_helpers.py"),
    "an archive of a folder": (f"{BASE}.zip", f"work/{WORK}", "work/my_helpers.py"),
}


def handed_in(folder: Path, archive: str, files: Files) -> None:
    if not archive:
        put(folder, files)
        return
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / archive, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)


@pytest.mark.dear
@pytest.mark.parametrize("layout", LAYOUTS)
def test_work_counts_with_its_own_module(
    layout: str, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    archive, work, own = LAYOUTS[layout]
    text = using(solutions, "from my_helpers import root", "root(Q)")
    files = {work: text if work.endswith(".py") else as_notebook(text), own: OWN}
    handed_in(tmp_path / "anna" / BASE, archive, files)
    job = Folders(tmp_path).job("anna", BASE)
    assert not job.refused
    assert has_all(grader.grade(submission(job)))


PACKAGES = {  # the archive, the package, and its other files
    "a package": ("", "anna", {"__init__.py": ""}),
    "a package in a folder": ("", "my work/src/anna", {"__init__.py": ""}),
    "a folder": ("", "anna", {}),
    "an archive": ("homework.zip", "work/anna", {"__init__.py": ""}),
    "a package in a package": ("", "anna/parts", {"__init__.py": ""}),
}


@pytest.mark.parametrize("layout", PACKAGES)
@pytest.mark.parametrize("name", [BASE, "multi_head"])
def test_a_package_keeps_its_name(
    layout: str, name: str, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    archive, folder, more = PACKAGES[layout]
    package = folder[folder.index("anna") :].replace("/", ".")
    text = using(solutions, f"from {package}.my_helpers import root", "root(Q)")
    work = {f"{BASE}.py": text, "my_helpers.py": OWN, **more}
    if name != BASE:
        above = written(solutions[name])
        assert f"from {BASE} import" in above
        work[f"{name}.py"] = above.replace(f"from {BASE}", f"from {package}.{BASE}")
    files = {f"{folder}/{one}": text for one, text in work.items()}
    handed_in(tmp_path / "anna" / name, archive, files)
    job = Folders(tmp_path).job("anna", name)
    assert has_all(grader.grade(submission(job)))


def test_a_changed_own_module_is_another_submission(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    """A graded submission is not graded again unless its digest changes."""
    text = using(solutions, "from my_helpers import root", "root(Q)")
    place, found = tmp_path / "anna" / BASE, []
    for own in (OWN, OWN.replace("0.5", "0.6")):
        put(place, {f"{BASE}.py": text, "my_helpers.py": own, "unused.py": own})
        found.append(Folders(tmp_path).job("anna", BASE))
    assert found[0].digest != found[1].digest
    assert found[0].files.keys() == {f"{BASE}.py", "my_helpers.py"}


CHOICES = {  # the archive that packs the last file, if any; the files; which counts, if any
    "the notebook, not a module": ("", ("lab.ipynb", "notes.py"), "lab.ipynb"),
    "the module that imports the other": ("", ("lab.py", "my_helpers.py"), "lab.py"),
    "a notebook of another name in an archive": ("homework.zip", ("lab.ipynb",), "lab.ipynb"),
    "an archive of nearly the right name": (f"{BASE.upper()}.zip", ("a.py", WORK), WORK),
    "an archive or a module": ("homework.zip", ("lab.py", WORK), ""),
    "the module that defines the exercises": (
        "",
        ("lab.py", "notes.py", "my_helpers.py"),
        "lab.py",
    ),
    "two equal notebooks": ("", ("lab.ipynb", "other.ipynb"), "lab.ipynb"),
    "two notebooks": ("", ("lab.ipynb", "changed.ipynb"), ""),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_the_same_file_counts_as_for_make_grade(
    choice: str, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    archive, names, counted = CHOICES[choice]
    text = using(solutions, "from my_helpers import root", "root(Q)")
    texts = {"my_helpers.py": OWN, "notes.py": "x = 1\n", "a.py": "x = 2\n", "lab.py": text}
    others = dict.fromkeys(["lab.ipynb", "other.ipynb", WORK], as_notebook(solutions[BASE]))
    others["changed.ipynb"] = as_notebook(solutions[BASE].replace("math.sqrt", "1 * math.sqrt"))
    files = {name: {**texts, **others}[name] for name in names}
    place = tmp_path / "anna" / BASE
    if archive:
        handed_in(place, archive, {names[-1]: files.pop(names[-1])})
    put(place, files)
    job = Folders(tmp_path).job("anna", BASE)
    [found] = find(tmp_path, BASE)
    assert (job.refused == "") is (found.problem == "") is bool(counted)
    if counted:
        assert found.path.name == counted
        assert has_all(grader.grade(submission(job)))
        assert has_all(grader.grade(found))


ANSWERS = {  # the files beside an answer of any name, in solution.py or lab.ipynb
    "a test that imports it": ("solution.py", {"test_solution.py": "import solution\n"}),
    "a test of one function": ("solution.py", {"test_it.py": "from solution import square\n"}),
    "a notebook for trials": ("lab.ipynb", {"trials.ipynb": as_notebook("print(1)")}),
    "an untouched notebook": ("solution.py", {"solution.ipynb": as_notebook(skeleton(BASE))}),
}


@pytest.mark.parametrize("is_released", [False, True])
@pytest.mark.parametrize("beside", ANSWERS)
def test_the_file_that_defines_the_exercises_counts(
    beside: str, is_released: bool, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    name, others = ANSWERS[beside]
    text = solutions[BASE]
    files = {**others, name: text if name.endswith(".py") else as_notebook(text)}
    if is_released:
        files[f"{BASE}.py"] = skeleton(BASE)
    put(tmp_path / "anna" / BASE, files)
    [found] = find(tmp_path, BASE)
    for one in (submission(Folders(tmp_path).job("anna", BASE)), found):
        assert not one.problem
        assert has_all(grader.grade(one))


def test_two_answers_beside_an_untouched_file_are_refused(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    text = solutions[BASE]
    files = {f"{BASE}.py": skeleton(BASE), "final/a.py": text, "old/b.py": text + "x = 1\n"}
    put(tmp_path / "anna" / BASE, files)
    [found] = find(tmp_path, BASE)
    job = Folders(tmp_path).job("anna", BASE)
    kept = "Keep the one that counts."
    assert f"several files of {BASE} (final/a.py, old/b.py). {kept}" in job.refused
    assert f"several files of {BASE} ({BASE}/final/a.py, {BASE}/old/b.py). {kept}" in found.problem


RELEASED = {  # what lies beside an untouched notebook: the archive that packs it, if any; its name
    "a copy that a browser has made": ("", f"{BASE} (1).ipynb"),
    "a copy that Jupyter has made": ("", f"{BASE}-Copy1.ipynb"),
    "a module of a longer name": ("", f"{BASE}_final.py"),
    "the right name in a folder": ("", f"work/{WORK}"),
    "a module in a folder": ("", f"src/{BASE}.py"),
    "a notebook without a name": ("", "Untitled.ipynb"),
    "a module of any name": ("", "solution.py"),
    "an archive of the assignment's name": (f"{BASE}.zip", WORK),
    "an archive of any name": ("hand-in.zip", f"{BASE}.py"),
}


@pytest.mark.dear
@pytest.mark.parametrize("packs_both", [False, True])
@pytest.mark.parametrize("beside", RELEASED)
def test_what_was_edited_counts_wherever_it_is(
    beside: str, packs_both: bool, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """The file as it was released lies in the place of the submission, and does not count."""
    archive, name = RELEASED[beside]
    text = solutions[BASE]
    files = {name: text if name.endswith(".py") else as_notebook(text)}
    released = {WORK: as_notebook(skeleton(BASE))}
    place = tmp_path / "anna" / BASE
    if packs_both and not archive:
        handed_in(place, "both.zip", files | released)
    elif archive:
        handed_in(place, archive, files)
        put(place, released)
    else:
        put(place, files | released)
    [found] = find(tmp_path, BASE)
    for one in (submission(Folders(tmp_path).job("anna", BASE)), found):
        assert not one.problem
        assert has_all(grader.grade(one))


@pytest.mark.dear
def test_beside_an_untouched_file_nothing_else_is_taken_for_it(
    grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Notes, data and another assignment define none of its exercises."""
    files = {WORK: as_notebook(skeleton(BASE)), "notes.py": "x = 1\n"}
    put(tmp_path / "anna" / BASE, files)
    handed_in(tmp_path / "ben" / BASE, "data.zip", {"numbers.csv": "1"})
    put(tmp_path / "ben" / BASE, {WORK: files[WORK], "other.ipynb": as_notebook("y = 2")})
    put(tmp_path / "carl" / BASE, files | {f"copy of {WORK}": files[WORK]})
    for found in find(tmp_path, BASE):
        job = submission(Folders(tmp_path).job(found.name, BASE))
        for one in (job, found):
            grade = grader.grade(one)
            assert grade.status == "graded" and grade.path.endswith(WORK)
            assert {exercise.outcome.value for exercise in grade.exercises} == {"missing"}


def test_two_that_may_be_meant_are_refused(tmp_path: Path) -> None:
    put(tmp_path / "anna" / BASE, {"one.ipynb": "{}", "two.ipynb": "{}"})
    refused = Folders(tmp_path).job("anna", BASE).refused
    assert refused.startswith(f"anna/{BASE} holds several files (one.ipynb, two.ipynb)")


def test_two_of_the_right_name_are_refused_in_a_true_sentence(tmp_path: Path) -> None:
    put(tmp_path / "anna" / BASE, {f"x/{BASE}.py": "x = 1", f"y/{BASE}.py": "x = 2"})
    refused = Folders(tmp_path).job("anna", BASE).refused
    assert refused == (
        f"anna/{BASE} holds several files of {BASE} (x/{BASE}.py, y/{BASE}.py). Keep the one that "
        "counts."
    )


def test_a_reason_is_plain_text_whatever_files_are_called(tmp_path: Path) -> None:
    """A reason can be sent to the grading process as UTF-8, also with names that are not UTF-8."""
    put(tmp_path / "anna" / BASE, {"aufgabe\udcfc.ipynb": "{}", "l\udcf6sung.ipynb": "{}"})
    job = Folders(tmp_path).job("anna", BASE)
    assert "holds several files (aufgabe\N{REPLACEMENT CHARACTER}.ipynb" in job.refused
    order, sent = Order("results", (job.digest,), GradingSettings(True, 1.0, 1)), io.BytesIO()
    process.send(sent, order, [job])
    sent.seek(0)
    first, second = process._messages(sent)
    assert msgspec.msgpack.decode(first, type=Order) == order
    assert msgspec.msgpack.decode(second, type=Job) == job


# Size


BLANKS = b'{"cells": [' + b" " * 4_000_000


def worst(kind: str, assignment: str) -> Mapping[str, bytes]:
    """Return the files for one assignment that take the most memory."""
    begun = skeleton(assignment).replace("raise NotImplementedError", "return", 1)
    own = {f"f{i}.py": b"x = 1" + b" " * 199_000 for i in range(300)}
    imports = "".join(f"import f{i}\n" for i in range(300))
    text = [{"cell_type": "markdown", "metadata": {}, "source": "x" * 19_000_000}]
    return {
        "damaged": {f"{assignment}.ipynb": BLANKS},
        "text": {f"{assignment}.ipynb": json.dumps({"nbformat": 4, "cells": text}).encode()},
        "modules": {f"{assignment}.py": (begun + imports).encode(), **own},
    }[kind]


@pytest.mark.parametrize(
    "names", [[f"\udcff/{BASE}.py"], [f"\udcff/{BASE}.py", "own.py"], [f"{BASE}.py", "h\udcff.py"]]
)
def test_a_name_that_is_not_utf_8_stops_nobody(
    names: list[str], tmp_path: Path, solutions: dict[str, str]
) -> None:
    for name in names:
        put(tmp_path / "mallory" / BASE, {name: solutions[BASE]})
    job = Folders(tmp_path).job("mallory", BASE)
    assert msgspec.msgpack.encode(job)
    assert ("is not UTF-8" in job.refused) is ("own.py" in names)


@pytest.mark.dear
@pytest.mark.parametrize("kind", sampled(["damaged", "text", "modules"]))
def test_a_job_has_a_limit_whatever_is_handed_in(kind: str, tmp_path: Path) -> None:
    """A class's jobs are sent one by one, so this bounds the memory of every process."""
    folders = Folders(tmp_path)
    first, *_, last = assignments()
    for assignment in (first, last):
        place = tmp_path / "mallory" / assignment
        place.mkdir(parents=True)
        for name, data in worst(kind, assignment).items():
            (place / name).write_bytes(data)
    job = folders.job("mallory", last)
    assert not job.refused
    assert sum(map(len, job.files.values())) <= MOST
    if kind == "damaged":
        assert len(msgspec.msgpack.encode(job)) < 10_000
        (tmp_path / "mallory" / last / f"{last}.ipynb").write_bytes(BLANKS + b" ")
        assert folders.job("mallory", last).content != job.content


def test_the_next_job_does_not_hold_what_the_last_one_read(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    for student in ("anna", "ben"):
        place = tmp_path / student / BASE
        place.mkdir(parents=True)
        (place / WORK).write_bytes(BLANKS)
    tracemalloc.start()
    try:
        for student in ("anna", "ben"):
            folders.job(student, BASE)
            assert tracemalloc.get_traced_memory()[0] < len(BLANKS) / 2
    finally:
        tracemalloc.stop()


def slowly(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let reading a folder take too long. Returns the folders that are read."""
    read: list[Path] = []

    def opened(folder: Path, assignment: str) -> SubmissionFiles:
        read.append(folder)
        raise OutOfTime

    monkeypatch.setattr(choosing, "opened", opened)
    return read


def test_what_took_too_long_is_not_read_again_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work that took too long is read again neither in the same run nor in a later one."""
    earlier, *_, last = assignments()
    work = put(tmp_path / "submitted" / "mallory" / last, {f"{last}.py": "x = 1\n"})
    read = slowly(monkeypatch)
    for change in ([], [work / f"{last}.py"], [work.parent / earlier / f"{earlier}.py"]):
        for path in change:
            put(path.parent, {path.name: "x = 2\n"})
        read.clear()
        for _ in range(2):
            folders = Folders(tmp_path / "submitted", tmp_path / "readings")
            job = folders.job("mallory", last)
            assert job.refused.startswith(f"mallory/{last} takes more than 10 s to read.")
            assert folders.fingerprint("mallory", last) == job.fingerprint
        assert len(read) == 1


def test_what_has_not_changed_is_not_read_to_know_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = put(tmp_path / "submitted" / "anna" / BASE, {f"{BASE}.py": "x = 1\n"})
    job = Folders(tmp_path / "submitted", tmp_path / "readings").job("anna", BASE)
    read = slowly(monkeypatch)
    for is_changed in (False, True):
        folders = Folders(tmp_path / "submitted", tmp_path / "readings")
        assert (folders.fingerprint("anna", BASE) == job.fingerprint) is not is_changed
        assert len(read) == is_changed
        (work / f"{BASE}.py").write_text("y = 1\n")


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_lies_in_the_place_of_a_reading_the_files_are_read(
    kind: str, tmp_path: Path
) -> None:
    put(tmp_path / "submitted" / "anna" / BASE, {f"{BASE}.py": "x = 1\n"})
    folders = Folders(tmp_path / "submitted", tmp_path / "readings")
    job = folders.job("anna", BASE)
    [path] = (tmp_path / "readings").iterdir()
    put_damaged(path, kind)
    assert folders.fingerprint("anna", BASE) == job.fingerprint


def crowd(folder: Path, count: int = MOST_FILES + 1) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"{number}.txt").touch()


def test_too_many_files_are_refused_for_their_student_alone(tmp_path: Path) -> None:
    for student in ("anna", "mallory"):
        put(tmp_path / "submitted" / student / BASE, {f"{BASE}.py": "x = 1\n"})
    crowd(tmp_path / "submitted" / "mallory" / BASE / "in")
    folders = Folders(tmp_path / "submitted", tmp_path / "readings")
    assert not folders.job("anna", BASE).refused
    job = folders.job("mallory", BASE)
    assert job.refused == (
        f"mallory/{BASE} holds more than {MOST_FILES} files. Keep only your own work in it."
    )
    assert folders.fingerprint("mallory", BASE) == job.fingerprint


def test_too_many_files_of_earlier_work_count_as_not_handed_in(tmp_path: Path) -> None:
    earlier, *_, last = assignments()
    put(tmp_path / "mallory" / last, {f"{last}.py": f"import {earlier}\n"})
    put(tmp_path / "mallory" / earlier, {f"{earlier}.py": "x = 1\n"})
    files = Folders(tmp_path).job("mallory", last).files
    assert [*files] == [f"{last}.py", f"{earlier}/{earlier}.py"]
    crowd(tmp_path / "mallory" / earlier)
    job = Folders(tmp_path).job("mallory", last)
    assert ([*job.files], job.refused) == ([f"{last}.py"], "")


def test_no_more_files_are_looked_at_than_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few files are looked at in a refused folder, below the depth that counts, and in .git."""
    monkeypatch.setattr(submission_folders, "MOST", 20)
    mallory = tmp_path / "submitted" / "mallory"
    for name, inside in (("running_averages", ""), (BASE, "1/2/3/4"), ("normalization", ".git")):
        put(mallory / name, {f"{name}.py": "x = 1\n"})
        crowd(mallory / name / inside, 500)
    looked_at: list[str] = []
    lstat = os.lstat

    def noted(path: Any, **given: Any) -> os.stat_result:
        looked_at.append(str(path))
        return lstat(path, **given)

    folders = Folders(tmp_path / "submitted", tmp_path / "readings")
    monkeypatch.setattr(os, "lstat", noted)
    folders.fingerprint("mallory", BASE)
    assert len([path for path in looked_at if path.endswith(".txt")]) < 50


def test_where_nothing_can_be_kept_all_is_read(tmp_path: Path) -> None:
    put(tmp_path / "submitted" / "anna" / BASE, {f"{BASE}.py": "x = 1\n"})
    (tmp_path / "readings").write_text("a file")
    folders = Folders(tmp_path / "submitted", tmp_path / "readings")
    assert folders.fingerprint("anna", BASE) == folders.job("anna", BASE).fingerprint


DAMAGED = {
    "blanks": BLANKS,
    "half": b'{"cells": [',
    "a page": b"<!doctype html><p>Sign in",
    "a module": b"import torch\n",
    "nothing": b"",
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_the_reason_for_a_damaged_notebook_is_that_of_make_grade(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "anna" / BASE
    place.mkdir(parents=True)
    (place / WORK).write_bytes(DAMAGED[kind])
    [found] = find(place, BASE)
    graded = submission(Folders(tmp_path).job("anna", BASE))
    assert graded.problem and graded.problem == found.problem.replace(f"{tmp_path}/anna/", "")


def test_jobs_are_read_one_by_one() -> None:
    read: list[int] = []
    sent: list[int] = []

    class Pipe(io.BytesIO):
        def write(self, data: Any) -> int:
            sent.append(len(read))
            return len(data)

    def jobs() -> Iterator[Job]:
        for i in range(5):
            read.append(i)
            yield Job(f"s{i}", BASE, {WORK: b"x" * 1000}, edition="one")

    process.send(Pipe(), Order("results", ("",), GradingSettings(True, 1.0, 1)), jobs())
    assert sent == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.dear
@pytest.mark.parametrize("archive, name", [("w.zip", "{}.py"), ("", "work.py"), ("", "in/{}.py")])
def test_an_earlier_assignment_counts_as_it_does_by_itself(
    archive: str, name: str, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Earlier work may be in an archive, have another name, and import a module of its own."""
    text = using(solutions, "import my_helpers", "my_helpers.root(Q)")
    own = {name.format(BASE): text, f"{name.rpartition('/')[0]}/my_helpers.py".lstrip("/"): OWN}
    handed_in(tmp_path / "anna" / BASE, archive, own)
    put(tmp_path / "anna" / "multi_head", {"multi_head.py": solutions["multi_head"]})
    job = Folders(tmp_path).job("anna", "multi_head")
    assert has_all(grader.grade(submission(job)))


PAIRS = {  # names of a module and a notebook, and code of the notebook in front of the exercises
    "one name": ("answer.py", "answer.ipynb", ""),
    "one name, in a comment": ("answer.py", "answer.ipynb", "# my answer\n"),
    "two names": ("final.py", "lab.ipynb", ""),
    "two names, in a comment": ("solution.py", "lab.ipynb", "# my solution\n"),
    "one name in a folder": ("work/answer.py", "work/answer.ipynb", ""),
}


@pytest.mark.dear
@pytest.mark.parametrize("is_released", [False, True])
@pytest.mark.parametrize("pair", sampled(PAIRS))
def test_a_module_and_a_notebook_of_another_name_are_both_graded(
    pair: str, is_released: bool, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """The better one counts, whichever it is, as for files of the assignment's name."""
    module, book, more = PAIRS[pair]
    right = more + written(solutions[BASE])
    wrong = right.replace(ROOT, "3 * " + ROOT)
    for better, texts in (("right module", (right, wrong)), ("right notebook", (wrong, right))):
        place = tmp_path / better / "anna" / BASE
        put(place, {module: texts[0], book: as_notebook(texts[1])})
        if is_released:
            put(place, {WORK: as_notebook(skeleton(BASE))})
        [found] = find(tmp_path / better, BASE)
        job = submission(Folders(tmp_path / better).job("anna", BASE))
        for one in (found, job):
            assert not one.problem
            assert one.other is not None
            grade = grader.grade(one)
            assert grade.points == grade.max_points > 0
            assert grade.message.startswith("Both ")


@pytest.mark.dear
def test_a_notebook_that_imports_the_module_counts_with_it(
    grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Exercises are divided between both; each is read with the modules that it imports."""
    text = written(solutions[BASE])
    first = text.index("class ScaledDotProduct(")
    second = text.index("class AttentionHead(")
    own = text[:second]
    rest = f"{text[:first]}from answer import ScaledDotProduct\n\n\n{text[second:]}"
    put(tmp_path / "anna" / BASE, {"answer.py": own, "answer.ipynb": as_notebook(rest)})
    [found] = find(tmp_path, BASE)
    for one in (found, submission(Folders(tmp_path).job("anna", BASE))):
        grade = grader.grade(one)
        assert grade.points == grade.max_points > 0


def test_both_forms_come_with_their_own_modules(
    grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Also if the module, which is read first, is as it was released."""
    text = using(solutions, "from my_helpers import root", "root(Q)")
    files = {f"{BASE}.py": skeleton(BASE), WORK: as_notebook(text), "my_helpers.py": OWN}
    put(tmp_path / "anna" / BASE, files)
    assert has_all(grader.grade(submission(Folders(tmp_path).job("anna", BASE))))


HIDDEN = {  # the archive that packs the work, if any; its name; what else there is; what counts
    "an archive beside other archives": ("work.zip", f"{BASE}.py", {"data.csv": "1"}, True),
    "an archive beside notes": ("work.zip", f"{BASE}.py", {"notes.py": "x = 1\n"}, True),
    "another name in an archive": ("work.zip", "solution.py", {}, True),
    "another name in an archive of the right name": (f"{BASE}.zip", "solution.py", {}, True),
    "the same in an archive and a module": ("work.zip", f"{BASE}.py", {"solution.py": ""}, True),
    "an archive and a module": (
        "work.zip",
        f"{BASE}.py",
        {"solution.py": "class AttentionHead:\n    x = 1\n"},
        False,
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", HIDDEN)
def test_an_untouched_file_hides_no_work(
    name: str, grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """What cannot be told is refused in a sentence that names the files."""
    archive, work, others, counts = HIDDEN[name]
    text = solutions[BASE]
    place = tmp_path / "anna" / BASE
    handed_in(place, archive, {work: text})
    others = {one: value or text for one, value in others.items()}
    put(place, {f"{BASE}.py": skeleton(BASE), **others})
    if "archives" in name:
        with zipfile.ZipFile(place / "other.zip", "w") as packed:
            packed.writestr("multi_head.py", skeleton("multi_head"))
    [found] = find(tmp_path, BASE)
    job = Folders(tmp_path).job("anna", BASE)
    assert (job.refused == "") is (found.problem == "") is counts
    if counts:
        assert has_all(grader.grade(found)) and has_all(grader.grade(submission(job)))
    else:
        assert "(solution.py, work.zip). Keep the one that counts." in job.refused
        own = f"({BASE}/solution.py, {BASE}/work.zip)"
        assert f"{own}. Keep the one that counts." in found.problem


@pytest.mark.dear
def test_a_whole_kit_in_an_archive_counts_with_what_make_submit_has_packed(
    grader: Grader, tmp_path: Path, solutions: dict[str, str]
) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr(f"{BASE}.py", solutions[BASE])
    (tmp_path / "anna" / BASE).mkdir(parents=True)
    for path in (tmp_path / "anna" / BASE / "kit.zip", tmp_path / "ben.zip"):
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr(f"kit/assignments/{BASE}.py", skeleton(BASE))
            packed.writestr(f"kit/hand-in/{BASE}.zip", inner.getvalue())
    found = [*find(tmp_path, BASE), *find(tmp_path / "ben.zip", None)]
    assert [one.name for one in found] == ["anna", "ben", "ben"]
    for one in (*found, submission(Folders(tmp_path).job("anna", BASE))):
        assert has_all(grader.grade(one))


def test_what_lies_too_deep_is_said(tmp_path: Path, solutions: dict[str, str]) -> None:
    put(tmp_path / "anna" / BASE, {f"a/b/c/{BASE}.py": solutions[BASE]})
    put(tmp_path / "ben" / BASE, {f"a/b/c/d/{BASE}.py": solutions[BASE]})
    folders = Folders(tmp_path)
    assert not folders.job("anna", BASE).refused
    assert folders.job("ben", BASE).refused == (
        f"ben/{BASE}/a/b/c/d is not read: it lies more than 3 folders deep. Move the work "
        "further up."
    )
    anna, ben = find(tmp_path, BASE)
    assert not anna.problem
    assert ben.problem.endswith("it lies more than 3 folders deep. Move the work further up.")


def test_an_untouched_file_hides_no_work_that_lies_too_deep(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    """Work that lies too deep is refused by its name; other files there cost nobody a grade."""
    for student, text in (("anna", solutions[BASE]), ("ben", skeleton(BASE)), ("cleo", "x = 1")):
        work = {WORK: as_notebook(skeleton(BASE)), f"a/b/c/d/e/{BASE}.py": text}
        put(tmp_path / student / BASE, work)
    put(tmp_path / "cleo" / BASE, {f"{BASE}.py": solutions[BASE]})
    reason = f"anna/{BASE}/a/b/c/d/e/{BASE}.py is not read: it lies more than 3 folders deep."
    anna, ben, cleo = (Folders(tmp_path).job(one, BASE) for one in ("anna", "ben", "cleo"))
    assert reason in anna.refused and not ben.refused and not cleo.refused
    problems = [one.problem for one in find(tmp_path, BASE)]
    assert reason in problems[0] and problems[1:] == ["", ""]


@pytest.mark.parametrize("folder", ["a/b/c/d/e/f", "/".join("abcdefghij" * 4)])
def test_what_lies_too_deep_is_seen_to_change(
    folder: str, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """The refusal that names it ends with it."""
    anna = tmp_path / "submitted" / "anna" / BASE
    put(anna, {WORK: as_notebook(skeleton(BASE)), f"{folder}/{BASE}.py": solutions[BASE]})
    folders = Folders(tmp_path / "submitted", tmp_path / "readings")
    job = folders.job("anna", BASE)
    assert f"{folder}/{BASE}.py is not read" in job.refused
    assert folders.fingerprint("anna", BASE) == job.fingerprint
    (anna / folder / f"{BASE}.py").unlink()
    assert folders.fingerprint("anna", BASE) != job.fingerprint
    put(anna, {f"{folder}/{BASE}.py": solutions[BASE]})
    assert folders.fingerprint("anna", BASE) == job.fingerprint


def test_what_is_in_no_folder_of_an_assignment_is_named(tmp_path: Path) -> None:
    """Only where it may be a student's work for this assignment."""
    near = f"kim/hw/{BASE.replace('_', ' ').title()} final/my.py"
    named = [
        WORK,
        f"ben/{BASE}.py",
        "emil.zip",
        f"gil/{BASE}.zip",
        "hal/my.ipynb",
        "ida/my.py",
        near,
    ]
    others = ["cleo/list.csv", f"dora/{BASE}/x.py", f"dora/{BASE}.py", "list.csv"]
    others += ["fay/multi_head.py", "ida/multi_head/x.py"]
    put(tmp_path, dict.fromkeys([*named, *others], ""))
    assert Folders(tmp_path).misplaced(BASE) == named
    assert Folders(tmp_path / "none").misplaced(BASE) == []


def packed(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Return a copy of the kit, which a student has handed in for another assignment."""
    folder = tmp_path / "submitted" / "anna" / "running_averages" / "attention-kit"
    made = {f"assignments/{one}.py": skeleton(one) for one in assignments()}
    made |= {f"assignments/{one}.ipynb": as_notebook(skeleton(one)) for one in assignments()}
    put(folder, made | {"tests/conftest.py": "import torch\n", "autograder/__init__.py": ""})
    shutil.copy(root() / "solutions" / BASE / f"test_{BASE}.py", folder / "tests")
    return folder


def test_of_a_whole_copy_of_the_kit_nothing_is_misplaced(kit: Path) -> None:
    """Who moved such a file would have its student graded 0, for work that is not handed in."""
    submitted = kit.parents[2]
    (submitted / "ben").mkdir()
    (submitted / "ben" / "kit.zip").write_bytes(packed({f"kit/{BASE}.py": skeleton(BASE)}))
    put(submitted / "cleo", {f"{BASE}.py": skeleton(BASE), "my.py": "x = 1\n"})
    put(submitted, {WORK: as_notebook(skeleton(BASE)), "multi_head.py": "damaged("})
    assert Folders(submitted).misplaced(BASE) == []


@pytest.mark.parametrize("way", ["itself", "an own module", "damaged", "archive", "in an archive"])
def test_only_what_may_hold_work_is_misplaced(
    way: str, kit: Path, solutions: dict[str, str]
) -> None:
    work, name = solutions[BASE], f"assignments/{BASE}.py"
    if way == "itself":
        put(kit, {name: work})
    elif way == "an own module":
        put(kit, {name: "from my_layers import *\n", "assignments/my_layers.py": work})
    elif way == "damaged":
        name = f"assignments/{WORK}"
        put(kit, {name: "{"})
    else:
        name = f"assignments/{BASE}.zip"
        data = b"PK" if way == "archive" else packed({f"a/{BASE}.py": work})
        (kit / name).write_bytes(data)
    inside = (kit / name).relative_to(kit.parents[2]).as_posix()
    assert Folders(kit.parents[2]).misplaced(BASE) == [inside]


def test_what_takes_long_to_look_into_is_named(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code(*_: object) -> str:
        raise OutOfTime

    monkeypatch.setattr(SubmissionFiles, "code", code)
    inside = kit.relative_to(kit.parents[2]).as_posix()
    named = [f"{inside}/assignments/{BASE}.ipynb", f"{inside}/assignments/{BASE}.py"]
    assert set(named) <= {*Folders(kit.parents[2]).misplaced(BASE)}


def test_work_that_has_the_name_of_another_assignment_is_named(
    tmp_path: Path, solutions: dict[str, str]
) -> None:
    put(tmp_path / "anna" / BASE, {"running_averages.py": solutions[BASE]})
    assert Folders(tmp_path).job("anna", BASE).refused == (
        f"anna/{BASE}/running_averages.py defines exercises of {BASE}, but has another name. Name "
        f"it {BASE}.py."
    )


def test_a_link_that_leads_in_a_circle_or_elsewhere_is_not_looked_through(tmp_path: Path) -> None:
    submitted = tmp_path / "submitted"
    submitted.mkdir()
    put(tmp_path / "elsewhere", {f"{BASE}.py": "x = 1", f"test_{BASE}.py": "x = 1"})
    (submitted / "mallory").symlink_to("mallory")
    (submitted / "nina").symlink_to(tmp_path / "elsewhere")
    assert Folders(submitted).misplaced(BASE) == []
