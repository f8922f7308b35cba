"""One rule says which file counts, whichever way the same files of a student are handed in."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO

import pytest
from own_files import in_form

from autograder.classroom.grading_jobs import submission
from autograder.course import assignments, check_files, skeleton, solution, text_of
from autograder.course.place import DEFAULT, ENGINE
from autograder.kit.build import HIDDEN, ROOMS
from autograder.nbgrader.intake import Folders
from autograder.submissions.finding import find, find_each
from autograder.submissions.folders import MOST as FILES
from autograder.submissions.kits_own import TESTS
from autograder.submissions.source_text import MAX_SOURCE
from autograder.submissions.submission import Submission
from autograder.submissions.undecided import MOST

NAME, OTHER = "running_averages", "self_attention"
WORK, RELEASED = f"mine = 3\n{solution(NAME)}", skeleton(NAME)
DRAFT = "def running_mean_loop(x):\n    return 2 * x\n"
OLDER = RELEASED + "\nprint('an older edition')\n"
TAKES = "from my_layers import running_mean_loop, running_mean_matmul, running_mean_softmax\n"
Packed = dict[str, "str | bytes | Packed"]  # archives are folders
DAMAGED = b"PK"
KINDS = (".py", ".ipynb", ".toml", ".txt")  # of the kit's files that might be taken for work
PAGE = b"%PDF-1.4"


def content(name: str, text: str | bytes | Packed) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        return in_form(".ipynb" if ".ipynb" in name else ".py", text).encode()
    made = io.BytesIO()
    if name.endswith(".tar.gz"):
        put_tar(made, text)
        return made.getvalue()
    with zipfile.ZipFile(made, "w") as archive:
        for one, inside in text.items():
            archive.writestr(one, content(one, inside))
    return made.getvalue()


def put(folder: Path, files: Packed) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content(name, text))


def put_tar(file: IO[bytes], files: Packed) -> None:
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, text in files.items():
            data = content(name, text)
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def each_way(place: Path, files: Packed, assignment: str = NAME) -> dict[str, Submission]:
    """Return the submission of a student with these files, in each way of handing them in."""
    put(place / "class" / "folder", files)
    put(place / "class", {"zip.zip": files})
    put(place / "class", {"tar.tar.gz": files})
    put(place / "class" / "around", {f"hw/{name}": text for name, text in files.items()})
    found = {one.name: one for one in find(place / "class", assignment)}
    both = [place / "class" / "folder", place / "class" / "zip.zip"]
    found |= {f"path of {one.name}": one for one in find_each(both, assignment)}
    submitted = place / "submitted"
    put(submitted / "folder" / assignment, files)
    put(submitted / "zip" / assignment, {"hw.zip": files})
    collected = Folders(submitted)
    found |= {
        f"collected {one}": submission(collected.job(one, assignment)) for one in ("folder", "zip")
    }
    found |= {f"submitted {one.name}": one for one in find(submitted, assignment)}
    assert len(found) == 10
    return found


def assert_counts(place: Path, files: Packed, text: str) -> None:
    """Assert that what counts in each way is the file with this text."""
    for way, one in each_way(place, files).items():
        shown = str(one.texts.get(NAME) or one.texts)
        assert not one.problem, (way, one.problem)
        assert not one.other, way
        assert text in shown, (way, shown[:500])


def assert_refused(place: Path, files: Packed, *said: str) -> None:
    """Assert that the student is refused in each way, with these words."""
    for way, one in each_way(place, files).items():
        assert one.problem, way
        assert all(part in one.problem for part in said), (way, one.problem)


# A whole copy of the kit


@cache
def kit() -> Packed:
    """The texts of a copy: its engine, what it records, the skeletons."""
    files: Packed = {"tests/test_kit.py": "def test_kit():\n    pass\n"}
    modules = [path for room in ROOMS for path in (ENGINE / room).rglob("*.py")]
    for path in (*modules, *ENGINE.glob("*.py")):
        files[f"autograder/{path.relative_to(ENGINE).as_posix()}"] = text_of(path)
    for path in check_files():
        files[f"autograder/recorded/checks/{path.name}"] = HIDDEN.sub("", text_of(path))
    for one in (NAME, OTHER):
        for form in (".py", ".ipynb"):
            files[f"assignments/{one}{form}"] = skeleton(one)
            files[f"autograder/recorded/{one}{form}"] = skeleton(one)
    return files


@cache
def clone() -> Packed:
    """The texts of a copy of the instructors' kit, which has solutions and tests, too."""
    found = [path for one in (DEFAULT, TESTS) for path in one.rglob("*") if path.suffix in KINDS]
    return kit() | {path.relative_to(TESTS.parent).as_posix(): path.read_bytes() for path in found}


