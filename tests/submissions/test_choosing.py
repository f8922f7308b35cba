"""Which of a person's files counts is never decided silently between two that hold work."""

from __future__ import annotations

import ast
import io
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from own_files import has_all, in_form

from autograder.classroom.grading_jobs import submission
from autograder.course import assignments, skeleton, solution
from autograder.grading.grader import Grader
from autograder.nbgrader.intake import Folders
from autograder.submissions.choosing import packed
from autograder.submissions.finding import find
from autograder.submissions.source_text import code_lines
from autograder.submissions.submission import Submission
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import Source, is_in, sources

NAME = "running_averages"
WORK = solution(NAME)
DRAFT = "def running_mean_loop(x):\n    return 2 * x\n"
RELEASED = skeleton(NAME)
FIRST, SECOND, THIRD = "running_mean_loop", "running_mean_matmul", "running_mean_softmax"
SPLIT = {
    "one.py": f"def {FIRST}(x):\n    return 1 * x\n",
    "two.py": f"def {SECOND}(x):\n    return x, x\n\n\ndef {THIRD}(x):\n    return x, x\n",
}
Files = dict[str, str]
Packed = dict[str, "str | Packed"]  # archives are folders


def zipped(files: Packed) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, content(name, text))
    return made.getvalue()


def content(name: str, text: str | Packed) -> bytes:
    if isinstance(text, dict):
        return zipped(text)
    return in_form(name, text).encode()


def put(folder: Path, files: Packed) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content(name, text))


def handed_in(tmp_path: Path, files: Packed) -> tuple[Submission, str]:
    """Return the submission in a folder for nbgrader, and why nbgrader's intake refuses it."""
    put(tmp_path / "submitted" / "anna" / NAME, files)
    [found] = find(tmp_path / "submitted", NAME)
    return found, Folders(tmp_path / "submitted").job("anna", NAME).refused


