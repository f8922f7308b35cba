"""A wrong solution becomes an edit of the reference in misconceptions.toml."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command, copied_course

from autograder.audit import processes
from autograder.audit.unnamed import is_noticed, is_unnamed, of_reference
from autograder.authoring.beginning import begin
from autograder.authoring.edits import NotAnEdit, edits
from autograder.authoring.mistake import record, record_mutant
from autograder.checking.collect import collect
from autograder.course import assignments, solution
from autograder.course.misconceptions import misconceptions

REFERENCE = '''\
import torch


class Mean:
    """Take a mean."""

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim  # of the numbers

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        # TODO: add, and divide.
        ### BEGIN SOLUTION
        total = x.sum(self.dim)
        n = x.shape[self.dim]
        return total / n
        ### END SOLUTION
'''
PLAIN = """\
class Mean:
    def __init__(self, dim=-1):
        self.dim = dim

    def __call__(self, x):
        total = x.sum(self.dim)
        n = x.shape[self.dim]
        return total / n
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("total / n", "total / (n - 1)", [("total / n", "total / (n - 1)")]),
        ("x.shape[self.dim]", "x.shape[0]", [("x.shape[self.dim", "x.shape[0")]),
        (
            "        return",
            "        x = x + 1\n        return",
            [("return", "x = x + 1\n        return")],
        ),
        (
            "        n = x.shape[self.dim]\n        return total / n",
            "        return total",
            [("n = x.shape[self.dim]\n        return total / n", "return total")],
        ),
        ("self, dim=-1", "self, dim=0", [("-1", "0")]),
    ],
)
def test_edits_are_small_and_unique(
    old: str, new: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    found = edits("Mean", REFERENCE, PLAIN.replace(old, new), "wrong.py")
    text = REFERENCE
    for find, replace in found:
        assert text.count(find) == 1
        text = text.replace(find, replace)
    assert sum(map(len, map("".join, found))) <= sum(map(len, map("".join, expected))) + 30, found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PLAIN, "wrong.py is the reference of Mean. Make the mistake in it."),
        ("x = 1\n", "wrong.py does not define Mean. Define it, or name another file."),
        ("class Mean(:\n", "wrong.py, line 1: invalid syntax. Correct the code."),
        (
            PLAIN.replace("total", "s").replace("dim", "axis"),
            "wrong.py differs from the reference in 5 passages. A misconception is a small edit ",
        ),
    ],
)
def test_other_code_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(NotAnEdit) as refused:
        edits("Mean", REFERENCE, text, "wrong.py")
    assert str(refused.value).startswith(said)


@pytest.mark.dear
def test_almost_every_misconception_of_the_course_is_found_again() -> None:
    found = 0
    known = [(name, m) for name in assignments() for m in misconceptions(name) if not m.within]
    known = known[::20]
    for name, mistake in known:
        reference = solution(name)
        try:
            edits(mistake.exercise, reference, mistake.source(reference), mistake.id)
        except NotAnEdit:
            continue
        found += 1
    assert found > 0.9 * len(known) > 40