BESIDE_THE_KIT: dict[str, Packed] = {
    "in assignments": {f"assignments/{NAME}.py": WORK},
    "a file of another name": {"assignments/work/ra.py": WORK},
    "a folder of their own": {"my work/final/averages.py": WORK},
    "a notebook": {"Untitled.ipynb": WORK},
    "a pack": {f"hand-in/{NAME}.zip": {f"{NAME}.py": WORK}},
    "a pack of another assignment, with an older version": {
        f"assignments/{NAME}.py": WORK,
        f"hand-in/{OTHER}.zip": {f"{NAME}.py": DRAFT, f"{OTHER}.py": "x = 1\n"},
    },
    "a pack of what is beside it": {
        f"assignments/{NAME}.py": WORK,
        f"hand-in/{NAME}.zip": {f"{NAME}.py": WORK},
    },
}


@pytest.mark.dear
@pytest.mark.parametrize("case", BESIDE_THE_KIT)
def test_the_work_beside_the_kits_own_files_counts(case: str, tmp_path: Path) -> None:
    assert_counts(tmp_path, kit() | BESIDE_THE_KIT[case], "mine = 3")


BESIDE_A_CLONE: dict[str, Packed] = {
    "in assignments": {f"assignments/{NAME}.py": WORK},
    "a notebook": {"Untitled.ipynb": WORK},
    "with solutions of another edition": {
        f"assignments/{NAME}.py": WORK,
        f"solutions/{NAME}/{NAME}.py": DRAFT,
        f"solutions/{NAME}/right/another.py": f"x = 1\n{DRAFT}",
        f"solutions/{NAME}/wrong/another.py": f"x = 2\n{DRAFT}",
        "solutions/another/test_another.py": text_of(check_files()[0]),
        "solutions/another/another.py": f"x = 3\n{DRAFT}",
    },
}


@pytest.mark.dear
@pytest.mark.parametrize("case", BESIDE_A_CLONE)
def test_the_work_beside_solutions_and_tests_counts(case: str, tmp_path: Path) -> None:
    assert_counts(tmp_path, clone() | BESIDE_A_CLONE[case], "mine = 3")


@pytest.mark.dear
def test_the_kits_solutions_are_nobodys_work(tmp_path: Path) -> None:
    assert_counts(tmp_path / "released", clone(), "raise NotImplementedError")
    files = {name: text for name, text in clone().items() if not name.startswith("assignments/")}
    assert_refused(tmp_path / "none", files)


NAMED_LIKE_THE_KITS: dict[str, Packed] = {
    "solutions": {f"solutions/{NAME}.py": WORK},
    "solutions of an assignment": {f"solutions/{NAME}/{NAME}.py": WORK},
    "solutions with tests of their own": {
        f"solutions/{NAME}/{NAME}.py": WORK,
        f"solutions/{NAME}/test_{NAME}.py": f"from {NAME} import *\n",
    },
    "tests": {"tests/mine.py": WORK},
    "a right one": {f"{NAME}/right/{NAME}.py": WORK},
}


@pytest.mark.dear
@pytest.mark.parametrize("case", NAMED_LIKE_THE_KITS)
def test_the_work_in_a_folder_named_like_one_of_the_kits_counts(case: str, tmp_path: Path) -> None:
    assert_counts(tmp_path, kit() | NAMED_LIKE_THE_KITS[case], "mine = 3")


@pytest.mark.parametrize("assignment", [NAME, None])
@pytest.mark.parametrize("files", [kit, clone])
def test_a_copy_of_the_kit_is_one_persons(
    files: Callable[[], Packed], assignment: str | None, tmp_path: Path
) -> None:
    """Its folders are no students', nor what its commands make, and use up no limit."""
    made: Packed = {f"assignments/{NAME}.py": WORK, f"hand-in/{NAME}.zip": {f"{NAME}.py": WORK}}
    put(tmp_path / "zoe", files() | made | {"backups/x.py": "x = 1\n"})
    found = find(tmp_path / "zoe", assignment)
    assert {(one.name, one.problem) for one in found} == {("zoe", "")}
    [own] = [one for one in found if one.assignment == NAME]
    assert own.path == tmp_path / "zoe" / "assignments" / f"{NAME}.py"
    assert [(one.name, one.path, one.problem) for one in find(tmp_path, NAME)] == [
        ("zoe", own.path, "")
    ]


