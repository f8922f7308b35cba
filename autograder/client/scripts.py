"""Ask all questions of a submission in one message, before the checks need the answers.

Each message switches the processor from the grader to the child and back, which costs more than
most answers. The questions to a correct submission are known in advance, so the first question to
any submission asks them all. Questions that follow from a wrong answer are asked separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.client.comparison import is_same_question
from autograder.runtime import wire
from autograder.runtime.question_data import question_data
from autograder.runtime.questions import Question


class Script:
    """Questions in the order in which the checks ask a correct submission."""

    def __init__(self, questions: Sequence[Question] = ()) -> None:
        self.questions = questions
        self._messages: dict[tuple[int, float], bytes] = {}

    def message(self, first: int, seconds: float) -> bytes:
        """Return the message with all questions from number `first` on, and their time limit."""
        if (first, seconds) not in self._messages:
            jobs = [question_data(question) for question in self.questions[first:]]
            self._messages[first, seconds] = wire.encode({"jobs": jobs, "seconds": seconds})
        return self._messages[first, seconds]


@dataclass(frozen=True)
class Scripts:
    """The whole script, and its parts for two children: visible checks and hidden checks."""

    whole: Script = field(default_factory=Script)
    visible: Script = field(default_factory=Script)
    hidden: Script = field(default_factory=Script)


@dataclass
class ScriptProgress:
    """The progress of a submission in its script.

    answers: place in the script -> answer to a question asked ahead; None before they are asked.
    begun: questions of the current conversation that were answered ahead. The child no longer has
    their objects.
    """

    script: Script = field(default_factory=Script)
    answers: Mapping[int, Any] | None = None
    begun: list[Question] = field(default_factory=list)
    _last: int = -1  # place of the last question that was answered ahead

    def place(self, question: Question) -> int | None:
        """Return the place of a question in the script, or None.

        Searches after the last question; one that continues a conversation must follow directly.
        """
        first = self._last + 1
        remaining = self.script.questions[first:]
        if not question.fresh:
            remaining = remaining[:1] if self.begun else []
        pairs = enumerate(remaining, first)
        return next((place for place, one in pairs if is_same_question(one, question)), None)

    def answer(self, place: int) -> Any:
        """Return the answer to a question that was asked ahead, and record the progress."""
        assert self.answers is not None
        question = self.script.questions[place]
        self.begun = [question] if question.fresh else [*self.begun, question]
        self._last = place
        return self.answers[place]