MINE = WORK.replace("running_mean", "my_mean")
UNSEEN = {  # ways to define exercises whose names the text does not have
    "names from parts": f"{MINE}\nfor n in ('loop',):\n    globals()[f'running_mean_{{n}}'] = 1\n",
    "a text that is run": f"{MINE}\nexec('running_mean_%s = 1' % 'loop')\n",
    "names on demand": f"{MINE}\ndef __getattr__(name):\n    return my_mean_loop\n",
    "a module's attribute": f"import sys\n{MINE}\nsys.modules[__name__].{FIRST} = my_mean_loop\n",
    "a register": "REGISTER = globals()\n\n\ndef register(f):\n    REGISTER['running_' + f] = f\n",
    "a backslash": f"def \\\n{FIRST}(x):\n    return x\n",
    "a wide letter": DRAFT.replace("loop", "\N{FULLWIDTH LATIN SMALL LETTER L}oop"),
}
COUNTS: dict[str, tuple[Packed, str]] = {
    "a test that imports the module": ({"hw.py": WORK, "test_hw.py": "import hw\n"}, "hw.py"),
    "a test of a longer name": (
        {"hw.py": WORK, f"test_{NAME}.py": f"from hw import {FIRST}\n\nassert {FIRST}\n"},
        "hw.py",
    ),
    "a demo of a longer name": (
        {"hw.py": WORK, f"{NAME}_demo.ipynb": f"import hw\nhw.{FIRST}(1)"},
        "hw.py",
    ),
    "a test that imports all": ({"hw.py": WORK, "test_hw.py": "from hw import *\n"}, "hw.py"),
    "a local variable": (
        {"hw.py": WORK, "t.py": f"import hw\n\ndef test():\n    {FIRST} = hw.{FIRST}\n"},
        "hw.py",
    ),
    "a local variable of a method": (
        {"hw.py": WORK, "t.py": f"import hw\nclass T:\n    def test(self):\n        {FIRST} = 1\n"},
        "hw.py",
    ),
    "a lambda": (
        {"hw.py": WORK, "demo.ipynb": f"import hw as h\n{FIRST} = lambda x: h.{FIRST}(x)[1]"},
        "hw.py",
    ),
    "a file that imports all of two": (
        {**SPLIT, "main.py": f"from one import {FIRST}\nfrom two import *\n"},
        "main.py",
    ),
    "a file of the right name that imports all": (
        {**SPLIT, f"{NAME}.py": "from one import *\nfrom two import *\n"},
        f"{NAME}.py",
    ),
    "a file that adds the rest": (
        {"one.py": SPLIT["one.py"], "all.py": f"from one import {FIRST}\n{SPLIT['two.py']}"},
        "all.py",
    ),
    "a file that runs another": (
        {"one.py": SPLIT["one.py"], "all.ipynb": f"%run one.py\n{SPLIT['two.py']}"},
        "all.ipynb",
    ),
    "a notebook that runs others": (
        {
            "ex 1.ipynb": SPLIT["one.py"],
            "ex/two.ipynb": SPLIT["two.py"],
            f"{NAME}.ipynb": "%run 'ex 1.ipynb'\n%run -i ./ex/two.ipynb  # mine",
        },
        f"{NAME}.ipynb",
    ),
    "a notebook that runs one beside a module of its name": (
        {"hw.ipynb": WORK, "hw.py": "x = 1\n", f"{NAME}.ipynb": "%run hw.ipynb"},
        f"{NAME}.ipynb",
    ),
    "a chain": (
        {
            **SPLIT,
            "mid.py": "from one import *\n",
            "main.py": "from mid import *\nfrom two import *\n",
        },
        "main.py",
    ),
    "other names of the same functions": (
        {
            "impl.py": WORK.replace("running_mean", "my_mean"),
            f"{NAME}.py": f"import impl\n{FIRST} = impl.my_mean_loop\n",
        },
        f"{NAME}.py",
    ),
    "a text with code in it": ({"hw.py": WORK, "old.py": f'"""My draft:\n{DRAFT}"""\n'}, "hw.py"),
    "text at the margin of a docstring": (
        {
            f"{NAME}.py": f'def {FIRST}(x):\n    """\nAverage.\n    """\n    return x\n',
            "a.py": DRAFT,
        },
        f"{NAME}.py",
    ),
    "an archive": ({"my.zip": {"hw.py": WORK}, "test_hw.py": "import hw\n"}, "my.zip/hw.py"),
    "the right name": ({f"{NAME}.py": WORK, "old/hw.py": DRAFT, "b.py": DRAFT}, f"{NAME}.py"),
    **{
        f"the right name, {how}": ({f"{NAME}.py": text, "test_hw.py": DRAFT}, f"{NAME}.py")
        for how, text in UNSEEN.items()
    },
    **{
        f"all of another file, {how}": (
            {"hw.py": text, f"{NAME}.py": "from hw import *\n"},
            f"{NAME}.py",
        )
        for how, text in UNSEEN.items()
    },
    "the right name in a folder": ({f"hw/{NAME}.py": WORK, "hw/b.py": DRAFT}, f"hw/{NAME}.py"),
    "the right name in its folder": (
        {f"{NAME}/{NAME}.py": WORK, "old/b.py": DRAFT},
        f"{NAME}/{NAME}.py",
    ),
}


@pytest.mark.parametrize("case", COUNTS)
def test_the_file_that_has_all_the_work_counts(case: str, tmp_path: Path) -> None:
    files, counts = COUNTS[case]
    found, refused = handed_in(tmp_path, files)
    assert (found.problem, refused, found.other) == ("", "", None)
    assert found.path == tmp_path / "submitted" / "anna" / NAME / counts


