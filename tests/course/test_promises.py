"""What a statement promises or asks for is seen by a check, and each check by a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.audit.promises import check_names_of, check_promises, promises, read, statement
from autograder.checking.collect import Checks
from autograder.course import assignments
from autograder.errors import CourseError


@pytest.mark.parametrize("assignment", assignments())
def test_each_promise_is_quoted_and_each_check_is_promised(assignment: str, checks: Checks) -> None:
    check_promises(assignment, checks)
    named = {name for promise in promises(assignment) for name in promise.checks}
    assert named == {*check_names_of(assignment, checks)} != set()


def test_a_statement_is_the_text_of_its_cells_in_one_line() -> None:
    text = "# %% [markdown]\n# # Title\n#\n# One\n#  two.\n\n# %%\n# no text\nx = 1\n"
    assert statement(text) == "# Title One two."


ROW = '[[promise]]\nsentence = "{}"\nchecks = ["test_{}"]\n'


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the place for the promises of an assignment `running_averages` of another text."""
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path))
    path = tmp_path / "running_averages" / "promises.toml"
    path.parent.mkdir()
    path.with_name("running_averages.py").write_text("# %% [markdown]\n# Keep `x`. Be quick.\n")
    return path


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROW.format("Keep x.", "loop_agrees"), '"Keep x." does not stand in the statement. Quote '),
        (ROW.format("Keep `x`.", "loop_agrees") * 2, '"Keep `x`." stands here twice. Join the '),
        (
            ROW.format("Keep `x`.", "loop_agree"),
            '"Keep `x`." names test_loop_agree, which is no check of running_averages. Was '
            "test_loop_agrees meant?",
        ),
        (ROW.format("Be quick.", "zzz"), "no check of running_averages. Correct the name."),
    ],
)
def test_a_promise_that_nobody_keeps_is_refused(
    rows: str, said: str, made: Path, checks: Checks
) -> None:
    made.write_text(ROW.format("TODO(running_mean_loop): quote one", "later") + rows)
    with pytest.raises(CourseError) as refused:
        check_promises("running_averages", checks)
    assert str(refused.value).startswith(f"{made}: ")
    assert said in str(refused.value)
    made.write_text(ROW.format("Keep  `x`. Be", "loop_agrees"))
    check_promises("running_averages", checks)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[promise]\n", " cannot be read as TOML: "),
        ('text = "a"\n', " has text, which is not known. Write [[promise]], then sentence = "),
        ('[[promise]]\nsentence = "a"\nchecks = []\n', ": promise 1 is not a sentence with its "),
        (ROW.format("a", "b") + "more = 1\n", ": promise 1 has more, which is not known. Write "),
        (
            ROW.format("a", "b").replace("sentence", "sentense"),
            ": promise 1 has sentense, which is not known. Write [[promise]], then sentence = ",
        ),
        ('promise = "a"\n', ": promise 1 is not a sentence with its checks. Write "),
    ],
)
def test_promises_that_are_written_wrongly(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "promises.toml"
    path.write_text(text)
    with pytest.raises(CourseError) as refused:
        list(read(path))
    assert str(refused.value).startswith(f"{path}{said}")