@pytest.mark.dear
@pytest.mark.parametrize("files", [kit, clone])
def test_the_kits_folders_beside_students_are_no_students(
    files: Callable[[], Packed], tmp_path: Path
) -> None:
    put(tmp_path, files() | {f"anna/{NAME}.py": WORK, f"ben/{NAME}.py": DRAFT})
    assert [one.name for one in find(tmp_path, NAME)] == ["anna", "assignments", "ben"]
    put(tmp_path, {"tests/mine.py": WORK})  # which nobody may lose
    assert [one.name for one in find(tmp_path, NAME)] == ["anna", "assignments", "ben", "tests"]


@pytest.mark.dear
@pytest.mark.parametrize("has_kit", [True, False])
def test_a_check_file_of_the_kit_is_nobodys_work(has_kit: bool, tmp_path: Path) -> None:
    """A check file of any edition is not work, in a copy of the kit or beside the released file."""
    [checks] = [text_of(path) for path in check_files() if NAME in path.name]
    files: Packed = {f"{NAME}.py": RELEASED, f"test_{NAME}.py": f"{checks}\nx = 3\n"}
    files = kit() if has_kit else files
    assert_counts(tmp_path / "released", files, "raise NotImplementedError")
    assert_refused(tmp_path / "notes", files | {"notes.txt": WORK}, "notes.txt may hold the work")


def test_work_in_a_test_file_is_work(tmp_path: Path) -> None:
    text = f"from autograder.course.exercise import Exercise\n{WORK}"
    assert_counts(tmp_path, {f"{NAME}.py": RELEASED, f"test_{NAME}.py": text}, "import Exercise")


@pytest.mark.dear
def test_work_in_the_engines_folder_is_work(tmp_path: Path) -> None:
    assert_counts(tmp_path, kit() | {"autograder/mine.py": WORK}, "mine = 3")


# How many files are read


@pytest.mark.parametrize("count", [40, 60])
def test_no_number_of_files_hides_one_that_holds_work(count: int, tmp_path: Path) -> None:
    empty: Packed = {f"m{number:02}.py": "x = 1\n" for number in range(count)}
    assert_refused(tmp_path, {"a.py": WORK, "sub/b.py": DRAFT, **empty}, "holds several files")


def test_an_archive_of_another_assignment_that_cannot_be_read_is_no_reason(tmp_path: Path) -> None:
    put(tmp_path / "anna", {f"{NAME}.py": RELEASED})
    (tmp_path / "anna" / f"{OTHER}.zip").write_bytes(b"PK")
    [found] = find(tmp_path, NAME)
    assert not found.problem


def test_more_files_than_are_read_are_refused(tmp_path: Path) -> None:
    empty: Packed = {f"m{number:03}.py": "x = 1\n" for number in range(MOST)}
    said = f"holds more than {MOST} modules and notebooks. Keep only your own work in it."
    assert_refused(tmp_path / "too many", {"a.py": WORK, **empty}, said)
    assert_counts(tmp_path / "named", {f"{NAME}.py": WORK, **empty}, "mine = 3")


@pytest.mark.dear
@pytest.mark.parametrize("name", ["docs/p{}.html", "docs/f{}/page.html", f"{NAME}/p{{}}.html"])
def test_no_module_is_passed_over_because_of_many_files(name: str, tmp_path: Path) -> None:
    """The student would lose points for what a module deep in the folder defines."""
    pages: Packed = {name.format(number): "" for number in range(FILES + 1)}
    put(tmp_path / "anna", {f"{NAME}.py": WORK, "src/deep/own.py": "x = 1\n", **pages})
    [found] = find(tmp_path, NAME)
    assert f"holds more than {FILES} files. Keep only your own work in it." in found.problem


# Where files lie