UNDECIDED: dict[str, tuple[Packed, str]] = {
    "an old one of a longer name": (
        {"hw.py": WORK, f"{NAME}_old.py": DRAFT},
        f"(hw.py, {NAME}_old.py)",
    ),
    "two notebooks": (
        {"Untitled.ipynb": WORK, f"{NAME}_backup.ipynb": DRAFT},
        f"(Untitled.ipynb, {NAME}_backup.ipynb)",
    ),
    "an old one in a folder": (
        {f"{NAME}.py": RELEASED, f"old/{NAME}.py": DRAFT, f"{NAME}_final.py": WORK},
        f"(old/{NAME}.py, {NAME}_final.py)",
    ),
    "a copy and an old one": (
        {f"{NAME}.ipynb": RELEASED, f"old/{NAME}.ipynb": DRAFT, f"{NAME} (1).ipynb": WORK},
        f"(old/{NAME}.ipynb, {NAME} (1).ipynb)",
    ),
    "an old one, without the released one": (
        {f"old/{NAME}.py": DRAFT, "hw.py": WORK},
        f"(hw.py, old/{NAME}.py)",
    ),
    "an archive and an old one": (
        {f"{NAME}.ipynb": RELEASED, f"old/{NAME}.ipynb": DRAFT, "new.zip": {f"{NAME}.py": WORK}},
        f"(new.zip, old/{NAME}.ipynb)",
    ),
    "an archive of the right name and an old one": (
        {f"old/{NAME}.ipynb": DRAFT, f"{NAME}.zip": {f"{NAME}.py": WORK}},
        f"(old/{NAME}.ipynb, {NAME}.zip)",
    ),
    "an archive in an archive": (
        {"all.zip": {f"old/{NAME}.py": DRAFT, "new.zip": {"hw.py": WORK}}},
        f"(new.zip, old/{NAME}.py)",
    ),
    "an archive that cannot be read": (
        {f"{NAME}.py": RELEASED, "hw.py": DRAFT, "my.zip": "PK"},
        "(hw.py, my.zip)",
    ),
    "a draft that imports the work": (
        {"hw.py": WORK, "a.py": f"import hw\n{DRAFT}"},
        "(a.py, hw.py)",
    ),
    "a draft that replaces what it imports": (
        {"hw.py": WORK, "a.py": f"from hw import *\n{DRAFT}"},
        "(a.py, hw.py)",
    ),
    "an import of a part": (
        {"hw.py": WORK, "a.py": f"from hw import {FIRST}\n{SPLIT['two.py']}"},
        "(a.py, hw.py)",
    ),
    "a wrapper of the same name": (
        {"hw.py": WORK, "a.py": f"import hw\ndef {FIRST}(x):\n    return hw.{FIRST}(x)\n"},
        "(a.py, hw.py)",
    ),
    "two halves": ({**SPLIT}, "(one.py, two.py)"),
    **{
        f"another one, {how}": ({"hw.py": text, "a.py": f"{DRAFT}x = 1\n"}, "(a.py, hw.py)")
        for how, text in UNSEEN.items()
    },
    "a file of the right name that imports one half": (
        {**SPLIT, f"{NAME}.py": "from one import *\n"},
        "(one.py, two.py)",
    ),
}


@pytest.mark.parametrize("case", UNDECIDED)
def test_of_two_files_with_work_none_counts_silently(case: str, tmp_path: Path) -> None:
    files, names = UNDECIDED[case]
    found, refused = handed_in(tmp_path, files)
    for problem in (found.problem, refused):
        if any(f"{NAME}." in name for name in (*files, names)):  # to rename it would not help
            assert f"holds several files of {NAME} {names}. Keep the one that counts." in problem
        else:
            assert f"holds several files {names}. Name the one that counts {NAME}.py" in problem


def test_a_test_case_is_no_exercise(tmp_path: Path) -> None:
    name = "attention_layer"
    text = "import unittest\nimport hw\n\nclass TestModule(unittest.TestCase):\n    pass\n"
    put(tmp_path / "anna", {"hw.py": solution(name), "test_hw.py": text})
    [found] = find(tmp_path, name)
    assert (found.path.name, found.problem) == ("hw.py", "")


