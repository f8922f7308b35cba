"""The lines that rebuild the smallest example give the numbers that the report shows."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import pytest
import torch
from conftest import sampled

from autograder.checking.collect import Checks
from autograder.checking.example import Example, expected_answers
from autograder.client import loading
from autograder.course import assignments, solution, solution_file
from autograder.report import paste


@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_they_print_what_the_reference_answers(
    assignment: str, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in assignments():  # some import others
        monkeypatch.syspath_prepend(solution_file(name).parent)
    namespace: dict[str, Any] = {"__name__": assignment}
    exec(solution(assignment), namespace)
    reference = loading.load(assignment)
    for exercise in checks.exercises(assignment):
        trial = checks.trial(exercise)
        for known in expected_answers(trial, reference.client) if trial else ():
            lines = paste.lines(Example(known.small, (), False, ()))
            if not lines:  # too long: the larger questions about a transformer
                assert sum(weight.numel() for weight in known.small.weights.values()) > 400
                continue
            folded = [part for line in lines for part in paste.folded(line, 80)]
            assert max(map(len, folded)) <= 80
            assert "".join(folded).replace(" ", "") == "".join(lines).replace(" ", "")
            found = run(folded, namespace)
            expected = known.calls[0].output
            for one, other in zip(parts(found), parts(expected), strict=True):
                assert one.shape == other.shape
                assert torch.allclose(one, other, rtol=1e-3, atol=1e-4)


def run(lines: list[str], namespace: dict[str, Any]) -> Any:
    """Execute the lines where torch has another name; return what the last one would print."""
    shown: list[Any] = []
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = {name: value for name, value in namespace.items() if name != "torch"}
        exec("\n".join(lines), {**known, "print": shown.append})
    return shown[-1]


def parts(output: Any) -> list[torch.Tensor]:
    found = output if isinstance(output, (list, tuple)) else [output]
    return [part.detach().float() for part in found if isinstance(part, torch.Tensor)]