COUNTS: dict[str, Packed] = {
    "at the top, with another in its folder": {f"{NAME}.py": WORK, f"{NAME}/old.py": DRAFT},
    "in the folder of another assignment": {f"{OTHER}/{NAME}.py": WORK},
    "in that folder, beside the released one": {f"{NAME}.py": RELEASED, f"{OTHER}/x.py": WORK},
    "beside the folder of another assignment": {"final.py": WORK, f"{OTHER}/x.py": "x = 1\n"},
    "in one of two folders": {f"mine/{NAME}.py": WORK, f"kit/{NAME}.py": OLDER},
    "in the second of two folders": {f"work/{NAME}.py": WORK, f"kit/{NAME}.py": OLDER},
    "deeper than the released one": {f"kit/{NAME}.py": OLDER, f"my/own/{NAME}.py": WORK},
    "in a folder that holds all": {f"my/{NAME}.py": WORK, "my/old/a.py": DRAFT},
    "at the top, taken from an own module": {
        f"{NAME}.py": f"mine = 3\n{TAKES}",
        "my_layers.py": solution(NAME),
        "old/backup.py": DRAFT,
    },
    "in its folder, taken from an own module": {
        f"{NAME}/{NAME}.py": "mine = 3\nfrom my_layers import *\n",
        f"{NAME}/my_layers.py": solution(NAME),
        "old/backup.py": DRAFT,
    },
    "in a folder that holds all, taken from an own module": {
        f"my/{NAME}.py": f"mine = 3\n{TAKES}",
        "my/my_layers.py": solution(NAME),
        "my/old/a.py": DRAFT,
        "notes.py": "x = 1\n",
    },
    "at the top, with what takes it from there in its folder": {
        f"{NAME}.py": f"mine = 3\n{TAKES}",
        "my_layers.py": solution(NAME),
        f"{NAME}/{NAME}.py": f"x = 3\n{TAKES}",
    },
    "beside a copy of a longer name that cannot be read": {
        "mine.py": WORK,
        f"{NAME}-Copy1.ipynb": b"{",
    },
    "at the top, with a copy of all in its folder": {
        f"{NAME}.py": f"mine = 3\n{TAKES}",
        "my_layers.py": solution(NAME),
        f"{NAME}/{NAME}.py": f"x = 3\n{TAKES}",
        f"{NAME}/my_layers.py": solution(NAME),
    },
    "in a folder that holds all, also an archive": {
        "notes.py": "x = 1\n",
        f"my/{NAME}.py": WORK,
        "my/old.zip": {"a.py": DRAFT},
    },
    "in its folder": {
        f"{NAME}.py": RELEASED,
        f"{NAME}/{NAME}.py": WORK,
        "old/draft.py": DRAFT,
    },
    "in its folder, which has a space": {
        f"{NAME}.py": RELEASED,
        f"Running Averages/{NAME}.py": WORK,
        "old/draft.py": DRAFT,
    },
    "beside an old archive": {f"{NAME}.py": WORK, f"{NAME}.zip": {f"{NAME}.py": DRAFT}},
    "beside a copy in an archive": {"final.py": WORK, "old.zip": {"final.py": WORK}},
    "in an archive": {f"{NAME}.py": RELEASED, "my.zip": {f"{NAME}/a.py": WORK, "x.py": "x = 1\n"}},
    "in an archive of its name": {f"{NAME}.zip": {"x.py": WORK}, "old.zip": {"a.py": DRAFT}},
    "in an archive in its folder": {f"{NAME}/hw.zip": {"a.py": WORK}, "old.zip": {"a.py": DRAFT}},
    "in an archive of its name, beside a damaged one": {
        f"{NAME}.zip": {"x.py": WORK},
        "data.zip": DAMAGED,
    },
    "in an archive of its name, beside many": {
        **{f"data{number:02}.zip": {"a.py": DRAFT} for number in range(12)},
        f"{NAME}.zip": {"x.py": WORK},
    },
    "in an archive of another assignment": {
        "notes.py": "x = 1\n",
        f"{OTHER}.zip": {"a.py": WORK, f"{OTHER}.py": "x = 1\n"},
    },
    "beside a page": {"report.pdf": PAGE, f"hw/{NAME}/{NAME}.py": WORK, "hw/draft.py": DRAFT},
    "beside data": {
        "final.py": WORK,
        "stuff.zip": {"notes.py": "x = 1\n", "data.zip": {"a.txt": "1"}, "more.zip": DAMAGED},
    },
    "beside a copy that has the released notebook": {
        "hw/final.py": WORK,
        "kit.zip": {f"{NAME}.py": WORK, f"{NAME}.ipynb": RELEASED},
    },
    "in two archives, of which one has more": {
        "a.zip": {f"{NAME}.py": WORK},
        "b.zip": {f"{NAME}.py": WORK, f"{NAME}.ipynb": RELEASED},
        "c.zip": {"final.py": WORK},
    },
    "at the top of an archive": {
        "notes.py": "x = 1\n",
        "my.zip": {f"{NAME}/{NAME}.py": WORK, "old/a.py": DRAFT},
    },
}
REFUSED: dict[str, Packed] = {
    "another in its folder": {"final.py": WORK, f"{NAME}/draft.py": DRAFT},
    "another of the name in its folder": {f"{NAME}.py": WORK, f"{NAME}/{NAME}.py": DRAFT},
    "another of the name in its folder, beside what takes it from an own module": {
        f"{NAME}.py": "from my_layers import *\n",
        "my_layers.py": WORK,
        f"{NAME}/{NAME}.py": DRAFT,
    },
    "one in its folder that takes it from an own module": {
        f"{NAME}.py": DRAFT,
        f"{NAME}/{NAME}.py": TAKES,
        f"{NAME}/my_layers.py": WORK,
    },
    "two that take it from two own modules": {
        f"{NAME}.py": TAKES,
        "my_layers.py": WORK,
        f"{NAME}/{NAME}.py": TAKES,
        f"{NAME}/my_layers.py": DRAFT,
    },
    "a damaged one of the name, beside a draft": {"draft.py": DRAFT, f"final/{NAME}.ipynb": b"{"},
    "a damaged one of the name, beside an older one": {
        f"old/{NAME}.py": DRAFT,
        f"week 3/{NAME}.ipynb": b"{",
    },
    "another in another assignment's folder": {"final.py": WORK, f"{OTHER}/draft.py": DRAFT},
    "two forms in two folders": {f"a/{NAME}.py": DRAFT, f"b/{NAME}.ipynb": WORK},
    "two folders": {f"a/{NAME}.py": DRAFT, f"b/{NAME}.py": WORK},
    "an archive beside another name": {"final.py": WORK, "old.zip": {"final.py": DRAFT}},
    "an archive beside a folder": {
        "notes.py": "x = 1\n",
        f"kit/{NAME}.py": WORK,
        f"hand-in/{NAME}.zip": {f"{NAME}.py": DRAFT},
    },
    "an archive beside a folder that holds all other work": {
        f"my/{NAME}.py": WORK,
        "my/old/a.py": DRAFT,
        "old.zip": {"a.py": DRAFT},
    },
    "a damaged archive of its name in the folder of another assignment": {
        "src/draft.py": DRAFT,
        f"{OTHER}/{NAME}.zip": DAMAGED,
    },
    "two archives": {"new.zip": {"a.py": WORK}, "old.zip": {"a.py": DRAFT}},
    "an archive named as a folder": {"hw/final.py": DRAFT, "hw.zip": {"final.py": WORK}},
    "two archives of one name": {"v1.tar.gz": {"a.py": DRAFT}, "v1.zip": {"a.py": WORK}},
    "an archive without code above": {
        "data.zip": {"a.txt": "1"},
        f"hw/{NAME}/{NAME}.py": WORK,
        "hw/draft.py": DRAFT,
    },
    "a damaged archive": {"draft.py": WORK, "data.zip": DAMAGED},
    "a damaged one in its folder": {f"{NAME}.py": WORK, f"{NAME}/{NAME}.ipynb": b"{"},
    "a page, and another in its folder": {
        "report.pdf": PAGE,
        f"hw/{NAME}.py": WORK,
        f"hw/{NAME}/{NAME}.py": DRAFT,
    },
}