@pytest.fixture
def powers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only assignment of a copy of the tiny course, which this process uses."""
    return copied_course(tmp_path, monkeypatch) / "powers"


WRONG = '''\
"""Doubles each power."""

import torch
from torch import nn


class Polynomial(nn.Module):
    def __init__(self, degree):
        super().__init__()
        self.coefficients = nn.Parameter(torch.ones(degree + 1))

    def forward(self, x):
        powers = torch.stack([2 * x**i for i in range(len(self.coefficients))], dim=-1)
        return powers @ self.coefficients
'''


def test_a_wrong_solution_is_recorded(powers: Path, command: Command) -> None:
    file = powers / "wrong" / "Polynomial__doubled__by_two.py"
    file.write_text(WRONG)
    before = (powers / "misconceptions.toml").read_text()
    call = ("--course", powers.parent, "mistake", "--exercise", "Polynomial", "--", file)
    run = command(*call)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "wrote solutions/powers/misconceptions.toml"
    assert (powers / "misconceptions.toml").read_text().startswith(before)
    [mistake] = [one for one in misconceptions("powers") if one.id == "doubled"]
    assert "([2 * x**i for i" in mistake.source(solution("powers"))
    assert all(len(find) < 12 for find, _ in mistake.edits)
    assert mistake.hint.look.startswith("TODO(Polynomial): ")
    again = command(*call)
    assert again.returncode == 4
    assert again.stderr == (
        f"{powers}/misconceptions.toml has Polynomial.doubled already. Change it there.\n"
    )


def test_the_first_mistake_takes_the_place_of_what_was_begun(powers: Path) -> None:
    begin("mean", "powers", True)
    module = powers / "powers.py"
    stub = "# TODO(mean): compute the result of the reference.\n    raise NotImplementedError"
    module.write_text(module.read_text().replace(stub, "return x.mean(-1)"))
    file = powers / "wrong" / "mean__summed__not_divided.py"
    file.write_text('"""Adds."""\n\n\ndef mean(x):\n    return x.sum(-1)\n')
    record("mean", file, collect())
    assert [(one.id, one.edits) for one in misconceptions("powers") if one.exercise == "mean"] == [
        ("summed", (("x.mean", "x.sum"),))
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Polynomial__sizes__more.py", "sizes is no id of a misconception. Name the file after "),
        ("Polynomial__a-b__more.py", "a-b is no id of a misconception. Name the file after its "),
        ("Polynomial__doubled.py", "is no mistake in Polynomial. Name a file "),
        ("Other__doubled__more.py", "is no mistake in Polynomial. Name a file "),
        ("../Polynomial__doubled__more.py", "is no mistake in Polynomial. Name a file "),
    ],
)
def test_a_file_of_another_name_is_refused(name: str, said: str, powers: Path) -> None:
    file = powers / "wrong" / name
    file.write_text(WRONG)
    before = (powers / "misconceptions.toml").read_bytes()
    with pytest.raises(NotAnEdit) as refused:
        record("Polynomial", file, collect())
    assert said in str(refused.value)
    assert (powers / "misconceptions.toml").read_bytes() == before


@pytest.fixture
def of_copy(powers: Path) -> Iterator[Path]:
    """Return the assignment of the copy, whose checks this process collects for an audit."""
    processes.checks.cache_clear()
    yield powers
    processes.checks.cache_clear()


NAME = "geometric_mean.another_function"


@pytest.mark.dear
def test_a_mutant_without_a_name_is_recorded(of_copy: Path) -> None:
    made = of_reference(collect(), "geometric_mean")
    [summed] = [one for one in made if "logarithms.sum(dim=-1)" in one.text]
    assert is_unnamed(summed)
    path = record_mutant("geometric_mean", summed.id, collect())
    assert path == of_copy / "misconceptions.toml"
    [mistake] = [one for one in misconceptions("powers") if one.id == "another_function"]
    assert mistake.edits == (("logarithms.mean", "logarithms.sum"),)
    assert mistake.hint.look.startswith("TODO(geometric_mean): ")
    with pytest.raises(NotAnEdit) as refused:
        record_mutant("geometric_mean", summed.id, collect())
    assert str(refused.value) == f"{path} has this mistake already, as {NAME}."
    path.write_text(path.read_text().replace("logarithms.sum", "logarithms.amax"))
    record_mutant("geometric_mean", summed.id, collect())
    assert "another_function_2" in {one.id for one in misconceptions("powers")}


def test_a_mutant_that_no_check_notices_is_refused(
    of_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [known] = [one for one in of_reference(collect(), "Polynomial") if "ones(degree))" in one.text]
    assert is_noticed(known) and not is_unnamed(known)
    monkeypatch.setattr("autograder.authoring.mistake.is_noticed", lambda mutant: False)
    before = (of_copy / "misconceptions.toml").read_bytes()
    for wanted, said in (
        (known.id, f"No check of Polynomial notices the mutant {known.id}. Change a check, or "),
        ("0123456789", "The reference of Polynomial has no mutant 0123456789. Leave the mutant "),
    ):
        with pytest.raises(NotAnEdit) as refused:
            record_mutant("Polynomial", wanted, collect())
        assert str(refused.value).startswith(said)
    assert (of_copy / "misconceptions.toml").read_bytes() == before


@pytest.mark.dear
def test_mutants_without_a_name_are_listed(powers: Path, command: Command) -> None:
    call = ("--course", powers.parent, "mistake", "--exercise", "geometric_mean")
    run = command(*call)
    assert run.returncode == 0, run.stderr
    first, *others = run.stdout.split("\n\n")
    assert first == "geometric_mean: 6 mutants lose points and get no name."
    assert sum("\n  - " in one and "\n  + " in one for one in others) == 6
    assert others[-1].startswith("Next: python -m autograder --course ")
    both = command(*call, "--mutant", "0123456789", "--", "wrong.py")
    assert (both.returncode, both.stderr) == (
        4,
        "Name the exercise, and the file or the mutant: make mistake EX=RMSNorm FILE=path.\n",
    )
