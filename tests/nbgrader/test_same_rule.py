"""The same files count for nbgrader and for `grade`, whatever a student's folder holds."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from conftest import written
from own_files import in_form

from autograder.classroom.grading_jobs import submission
from autograder.course import skeleton, solution
from autograder.nbgrader.intake import Folders
from autograder.submissions.finding import find
from autograder.submissions.source_text import code_lines
from autograder.submissions.submission import Submission

A, EARLIER, LATER = "running_averages", "attention_layer", "multi_head"
WORK, RELEASED = solution(A), skeleton(A)
DRAFT = WORK.replace("return ", "return 2 * ")
FIRST = solution(EARLIER)
Packed = dict[str, "str | Packed"]  # archives are folders


def content(name: str, text: str | Packed) -> bytes:
    if isinstance(text, str):
        known = ".ipynb" if ".ipynb" in name.lower() else ".py"
        return in_form(known, text).encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for one, inside in text.items():
            archive.writestr(one, content(one, inside))
    return made.getvalue()


def put(folder: Path, files: Packed) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content(name, text))


def beside(released: str, work: str) -> Packed:
    return {released: RELEASED, work: WORK}


COUNTS: dict[str, Packed] = {
    "alone": {f"{A}.py": WORK},
    "a space": beside(f"{A}.ipynb", "Running Averages.ipynb"),
    "capitals": beside(f"{A}.ipynb", "RUNNING_AVERAGES.ipynb"),
    "a text": beside(f"{A}.ipynb", f"{A}.ipynb.txt"),
    "JSON": beside(f"{A}.ipynb", f"{A}.ipynb.json"),
    "a module's text": beside(f"{A}.py", f"{A}.py.txt"),
    "the exact name": beside("Running Averages.ipynb", f"{A}.ipynb"),
    "no exact name": beside("RUNNING_AVERAGES.ipynb", "Running Averages.ipynb"),
    "an archive of both": {"hw.zip": beside(f"{A}.ipynb", "Running Averages.ipynb")},
    "the other form": {**beside(f"{A}.ipynb", "Running Averages.ipynb"), f"{A}.py": RELEASED},
    "both forms": {**beside(f"{A}.ipynb", "Running Averages.ipynb"), f"{A}.py": DRAFT},
    "the kit": beside(f"student-kit/assignments/{A}.py", f"my work/hw1/{A}.py"),
    "the kit's notebook": beside(f"kit/in/{A}.ipynb", f"my work/hw1/{A}.ipynb"),
    "the kit comes later": beside(f"z/{A}.py", f"a/{A}.py"),
    "an archive of the kit": {f"{A}.zip": beside(f"kit/{A}.py", f"w/{A}.py")},
    "a module and a notebook": {**beside(f"a/{A}.py", f"b/{A}.py"), f"b/{A}.ipynb": DRAFT},
    "the same twice": {f"a/{A}.py": WORK, f"b/{A}.py": WORK},
    "nothing edited": {f"a/{A}.py": RELEASED, f"b/{A}.py": RELEASED, f"b/{A}.ipynb": RELEASED},
}
REFUSED: dict[str, Packed] = {
    "two names": {f"{A}.ipynb": WORK, "Running Averages.ipynb": DRAFT},
    "two other names": {"RUNNING_AVERAGES.ipynb": WORK, "Running Averages.ipynb": DRAFT},
    "two folders": {f"a/{A}.py": WORK, f"b/{A}.py": DRAFT},
    "an archive of two folders": {f"{A}.zip": {f"a/{A}.py": WORK, f"b/{A}.py": DRAFT}},
}


def each_way(tmp_path: Path, files: Packed, assignment: str) -> list[Submission]:
    """Return one student's submission as `grade CLASS`, `grade submitted` and nbgrader see it."""
    put(tmp_path / "class" / "anna", files)
    put(tmp_path / "submitted" / "anna" / assignment, files)
    [of_class] = find(tmp_path / "class", assignment)
    [of_submitted] = find(tmp_path / "submitted", assignment)
    job = Folders(tmp_path / "submitted").job("anna", assignment)
    return [of_class, of_submitted, submission(job)]


def code(found: Submission) -> list[list[str]]:
    """Return the code that is graded: of the file that counts, and of the other form if any."""
    each = [found, found.other] if found.other else [found]
    return [code_lines(one.texts[found.module]) for one in each]


@pytest.mark.parametrize("case", COUNTS)
def test_the_same_file_counts(case: str, tmp_path: Path) -> None:
    found = each_way(tmp_path, COUNTS[case], A)
    assert [one.problem for one in found] == ["", "", ""]
    expected = code(found[0])
    assert [code(one) for one in found] == [expected] * 3
    assert (code_lines(written(WORK)) in expected) is (case != "nothing edited")


@pytest.mark.parametrize("case", REFUSED)
def test_two_with_work_are_refused_in_one_sentence(case: str, tmp_path: Path) -> None:
    for one in each_way(tmp_path, REFUSED[case], A):
        assert f"holds several files of {A} (" in one.problem