def test_a_module_and_a_notebook_with_a_draft_are_both_graded(tmp_path: Path) -> None:
    """Also if the notebook imports the module without its names."""
    found, refused = handed_in(tmp_path, {"hw.py": WORK, "x.ipynb": f"import hw\n{DRAFT}"})
    assert (found.problem, refused, found.path.name) == ("", "", "hw.py")
    assert found.other and found.other.path.name == "x.ipynb"


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_module_and_a_notebook_in_different_folders_are_not_both_graded(
    is_packed: bool, tmp_path: Path
) -> None:
    files: Packed = {f"old/{NAME}.py": WORK, f"new/{NAME} (1).ipynb": DRAFT}
    put(tmp_path, {"anna.zip": files} if is_packed else {f"anna/{k}": files[k] for k in files})
    [found] = find(tmp_path, NAME)
    names = f"(new/{NAME} (1).ipynb, old/{NAME}.py)"
    assert f"holds several files of {NAME} {names}. Keep the one that counts." in found.problem


# Files outside the folder of the assignment


@pytest.mark.parametrize("form", [".py", ".ipynb"])
@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("has_folders", [False, True])
def test_work_in_the_folder_of_the_assignment_and_outside_is_refused(
    has_folders: bool, is_packed: bool, form: str, tmp_path: Path
) -> None:
    """Whichever is the better one, unless it is the same."""
    inside = f"{NAME}/{NAME}.ipynb"
    more: Packed = {"multi_head/multi_head.py": "x = 1\n"} if has_folders else {}
    for number, (first, second) in enumerate([(WORK, DRAFT), (DRAFT, WORK), (WORK, WORK)]):
        files: Packed = {f"{NAME}{form}": first, inside: second, **more}
        place = tmp_path / str(number)
        put(place, {"anna.zip": files} if is_packed else {f"anna/{k}": files[k] for k in files})
        [found] = find(place, NAME)
        refusal = f"{NAME}.ipynb both hold work for {NAME}. Keep the one that counts."
        assert found.problem.endswith(refusal) is (first != second), found.problem
        assert first != second or not found.problem


IN_ITS_FOLDER: dict[str, tuple[str, str | Packed, str]] = {
    "another name": ("solution.py", WORK, "solution.py"),
    "a copy's name": (f"{NAME} (1).ipynb", WORK, f"{NAME} (1).ipynb"),
    "a folder deeper": (f"a/b/{NAME}.ipynb", WORK, f"a/b/{NAME}.ipynb"),
    "an archive": ("hw.zip", {"hw.py": WORK}, "hw.zip/hw.py"),
}


@pytest.mark.parametrize("is_released", [False, True])
@pytest.mark.parametrize("outside", [f"old/{NAME}.py", f"{NAME}_old.py", f"drafts/{NAME}.ipynb"])
@pytest.mark.parametrize("case", IN_ITS_FOLDER)
def test_files_outside_the_folder_of_the_assignment_are_not_taken_for_it(
    case: str, outside: str, is_released: bool, tmp_path: Path
) -> None:
    """In submitted/, where each assignment was collected by itself; elsewhere both hold work."""
    name, text, counts = IN_ITS_FOLDER[case]
    folder = tmp_path / "submitted" / "anna" / NAME
    for own in (folder, tmp_path / "class" / "anna" / NAME):
        put(own, {name: text, **({f"{NAME}.py": RELEASED} if is_released else {})})
        put(own.parent, {outside: DRAFT, "multi_head/multi_head.py": "x = 1\n"})
    [found] = find(tmp_path / "submitted", NAME)
    assert (found.path, found.problem) == (folder / counts, "")
    put(folder, {"more.py": DRAFT + "x = 1\n", "more.ipynb": DRAFT})
    [found] = find(tmp_path / "submitted", NAME)
    assert "holds several files" in found.problem and outside not in found.problem
    [found] = find(tmp_path / "class", NAME)
    assert "the one that counts" in found.problem and outside in found.problem


# Earlier assignments


EARLIER, LATER = "attention_layer", "multi_head"
EARLIER_DRAFT = "class TestModule:\n    def forward(self):\n        print('Hello World')\n"
DAMAGED: dict[str, str | bytes] = {
    "a draft": EARLIER_DRAFT,
    "empty": b"",
    "damaged": b"{",
    "not text": b"\xe9",
}


