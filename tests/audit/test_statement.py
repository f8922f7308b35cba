"""Whoever writes a module of statements wrongly reads what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.audit.demonstrations import demonstrations
from autograder.audit.statement import check_exercises, check_statement
from autograder.errors import CourseError

MODULE = '''\
# ---
# order: 1
# hours: 0.5
# from: nowhere
# ---

# %%
def double(x):
    """Double a number."""
    # TODO: double it,
    # and give it back.
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% tags=["active-ipynb"]
# # in a notebook
# assert double(1) == 2, "expected 2 for 1"
#
# assert double(3) == 6, "expected 6 for 3"
# print("double: the visible checks of this cell pass")
'''
SECOND = '# assert double(3) == 6, "expected 6 for 3"\n'


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the module of an assignment `made`."""
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path))
    (tmp_path / "course.toml").write_text('title = "T"\nid = "i"\n', encoding="utf-8")
    path = tmp_path / "made" / "made.py"
    path.parent.mkdir()
    path.write_text(MODULE)
    return path


def test_a_module_that_keeps_all_rules(module: Path) -> None:
    check_statement("made")
    module.write_text(
        MODULE.replace(SECOND, "# # TODO(double): more\n").replace("0.5", "TODO(m): x")
    )
    check_statement("made")  # what is not written yet breaks no rule


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("# order: 1\n", "", ", line 1: the header has no order. Write # order: 6.5 between two "),
        ("# hours: 0.5\n", "", ", line 1: the header has no hours. Write # hours: 1.5 between "),
        ("# from: nowhere\n", "", ", line 1: the header has no from. Write # from: Vaswani et al"),
        ("# ---\n", "", ", line 1: the header has no order. "),
        ("hours: 0.5", "hours: long", ": hours is 'long'. Write a number, such as 1.5."),
        ("hours: 0.5", "hours: inf", ": hours is 'inf'. Write a number, such as 1.5."),
        (
            "    # TODO: double",
            "    # Double",
            ", line 12: no comment above ### BEGIN SOLUTION says what students write there. Write ",
        ),
        ("give it back.\n", "\n\n    x = x\n", ", line 14: no comment above ### BEGIN SOLUTION "),
        ("    ### END SOLUTION\n", "", ", line 12: ### BEGIN SOLUTION is never ended. Write ### "),
        ("return 2 * x", "return 2 *", ", line 13: invalid syntax. Correct the code."),
        ('# assert double(1) == 2, "', '# assert double(1) ==, "', ", line 19: invalid syntax. "),
        (SECOND, "", ", line 18: the cell of checks of double has fewer than 2 asserts. Write 2 "),
        (SECOND, SECOND * 10, ", line 18: the cell of checks of double has 13 lines. Write 12 or "),
        ("expected 6 for 3", "6?", ", line 21: the message of this assert does not say what is "),
        (', "expected 6 for 3"', "", ", line 21: the message of this assert does not say what is "),
    ],
)
def test_a_module_that_breaks_a_rule(old: str, new: str, said: str, module: Path) -> None:
    assert old in MODULE
    module.write_text(MODULE.replace(old, new))
    with pytest.raises(CourseError) as refused:
        check_statement("made")
    assert str(refused.value).startswith(f"{module}{said}")


def test_a_cell_of_checks_belongs_to_one_exercise(module: Path) -> None:
    check_exercises(module, MODULE, ["double"])
    with pytest.raises(CourseError, match="line 18: this cell of checks is for double, which has"):
        check_exercises(module, MODULE, ["half"])
    cell = MODULE[MODULE.index("# %% tags") :]
    with pytest.raises(CourseError, match="line 25: double has another cell of checks above"):
        check_exercises(module, f"{MODULE}\n{cell}", ["double"])


def test_a_demonstration_knows_its_lines() -> None:
    [cell] = demonstrations(MODULE)
    assert (cell.line, cell.last, cell.exercise) == (18, 22, "double")
    assert cell.source.splitlines()[:3] == [
        "# in a notebook",
        'assert double(1) == 2, "expected 2 for 1"',
        "",
    ]
