"""A student's id may be the name of an assignment: nobody else's work is taken or graded for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_files import BASE, Texts, put

from autograder.submissions.finding import find
from autograder.submissions.whose import left_out

ID = "multi_head"  # of a student, and the name of an assignment


@pytest.mark.parametrize("name", [BASE, ID])
def test_folders_of_students_who_are_named_like_assignments(
    name: str, tmp_path: Path, solutions: Texts
) -> None:
    """In submitted/, everyone has folders for assignments."""
    put(tmp_path, {f"{who}/{BASE}/{BASE}.py": solutions[BASE] for who in (name, "anna")})
    expected = [(who, tmp_path / who / BASE / f"{BASE}.py", "") for who in sorted((name, "anna"))]
    for assignment in (BASE, None):
        found = find(tmp_path, assignment)
        assert [(one.name, one.path, one.problem) for one in found] == expected
        assert {one.assignment for one in found} == {BASE}
    assert left_out(tmp_path) == []
    for path in (tmp_path / name, tmp_path / name / BASE / f"{BASE}.py"):
        assert [one.name for one in find(path, BASE)] == [name]


def test_folders_of_assignments_beside_an_old_copy_are_one_persons(
    tmp_path: Path, solutions: Texts
) -> None:
    files = {f"{BASE}/{BASE}.py": solutions[BASE], f"old/{BASE}/{BASE}.py": solutions[BASE]}
    put(tmp_path, files)
    assert [one.name for one in find(tmp_path, None)] == [tmp_path.name]
    assert left_out(tmp_path) == ["old"]


@pytest.mark.parametrize("place", [f"{ID}.py", f"{ID}/{ID}.py", f"{ID}/{BASE}.py", f"{ID}/work.py"])
def test_what_may_be_a_student_or_an_assignment_is_refused_by_its_own_name(
    place: str, tmp_path: Path, solutions: Texts
) -> None:
    """The sentence names what is beside the others, whatever is in it."""
    put(tmp_path, {place: solutions[BASE], "anna.py": solutions[BASE]})
    anna, other = find(tmp_path, BASE)
    entry = tmp_path / place.partition("/")[0]
    assert (anna.name, anna.problem, other.name) == ("anna", "", ID)
    assert other.problem.startswith(f"{entry} is named after an assignment, not after its student")
    assert not other.texts
    assert left_out(tmp_path) == ["anna.py"]


def test_no_file_in_an_assignments_folder_claims_the_folders_beside_it(
    tmp_path: Path, solutions: Texts
) -> None:
    """A file without an exercise claims no folder beside its own, even if it imports from there."""
    put(tmp_path, {f"{BASE}/{BASE}.py": "from ben.work import *\n", "ben/work.py": "f = max\n"})
    [found] = find(tmp_path, None)
    assert [*found.texts] == [BASE]
    assert left_out(tmp_path) == ["ben"]
    other, ben = find(tmp_path, BASE)
    assert (ben.name, [*ben.texts]) == ("ben", [BASE])
    assert other.problem.startswith(f"{tmp_path / BASE} is named after an assignment")