@pytest.mark.parametrize("better", [".py", ".ipynb"])
@pytest.mark.parametrize("importing", [".py", ".ipynb"])
@pytest.mark.parametrize("worse", DAMAGED)
def test_an_import_takes_the_form_that_has_more_of_the_exercises(
    worse: str, importing: str, better: str, tmp_path: Path
) -> None:
    """In folders for each assignment, in one folder, and for nbgrader."""
    other = ".ipynb" if better == ".py" else ".py"
    text = DAMAGED[worse]
    for place in (tmp_path / "a" / "anna", tmp_path / "b" / "anna"):
        folders = (f"{EARLIER}/", f"{LATER}/") if place.parent.name == "a" else ("", "")
        put(place, {f"{folders[0]}{EARLIER}{better}": solution(EARLIER)})
        put(place, {f"{folders[1]}{LATER}{importing}": solution(LATER)})
        draft = place / f"{folders[0]}{EARLIER}{other}"
        draft.write_bytes(text if isinstance(text, bytes) else content(draft.name, text))
        [found] = find(place, LATER)
        assert "class AttentionHead" in str(found.texts[EARLIER])
    job = submission(Folders(tmp_path / "a").job("anna", LATER))
    assert "class AttentionHead" in str(job.texts[EARLIER])


def test_of_two_forms_with_the_same_exercises_the_importers_own_is_taken(tmp_path: Path) -> None:
    put(tmp_path, {f"{LATER}.py": solution(LATER), f"{EARLIER}.py": f"x = 1\n{solution(EARLIER)}"})
    put(tmp_path, {f"{EARLIER}.ipynb": solution(EARLIER)})
    found = find(tmp_path, LATER)[0]
    assert "x = 1" in str(found.texts[EARLIER])


# The top folder of an archive


@pytest.mark.parametrize("top", ["", "hw/", "hw/final/"])
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_folder_around_all_files_changes_no_import(
    is_packed: bool, top: str, tmp_path: Path
) -> None:
    files: Files = {
        "attn/__init__.py": "",
        f"attn/{LATER}.py": solution(LATER).replace(f"from {EARLIER}", f"from attn.{EARLIER}")
        + "\nimport masks\nimport sys; sys.path.append('lib')\nimport more\n",
        f"attn/{EARLIER}.py": solution(EARLIER),
        "masks.py": "x = 1\n",
        "lib/more.py": "x = 1\n",
    }
    inside: Packed = {f"{top}{name}": text for name, text in files.items()}
    if is_packed:
        put(tmp_path, {"anna.zip": inside})
    else:
        put(tmp_path / "anna", {**inside})
    [found] = find(tmp_path, LATER)
    own = {name.removeprefix(top) for name in found.texts}
    assert {EARLIER, "attn/__init__.py", "masks.py", "lib/more.py"} <= own


@pytest.mark.parametrize("top", ["", "proj/src/"])
def test_a_package_that_holds_all_files_is_imported_by_its_name(
    top: str, grader: Grader, tmp_path: Path
) -> None:
    text = solution(LATER).replace(f"from {EARLIER}", f"from attn.{EARLIER}")
    files: Packed = {f"{top}attn/{LATER}.py": text, f"{top}attn/{EARLIER}.py": solution(EARLIER)}
    put(tmp_path, {"anna.zip": files})
    [found] = find(tmp_path, LATER)
    assert has_all(grader.grade(found))


def test_a_package_is_imported_from_where_it_lies(grader: Grader, tmp_path: Path) -> None:
    text = solution(LATER).replace(f"from {EARLIER}", f"from attn.{EARLIER}")
    put(tmp_path / "anna" / "src" / "attn", {"__init__.py": "", f"{LATER}.py": text})
    put(tmp_path / "anna" / "src" / "attn", {f"{EARLIER}.py": solution(EARLIER)})
    put(tmp_path / "anna" / "tests", {"test_it.py": "x = 1\n"})
    [found] = find(tmp_path, LATER)
    assert has_all(grader.grade(found))