@pytest.mark.parametrize("case", COUNTS)
def test_the_same_file_counts_in_each_way(case: str, tmp_path: Path) -> None:
    assert_counts(tmp_path, COUNTS[case], "mine = 3")


@pytest.mark.parametrize("case", REFUSED)
def test_two_that_hold_work_are_refused_in_each_way(case: str, tmp_path: Path) -> None:
    assert_refused(tmp_path, REFUSED[case], "the one that counts")


@pytest.mark.parametrize("damaged", [f"{NAME}.ipynb", f"{NAME}/{NAME}.ipynb"])
def test_of_one_that_cannot_be_read_it_is_not_said_that_it_holds_work(
    damaged: str, tmp_path: Path
) -> None:
    files: Packed = {f"{NAME}.py": WORK} if "/" in damaged else {f"{NAME}/{NAME}.py": WORK}
    assert_refused(tmp_path, files | {damaged: b"{"}, f"may both hold work for {NAME}. Keep")


def test_an_archive_that_cannot_be_read_is_refused_for_what_it_is(tmp_path: Path) -> None:
    files: Packed = {"notes.py": "x = 1\n", "data.zip": DAMAGED}
    assert_refused(tmp_path, files, "data.zip cannot be read as an archive")


def test_more_archives_than_are_read_are_refused(tmp_path: Path) -> None:
    """If one of them may hold the work."""
    packs: Packed = {f"data{number:02}.zip": {"a.py": "x = 1\n"} for number in range(11)}
    said = "holds more than is looked into. Keep only your own work in it."
    assert_refused(tmp_path / "other", {"final.py": WORK, **packs}, said)
    assert_counts(tmp_path / "named", {f"{NAME}.py": WORK, **packs}, "mine = 3")


