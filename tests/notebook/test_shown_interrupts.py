"""An interrupt shows the student's lines."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from autograder.notebook import calls
from autograder.notebook.history import History
from autograder.notebook.shown_interrupts import end_interrupts_in_cells


@pytest.mark.parametrize("text", ["check()", "signal.raise_signal(signal.SIGINT)"])
def test_an_interrupt_shows_the_students_lines_alone(
    text: str, shell: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one is noted by the history, which then does what Ctrl-C does."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calls, "_asked", interrupted)
    shell.run_line_magic("colors", "nocolor")
    shell.run_cell("import signal", store_history=True)
    shell.user_ns["check"] = partial(calls.check, "ScaledDotProduct")
    history = History(shell)
    end_interrupts_in_cells(shell)
    shell.run_cell(text, store_history=True)
    printed = capsys.readouterr().out
    assert text in printed and printed.strip().endswith("KeyboardInterrupt:")
    assert not {"displaying", "calls", "history", "shown_interrupts"} & {
        *re.findall(r"\w+", printed)
    }
    assert history._runs[-1].error == "KeyboardInterrupt"