@pytest.mark.parametrize("assignment", [LATER, None])
def test_an_archive_of_earlier_work_in_an_archive_is_found(
    assignment: str | None, tmp_path: Path
) -> None:
    inner = zipped({f"{EARLIER}.py": solution(EARLIER)})
    for path in (tmp_path / "anna.zip", tmp_path / "submitted" / "ben" / LATER / "hw.zip"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{LATER}.py", solution(LATER))
            archive.writestr(f"{EARLIER}.zip", inner)
    *_, found = find(tmp_path / "anna.zip", assignment)
    job = submission(Folders(tmp_path / "submitted").job("ben", LATER))
    for one in (found, job):
        assert not one.problem
        assert "class AttentionHead" in str(one.texts[EARLIER])


PLACES_OF_EARLIER: dict[str, Packed] = {
    "two archives": {
        "anna/hw5.zip": {f"{EARLIER}.py": solution(EARLIER)},
        "anna/hw6.zip": {f"{LATER}.py": solution(LATER)},
    },
    "a file beside an archive": {
        f"anna/{EARLIER}.py": solution(EARLIER),
        "anna/hw6.zip": {f"{LATER}.py": solution(LATER)},
    },
    "an archive beside a file": {
        "anna/hw5.zip": {f"{EARLIER}.ipynb": solution(EARLIER)},
        f"anna/{LATER}.py": solution(LATER),
    },
    "an archive beside a folder": {
        f"anna/old_{EARLIER}.zip": {"x.py": solution(EARLIER)},
        f"anna/{LATER}/{LATER}.py": solution(LATER),
    },
    "two archives, one of which has it as it was released": {
        "anna/hw5.zip": {f"{EARLIER}.py": solution(EARLIER)},
        "anna/hw6.zip": {f"{LATER}.py": solution(LATER), f"{EARLIER}.py": skeleton(EARLIER)},
    },
    "three archives, two of which have it": {
        "anna/hw5.zip": {f"{EARLIER}.py": solution(EARLIER)},
        "anna/hw5 (1).zip": {f"{EARLIER}.py": solution(EARLIER)},
        "anna/hw6.zip": {f"{LATER}.py": solution(LATER)},
    },
    "two archives in a download": {
        "annasmith_12_34_hw6.zip": {f"{LATER}.py": solution(LATER)},
        "annasmith_12_35_hw5.zip": {f"{EARLIER}.py": solution(EARLIER)},
        "bobbo_13_36_hw6.py": "x = 1\n",
    },
}


@pytest.mark.parametrize("place", PLACES_OF_EARLIER)
def test_earlier_work_in_another_archive_is_imported(place: str, tmp_path: Path) -> None:
    put(tmp_path / "class", PLACES_OF_EARLIER[place])
    found = find(tmp_path / "class", LATER)[0]
    assert found.problem == ""
    assert "class AttentionHead" in str(found.texts[EARLIER])


EARLIER_IN_ARCHIVE: dict[str, Packed] = {
    "its folder, under another name": {f"{EARLIER}/my final.ipynb": solution(EARLIER)},
    "another name": {"my work.ipynb": solution(EARLIER)},
    "beside the released file": {
        f"{EARLIER}.py": skeleton(EARLIER),
        "final.py": solution(EARLIER),
    },
    "an archive": {f"{EARLIER}.zip": {"x.py": solution(EARLIER)}},
    "an archive of its folder": {f"{EARLIER}.zip": {f"{EARLIER}/x.ipynb": solution(EARLIER)}},
}


@pytest.mark.parametrize("place", EARLIER_IN_ARCHIVE)
def test_earlier_work_is_imported_from_an_archive_as_from_a_folder(
    place: str, tmp_path: Path
) -> None:
    files = EARLIER_IN_ARCHIVE[place] | {f"{LATER}.py": solution(LATER)}
    own = tmp_path / "class" / "anna"
    put(own, files)
    put(tmp_path / "class", {"ben.zip": files})
    with tarfile.open(tmp_path / "class" / "cleo.tgz", "w:gz") as tar:
        for one in own.iterdir():
            tar.add(one, one.name)
    of_class = find(tmp_path / "class", LATER)
    alone = find(tmp_path / "class" / "ben.zip", LATER)
    later = [one for one in find(tmp_path / "class" / "ben.zip", None) if one.assignment == LATER]
    assert [one.name for one in of_class] == ["anna", "ben", "cleo"]
    for found in (*of_class, *alone, *later):
        assert found.problem == ""
        assert "class AttentionHead" in str(found.texts[EARLIER])


@pytest.mark.parametrize("place", ["../common", "..", "../common/deeper"])
def test_a_folder_beside_those_of_the_assignments_is_searched(place: str, tmp_path: Path) -> None:
    inside = place.removeprefix("..").strip("/")
    text = f"import sys\nsys.path.append('{place}')\nimport mine\n{solution(LATER)}"
    put(tmp_path / "anna", {f"{LATER}/{LATER}.py": text, f"{inside}/mine.py".strip("/"): "new = 1"})
    put(tmp_path / "anna" / EARLIER, {f"{EARLIER}.py": solution(EARLIER)})
    [found] = find(tmp_path, LATER)
    assert "new = 1" in str(found.texts[f"{inside}/mine.py".strip("/")])


def test_a_module_beside_the_folders_comes_before_that_of_an_earlier_assignment(
    tmp_path: Path,
) -> None:
    text = f"import sys\nsys.path.append('..')\nimport mine\n{solution(LATER)}"
    put(tmp_path / "anna", {f"{LATER}/{LATER}.py": text, "mine.py": "new = 1"})
    earlier = f"import mine\n{solution(EARLIER)}"
    put(tmp_path / "anna" / EARLIER, {f"{EARLIER}.py": earlier, "mine.py": "old = 1"})
    [found] = find(tmp_path, LATER)
    assert "new = 1" in str(found.texts["mine.py"])
    assert found.folders.index("") < found.folders.index(EARLIER)


def test_what_defines_no_earlier_exercise_is_not_taken_for_earlier_work(tmp_path: Path) -> None:
    put(tmp_path / "class" / "anna", {"hw.zip": {"hw.py": solution(LATER)}, "x.zip": {"a.py": ""}})
    [found] = find(tmp_path / "class", LATER)
    assert (found.problem, EARLIER in found.texts) == ("", False)


# What code has


TAKEN = Source("hw.py", is_own=False, is_taken=True)
ALL = {name: {TAKEN} for name in (FIRST, SECOND, THIRD)}
SOURCES: dict[str, tuple[str, dict[str, set[Source]]]] = {
    "a definition": (DRAFT, {FIRST: {Source()}}),
    "an assignment": (f"{FIRST} = print\n", {FIRST: {Source()}}),
    "a definition in a block": (
        f"if True:\n    def {FIRST}(x):\n        pass\n",
        {FIRST: {Source()}},
    ),
    "an import": (f"from hw import {FIRST}\n", {FIRST: {TAKEN}}),
    "an import of several lines": (
        f"from hw import (\n    a,  # one\n    {FIRST},\n)\n",
        {FIRST: {TAKEN}},
    ),
    "an import under another name": (f"from hw import f as {FIRST}\n", {FIRST: {Source("hw.py")}}),
    "a relative import": (f"from .hw import {FIRST}\n", {FIRST: {TAKEN}}),
    "an import of all": (
        "from hw import *\n",
        ALL,
    ),
    "an import of the module": ("import hw\n", {}),
    "an import of no own module": (f"from math import {FIRST}\n", {}),
    "an import in a function": (f"def test():\n    from hw import {FIRST}\n", {}),
    "an attribute": (f"import hw as h\n{FIRST} = h.{FIRST}\n", {FIRST: {Source("hw.py")}}),
    "an attribute of a package": (
        f"import pack.one\n{FIRST} = pack.one.f\n",
        {FIRST: {Source("pack/one.py")}},
    ),
    "a module out of a package": (
        f"from pack import one\n{FIRST} = one.f\n",
        {FIRST: {Source("pack/one.py")}},
    ),
    "a use of the imported one": (
        f"from hw import {FIRST}\n{FIRST} = compiled({FIRST})\n",
        {FIRST: {Source("hw.py", False)}},
    ),
    "a base class": (
        f"import hw\nclass {FIRST}(hw.Base):\n    x = 1\n",
        {FIRST: {Source("hw.py")}},
    ),
    "a base class that does all": (
        f"import hw\nclass {FIRST}(hw.Base):\n    pass\n",
        {FIRST: {Source("hw.py")}},
    ),
    "an own base class": (f"class {FIRST}(Mine):\n    pass\n", {FIRST: {Source()}}),
    "a base class without work": (f"class {FIRST}(nn.Module):\n    pass\n", {}),
    "a class that extends itself": (
        f"from hw import {FIRST}\nclass {FIRST}({FIRST}):\n    pass\n",
        {FIRST: {Source("hw.py", False)}},
    ),
    "a mention in a body": (
        f"import hw\ndef {FIRST}(x):\n    return hw.f(x)\n",
        {FIRST: {Source()}},
    ),
    "a global": (f"def make():\n    global {FIRST}\n    {FIRST} = 1\n", {FIRST: {Source()}}),
    "a local": (f"def make():\n    {FIRST} = 1\n", {}),
    "a text": (f'"""\n{DRAFT}"""\nx = "{FIRST} = 1"\n', {}),
    "replaced by the released one": (f"{WORK}\n{RELEASED}", {}),
    "replaced by nothing": (f"from hw import {FIRST}\ndef {FIRST}(x):\n    pass\n", {}),
    "earlier work": (f"from multi_head import {FIRST}\n", {FIRST: {Source()}}),
    "exec": (
        "exec(open('hw.py').read())\n",
        ALL,
    ),
}


@pytest.mark.parametrize("case", SOURCES)
def test_where_an_exercise_comes_from(case: str) -> None:
    text, expected = SOURCES[case]
    lines = [line for line in text.split("\n") if line.strip()]
    modules = {"hw": "hw.py", "pack.one": "pack/one.py"}
    assert sources([lines], NAME, modules) == expected
    cells = [[line] for line in lines if not line.startswith(" ")]
    assert len(cells) < len(lines) or sources(cells, NAME, modules) == expected


UNWRITTEN = "raise NotImplementedError"
EDITS: dict[str, Callable[[str], str]] = {
    "formatted": str,
    "another exception": lambda text: text.replace(UNWRITTEN, "raise ValueError"),
    "an assertion": lambda text: re.sub(rf"{UNWRITTEN}\(.*\)", "assert False, 'todo'", text),
    "no text": lambda text: re.sub(rf"{UNWRITTEN}\(.*\)", UNWRITTEN, text),
    "nothing assigned": lambda text: re.sub(rf"{UNWRITTEN}\(.*\)", "self.x = None", text),
    "another start": lambda text: text.replace("super().__init__(", "nn.Module.__init__(self"),
    "not implemented": lambda text: re.sub(rf"{UNWRITTEN}\(.*\)", "return NotImplemented", text),
    "given code": lambda text: text.replace('"loss"', '"my loss"').replace("Step", "My step"),
}


@pytest.mark.parametrize("assignment", assignments())
@pytest.mark.parametrize("edit", EDITS)
def test_a_skeleton_holds_no_work_however_it_is_edited(edit: str, assignment: str) -> None:
    released = ast.unparse(ast.parse(skeleton(assignment)))
    assert not is_in(code_lines(EDITS[edit](released)), assignment)


def test_what_an_exercise_does_is_work() -> None:
    for text in ("y: int = 3", "if x: raise E", "for i in x: raise E", "else: f(x)", "print(x)"):
        assert is_in([f"def {FIRST}(x):", f"    {text}"], NAME), text


def test_an_archive_has_the_name_of_an_assignment_however_it_is_written(tmp_path: Path) -> None:
    """The names of assignments may have capitals, too."""
    archives = ["Week1.zip", "week 1.zip", "WEEK1/a.tar.gz"]
    files = SubmissionFiles(tmp_path, dict.fromkeys([*archives, "x.zip"], b""))
    assert packed(files, "Week1") == ["Week1.zip", "WEEK1/a.tar.gz"]
    assert packed(files, "Week_1") == ["week 1.zip"]