@pytest.mark.parametrize(("first", "second"), [("a.zip", "b.zip"), ("b.zip", "a.zip")])
def test_of_two_archives_the_one_with_all_work_counts(
    first: str, second: str, tmp_path: Path
) -> None:
    """Whichever comes first."""
    files: Packed = {
        first: {f"{NAME}.py": WORK},
        second: {f"{NAME}.py": WORK, f"{NAME}.ipynb": f"x = 4\n{WORK}"},
    }
    for way, one in each_way(tmp_path, files).items():
        assert not one.problem, (way, one.problem)
        assert one.other and "x = 4" in str(one.other.texts), way


def test_packs_of_other_assignments_alone_are_no_submission(tmp_path: Path) -> None:
    files: Packed = {f"{one}.zip": {f"{one}.py": "x = 1\n"} for one in (OTHER, "multi_head")}
    assert_refused(tmp_path, files, f"holds no submission: expected {NAME}.py")


ANOTHERS: dict[str, Packed] = {  # beside the released file
    "a damaged notebook": {f"{OTHER}/draft.ipynb": b"{"},
    "a damaged notebook in an archive": {f"{OTHER}/old.zip": {"draft.ipynb": b"{"}},
    "a damaged archive": {f"{OTHER}/old.zip": DAMAGED},
    "a damaged one of its name": {f"{OTHER}.py": b"\xff"},
}


@pytest.mark.parametrize("case", ANOTHERS)
def test_what_cannot_be_read_of_another_assignment_is_no_reason(case: str, tmp_path: Path) -> None:
    files: Packed = {f"{NAME}.py": RELEASED, **ANOTHERS[case]}
    assert_counts(tmp_path, files, "raise NotImplementedError")


# What a refusal says to do

TO_NAME: dict[str, Packed] = {
    "at the top": {"a.py": WORK, "b.py": DRAFT},
    "in folders": {"work/a.py": WORK, "Running Averages/Untitled.ipynb": DRAFT},
    "in its folder": {f"{NAME}/a.py": WORK, "b.py": DRAFT},
}


@pytest.mark.parametrize("case", TO_NAME)
def test_the_file_that_is_named_as_a_refusal_says_counts(case: str, tmp_path: Path) -> None:
    files = TO_NAME[case]
    first, *others = files
    move = ", and move it out of the folders." if "/" in first else "."
    name = f"Name the one that counts {NAME}.py, or {NAME}.ipynb if it is a notebook{move}"
    assert_refused(tmp_path / "before", files, name)
    named: Packed = {f"{NAME}.py": WORK, **{one: files[one] for one in others}}
    assert_counts(tmp_path / "after", named, "mine = 3")


@pytest.mark.parametrize("name", [f"{NAME}.py", "old.zip"])
def test_a_refusal_asks_for_no_name_that_does_not_help(name: str, tmp_path: Path) -> None:
    """A file has it already, or an archive may be the one that counts."""
    files: Packed = {"a.py": WORK, "b.py": DRAFT, name: RELEASED}
    files = files if name.endswith(".py") else {"a.py": WORK, name: {"a.py": DRAFT}}
    assert_refused(tmp_path, files, "Keep the one that counts.")


def test_what_is_said_of_a_checkpoint_with_work_helps(tmp_path: Path) -> None:
    files: Packed = {f"{NAME}.py": RELEASED, f"{NAME}-checkpoint.ipynb": WORK}
    said = "may hold the work, but is a checkpoint, which Jupyter saves automatically. Hand in the"
    assert_refused(tmp_path / "before", files, f"{said} notebook itself, or rename this one.")
    files = {f"{NAME}.py": RELEASED, "mine.ipynb": WORK}
    assert_counts(tmp_path / "after", files, "mine = 3")


# What an import of earlier work loads

