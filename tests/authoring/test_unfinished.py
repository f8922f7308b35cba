"""What an exercise lacks is listed in the order in which to write it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command, copied_course

from autograder.audit.rules import check_course
from autograder.authoring.beginning import begin
from autograder.authoring.unfinished import PARTS, gaps
from autograder.checking.collect import collect
from autograder.course.exercise import Exercise


@pytest.fixture
def powers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only assignment of a copy of the tiny course, which this process uses."""
    return copied_course(tmp_path, monkeypatch) / "powers"


def exercise(name: str) -> Exercise:
    return next(
        one.check.exercise for one in collect().collected if one.check.exercise.name == name
    )


def listed(name: str) -> list[tuple[str, str]]:
    """Return the part and the file of each gap."""
    return [(gap.part, gap.path.name) for gap in gaps(exercise(name), collect())]


@pytest.mark.parametrize("assignment", ["powers", "means"])
@pytest.mark.parametrize("is_function", [False, True])
def test_what_is_begun_breaks_no_rule_and_lacks_all_parts(
    assignment: str, is_function: bool, powers: Path
) -> None:
    begin("Mean", assignment, is_function)
    check_course()
    found = gaps(exercise("Mean"), collect())
    of_assignment = {"header", "picture"} if assignment == "means" else set()
    assert {gap.part for gap in found} == {*PARTS} - {
        "formula",
        "header",
        "picture",
    } | of_assignment
    assert [PARTS.index(gap.part) for gap in found] == sorted(PARTS.index(g.part) for g in found)
    for gap in found:
        text = gap.path.read_text().splitlines()[gap.line - 1]
        assert "TODO(" in text and gap.text in text
    assert gaps(exercise("Polynomial"), collect()) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("powers.py", '    """Compute c[0]', '    # """Compute c[0]', None),
        ("powers.py", "class Polynomial", "class Other", ("statement", "powers.py")),
        ("test_powers.py", "# BEGIN HIDDEN TESTS\n@poly", "@poly", None),
        ("promises.toml", '"test_polynomial_agrees", ', "", ("promises", "promises.toml")),
        ("right/Polynomial__horner.py", None, None, ("right", "right")),
        ("wrong/Polynomial__sizes__of_four.py", None, None, ("wrong", "wrong")),
        ("powers.py", 'print("Polynomial: the', 'print("the', ("cell of checks", "powers.py")),
        ("powers.py", "<!--", "", ("formula", "powers.py")),
        ("powers.py", "plt.", "pyplot.", ("picture", "powers.py")),
    ],
)
def test_a_part_that_is_gone_is_missed(
    file: str, old: str | None, new: str | None, expected: tuple[str, str] | None, powers: Path
) -> None:
    assert listed("Polynomial") == []
    path = powers / file
    if old is None or new is None:
        path.unlink()
    else:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    if expected:
        assert listed("Polynomial") == [expected]


def test_parts_of_a_definition_and_of_the_checks_are_missed(powers: Path) -> None:
    module, checks = powers / "powers.py", powers / "test_powers.py"
    text = module.read_text()
    start, end = text.index('    """Compute c[0]'), text.index("    def __init__")
    text = text[:start] + text[end:]
    tail = text.index("class Polynomial")
    for marker in ("BEGIN", "END"):
        text = text[:tail] + text[tail:].replace(f"        ### {marker} SOLUTION\n", "")
    module.write_text(text)
    hidden = checks.read_text()
    cut = hidden.index("# BEGIN HIDDEN TESTS\n@polynomial")
    checks.write_text(hidden[:cut])
    promises = powers / "promises.toml"
    promises.write_text(promises.read_text().replace(', "test_polynomial_agrees_elsewhere"', ""))
    misconceptions = powers / "misconceptions.toml"
    misconceptions.write_text(misconceptions.read_text().partition("[powers_of_one]")[0])
    assert [part for part, _ in listed("Polynomial")] == [
        "statement",
        "reference",
        "hidden checks",
        "misconceptions",
    ]


def test_audit_lists_what_is_missing_and_grades_nothing(powers: Path, command: Command) -> None:
    begin("mean", "powers", True)
    solutions = powers.parent
    run = command("--course", solutions, "audit", "--exercise", "mean")
    assert run.returncode == 1
    first, *rest = run.stdout.splitlines()
    count = len(gaps(exercise("mean"), collect()))
    assert first == f"mean is not finished. Write {count} places, in this order:"
    assert [*rest[20:]] == ([f"and {count - 20} more, which come after these"] * (count > 20))
    line = (powers / "powers.py").read_text().splitlines().index("# ## Exercise 3: mean") + 3
    assert rest[0].startswith(f"solutions/powers/powers.py:{line}: statement: say what it computes")
    whole = command("--course", solutions, "audit")
    assert (whole.returncode, whole.stdout) == (1, run.stdout)
    unknown = command("--course", solutions, "audit", "--exercise", "maen")
    assert unknown.stderr == "There is no exercise maen. Was mean meant?\n"


def test_a_rule_that_is_broken_comes_first(powers: Path, command: Command) -> None:
    begin("mean", "powers", True)
    path = powers / "powers.py"
    path.write_text(path.read_text().replace("# hours: 0.5\n", ""))
    run = command("--course", powers.parent, "audit", "--exercise", "mean")
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith(f"{path}, line 1: the header has no hours. Write ")


def test_an_unfinished_exercise_leaves_others_as_they_are(powers: Path, command: Command) -> None:
    """A student's mistake in another exercise is still named."""
    begin("mean", "powers", True)
    wrong = powers / "wrong" / "geometric_mean__arithmetic__sum.py"
    handed_in = powers.parent.parent / "handed_in" / "powers.py"
    handed_in.parent.mkdir()
    handed_in.write_text(wrong.read_text())
    run = command("--course", powers.parent, "grade", handed_in, "--exercise", "geometric_mean")
    assert "Probably: takes the mean of the numbers themselves." in run.stdout