# Earlier assignments


LATEST = solution(LATER)
MINE = FIRST.replace("class TestModule", "mine = 1\n\n\nclass TestModule")
BESIDE: dict[str, Packed] = {  # what is handed in with the work for the later assignment
    "a module": {f"{EARLIER}.py": MINE},
    "an archive": {f"{EARLIER}.zip": {f"{EARLIER}.py": MINE}},
    "an archive in a folder": {f"before/{EARLIER}.zip": {f"in/{EARLIER}.ipynb": MINE}},
    "an archive of another name": {"before.zip": {f"{EARLIER}.py": MINE}},
    "another name in an archive": {f"{EARLIER}.zip": {"answer.py": MINE}},
    "the kit and an archive": {
        f"{EARLIER}.py": skeleton(EARLIER),
        f"{EARLIER}.zip": {f"{EARLIER}.py": MINE},
    },
    "the kit in the archive": {
        f"{EARLIER}.zip": {f"{EARLIER}.py": skeleton(EARLIER), "Attention Layer.py": MINE}
    },
}


def has_mine(found: Submission) -> bool:
    """Return whether the earlier assignment that is imported is the student's own."""
    return not found.problem and "mine = 1" in str(found.texts.get(EARLIER))


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("case", BESIDE)
def test_the_same_earlier_work_is_imported(case: str, is_packed: bool, tmp_path: Path) -> None:
    work: Packed = {f"{LATER}.py": LATEST}
    files = {f"{LATER}.zip": work} if is_packed else work
    found = each_way(tmp_path, {**files, **BESIDE[case]}, LATER)
    assert [*map(has_mine, found)] == [True] * 3


def test_both_forms_of_earlier_work_go_along(tmp_path: Path) -> None:
    """The other one is tried where an exercise waits for the first."""
    files: Packed = {f"{LATER}.py": LATEST, f"{EARLIER}.py": FIRST, f"{EARLIER}.ipynb": MINE}
    for found in each_way(tmp_path, files, LATER):
        assert not has_mine(found)
        assert has_mine(found.instead[EARLIER])


@pytest.mark.parametrize("name", ["Attention Layer.ipynb", f"w/{EARLIER}.ipynb"])
def test_of_earlier_work_in_its_folder_the_edited_file_is_imported(
    name: str, tmp_path: Path
) -> None:
    released = f"kit/{EARLIER}.ipynb" if "/" in name else f"{EARLIER}.ipynb"
    put(tmp_path / "submitted" / "anna" / EARLIER, {released: skeleton(EARLIER), name: MINE})
    put(tmp_path / "submitted" / "anna" / LATER, {f"{LATER}.py": LATEST})
    [found] = find(tmp_path / "submitted", LATER)
    job = submission(Folders(tmp_path / "submitted").job("anna", LATER))
    assert has_mine(found) and has_mine(job)


HANDED_IN: Packed = {f"{EARLIER}.zip": {f"{EARLIER}.py": MINE}}
BEFORE: dict[str, tuple[Packed, Packed, bool]] = {  # in both folders; whether the first counts
    "handed in again": (HANDED_IN, {f"{EARLIER}.py": FIRST}, True),
    "as it was released": (
        {f"{EARLIER}.zip": {f"{EARLIER}.py": skeleton(EARLIER)}},
        {f"{EARLIER}.py": MINE},
        True,
    ),
    "damaged": ({f"{EARLIER}.zip": "PK"}, {f"{EARLIER}.py": MINE}, True),
    "another name": ({"hw.zip": {"layers.py": MINE}}, {f"{EARLIER}.py": FIRST}, False),
}


@pytest.mark.parametrize("case", BEFORE)
def test_an_archive_of_earlier_work_counts_before_its_folder(case: str, tmp_path: Path) -> None:
    """Only if it is named after it and holds work: it has been handed in again."""
    beside, before, is_mine = BEFORE[case]
    put(tmp_path / "submitted" / "anna" / EARLIER, before)
    found = each_way(tmp_path, {f"{LATER}.py": LATEST, **beside}, LATER)[1:]
    assert [*map(has_mine, found)] == [is_mine] * 2


def test_no_archive_of_another_student_is_imported(tmp_path: Path) -> None:
    put(tmp_path / "submitted" / "ben" / LATER, HANDED_IN)
    own = tmp_path / "submitted" / "anna" / LATER
    put(own, {f"{LATER}.py": LATEST})
    for target in (f"../../ben/{LATER}/{EARLIER}.zip", f"../../ben/{LATER}"):
        (own / f"{EARLIER}.zip").symlink_to(target)
        [found] = [one for one in find(tmp_path / "submitted", LATER) if one.name == "anna"]
        job = submission(Folders(tmp_path / "submitted").job("anna", LATER))
        assert not has_mine(found) and not has_mine(job)
        (own / f"{EARLIER}.zip").unlink()