LATER = "causal_attention"
LATER_WORK = f"from {OTHER} import SelfAttention\n{solution(LATER)}"
EARLIER, OLD = (f"{mark} = 3\n{solution(OTHER)}" for mark in ("mine", "old"))
NO_WORK = f"{skeleton(OTHER)}\nprint('an older edition')\n"
IMPORTED: dict[str, Packed] = {
    "from its folder, beside a draft": {
        f"{LATER}.py": LATER_WORK,
        f"{OTHER}/{OTHER}.py": EARLIER,
        f"old/{OTHER}.py": OLD,
    },
    "from its folder, beside a draft with a longer name": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{LATER}/{OTHER}_old.py": NO_WORK,
        f"{OTHER}/{OTHER}.py": EARLIER,
    },
    "under another name beside the released": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{OTHER}/{OTHER}.ipynb": skeleton(OTHER),
        f"{OTHER}/mine.ipynb": EARLIER,
    },
    "deeper than one without work": {
        f"{LATER}.py": LATER_WORK,
        f"drafts/{OTHER}.py": NO_WORK,
        f"final/v2/{OTHER}.py": EARLIER,
    },
    "from another folder than one without work beside it": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{LATER}/{OTHER}.py": NO_WORK,
        f"{OTHER}/{OTHER}.py": EARLIER,
    },
    "from beside it": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{LATER}/{OTHER}.py": EARLIER,
        f"{OTHER}/{OTHER}.py": OLD,
    },
    "from a folder of a later one": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"transformer/{OTHER}.py": EARLIER,
    },
    "from an archive": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{OTHER}/{OTHER}.py": skeleton(OTHER),
        f"{OTHER}/{OTHER}.zip": {f"{OTHER}.py": EARLIER},
    },
    "from an archive beside it": {
        f"{LATER}/{LATER}.py": LATER_WORK,
        f"{LATER}/{OTHER}.zip": {f"{OTHER}.py": EARLIER},
        f"{OTHER}/{OTHER}.py": OLD,
    },
    "from an archive in which the later is also": {
        "hw2.zip": {f"{OTHER}.py": EARLIER, f"{LATER}.py": skeleton(LATER)},
        f"{LATER}.py": LATER_WORK,
    },
    "of another name, from beside a module of its own": {
        f"{LATER}.py": LATER_WORK,
        "work/mine.py": f"import my_own\n{EARLIER}",
        "work/my_own.py": "x = 1\n",
    },
}


@pytest.mark.parametrize("case", IMPORTED)
def test_the_same_earlier_work_is_imported_in_each_way(case: str, tmp_path: Path) -> None:
    for way, one in each_way(tmp_path, IMPORTED[case], LATER).items():
        assert not one.problem, (way, one.problem)
        assert "mine = 3" in str(one.texts.get(OTHER)), (way, [*one.texts])


def test_what_earlier_work_is_refused_is_imported_in_no_way(tmp_path: Path) -> None:
    files: Packed = {f"{LATER}.py": LATER_WORK, f"a/{OTHER}.py": EARLIER, f"b/{OTHER}.py": OLD}
    for way, one in each_way(tmp_path, files, LATER).items():
        assert not one.problem, (way, one.problem)
        assert OTHER not in one.texts, way


WITH_LATER: dict[str, Packed] = {
    "a module": {
        f"{OTHER}/{OTHER}.py": f"from transformer.utils import f\n{EARLIER}",
        "transformer/utils.py": "def f():\n    pass\n",
    },
    "an exercise": {
        "final.py": f"from transformer.utils import SelfAttention\n{EARLIER}".replace(
            "class SelfAttention(", "class Other("
        ),
        "transformer/utils.py": "class SelfAttention:\n    pass\n",
    },
}


@pytest.mark.parametrize("case", WITH_LATER)
def test_a_module_in_the_folder_of_a_later_assignment_is_imported_in_each_way(
    case: str, tmp_path: Path
) -> None:
    for way, one in each_way(tmp_path, WITH_LATER[case], OTHER).items():
        assert not one.problem, (way, one.problem)
        assert any(name.endswith("transformer/utils.py") for name in one.texts), (way, [*one.texts])


# Without an assignment: which of them have a row

ROWS: dict[str, tuple[Packed, dict[str, str]]] = {  # the assignments, and a part of the text
    "a file in the folder of a later one": (
        {f"{LATER}/{LATER}.py": LATER_WORK, f"{LATER}/{OTHER}.py": EARLIER},
        {OTHER: "mine = 3", LATER: "from self_attention"},
    ),
    "a released file there": (
        {f"{LATER}/{LATER}.py": LATER_WORK, f"{LATER}/{OTHER}.py": skeleton(OTHER)},
        {OTHER: "raise NotImplementedError", LATER: "from self_attention"},
    ),
    "an archive beside a module": (
        {"readme.py": "x = 1\n", f"{OTHER}.zip": {f"{OTHER}.py": EARLIER}},
        {OTHER: "mine = 3"},
    ),
    "an archive in a folder": (
        {f"{LATER}/{LATER}.py": LATER_WORK, f"{OTHER}/hw.zip": {"x.py": EARLIER}},
        {OTHER: "mine = 3", LATER: "from self_attention"},
    ),
    "work in a folder in a folder": (
        {f"{LATER}/{LATER}.py": LATER_WORK, f"kit/{OTHER}/x.py": EARLIER},
        {OTHER: "mine = 3", LATER: "from self_attention"},
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_each_assignment_has_a_row_in_each_way(case: str, tmp_path: Path) -> None:
    files, expected = ROWS[case]
    put(tmp_path / "class" / "folder", files)
    put(tmp_path / "class" / "other" / NAME, {f"{NAME}.py": WORK})
    put(tmp_path / "class", {"zip.zip": files, "tar.tar.gz": files})
    found = find(tmp_path / "class", None)
    for student in ("folder", "zip", "tar"):
        rows = {one.assignment: one for one in found if one.name == student}
        assert rows.keys() == expected.keys(), student
        for assignment, text in expected.items():
            assert text in str(rows[assignment].texts.get(assignment)), (student, rows[assignment])


# submitted/, where each assignment is collected by itself


def each_of_submitted(place: Path, assignment: str) -> list[Submission]:
    """Return anna's submission as each path to it gives it, and as nbgrader does."""
    anna = place / "submitted" / "anna"
    paths = [(anna / assignment, None), (anna, assignment), (anna.parent, assignment)]
    found = [
        *(one for path in paths for one in find(*path)),
        find(anna / assignment, assignment)[0],
    ]
    assert len(found) == 4
    return [*found, submission(Folders(anna.parent).job("anna", assignment))]


ALONE: dict[str, Packed] = {
    "as it was released": {f"{NAME}/{NAME}.py": RELEASED},
    "no work": {f"{NAME}/draft.py": "x = 1\n"},
}


@pytest.mark.parametrize("case", ALONE)
def test_in_submitted_the_folder_of_the_assignment_counts_alone(case: str, tmp_path: Path) -> None:
    put(tmp_path / "submitted" / "anna", {**ALONE[case], f"{NAME}.py": WORK})
    for one in each_of_submitted(tmp_path, NAME):
        assert not one.problem and "mine = 3" not in str(one.texts), (one.problem, one.texts)


def test_in_submitted_an_empty_folder_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "submitted" / "anna", {f"{NAME}/list.csv": "anna", f"{NAME}.py": WORK})
    for one in each_of_submitted(tmp_path, NAME):
        assert "holds no submission" in one.problem, one.problem


def test_in_submitted_earlier_work_is_imported_from_its_folder_alone(tmp_path: Path) -> None:
    files: Packed = {
        f"{LATER}/{LATER}.py": f"import my_own\n{LATER_WORK}",
        f"{OTHER}/{OTHER}.py": EARLIER,
        f"{OTHER}.py": OLD,
        "my_own.py": OLD,
        f"{NAME}.py": WORK,
    }
    put(tmp_path / "submitted" / "anna", files)
    for one in each_of_submitted(tmp_path, LATER):
        assert not one.problem and "mine = 3" in str(one.texts[OTHER])
        assert "old = 3" not in str(one.texts) and NAME not in one.texts


def test_in_submitted_earlier_work_is_imported_with_its_own_modules(tmp_path: Path) -> None:
    """Earlier work is not mixed with another version of it, in a folder below the later work."""
    files: Packed = {f"{LATER}/{LATER}.py": LATER_WORK}
    for folder, number in ((OTHER, 1), (f"{LATER}/{OTHER}", 2)):
        files[f"{folder}/{OTHER}.py"] = f"from my_own import version_{number}\n{EARLIER}"
        files[f"{folder}/my_own.py"] = f"version_{number} = 3\n"
    put(tmp_path / "submitted" / "anna", files)
    for one in each_of_submitted(tmp_path, LATER):
        assert not one.problem and "import version_1" in str(one.texts[OTHER])
        assert "version_1 = 3" in str(one.texts) and "version_2 = 3" not in str(one.texts)


def test_archives_that_need_not_be_opened_are_no_limit(tmp_path: Path) -> None:
    """Those of other assignments, where another file holds the work."""
    files: Packed = {"final.ipynb": WORK}
    files |= {f"{name}.zip": {f"{name}.py": "x = 1\n"} for name in assignments() if name != NAME}
    files |= {f"data {number}.zip": {"x.py": "x = 1\n"} for number in range(5)}
    assert_counts(tmp_path, files, "mine = 3")


def test_earlier_work_in_an_archive_beside_a_large_file_is_found(tmp_path: Path) -> None:
    large = "#" * (MAX_SOURCE + 1)
    again: Packed = {f"{OTHER}.py": EARLIER}
    packed: Packed = {f"{LATER}.py": LATER_WORK, "table.py": large}
    files: Packed = {f"{LATER}/{LATER}.zip": packed, f"{LATER}/{OTHER}.zip": again}
    put(tmp_path / "submitted" / "anna", {**files, f"{OTHER}/{OTHER}.py": OLD})
    for one in each_of_submitted(tmp_path, LATER):
        assert not one.problem and "mine = 3" in str(one.texts[OTHER])
