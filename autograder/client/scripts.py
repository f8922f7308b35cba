"""Questions that are asked before it is their turn: all of a submission in one message.

With each message the processor changes from the grader to the child and back, which costs more
than most answers. What a right submission is asked is known before, so every submission is asked
all of it at the first question. What it is asked otherwise, since an answer was wrong, it is asked
when it is its turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.client.questions import Asked
from autograder.runtime import wire


class Script:
    """Questions in the order in which a right submission is asked them."""

    def __init__(self, questions: Sequence[Asked] = ()) -> None:
        self.questions = questions
        self._messages: dict[tuple[int, float], bytes] = {}

    def message(self, first: int, seconds: float) -> bytes:
        """All questions from the first one on, with the time for them, for the child."""
        if (first, seconds) not in self._messages:
            jobs = [question.job for question in self.questions[first:]]
            self._messages[first, seconds] = wire.encode({"jobs": jobs, "seconds": seconds})
        return self._messages[first, seconds]


@dataclass(frozen=True)
class Scripts:
    """The whole script, and its parts for two children: of visible checks, and of hidden ones."""

    whole: Script = field(default_factory=Script)
    visible: Script = field(default_factory=Script)
    hidden: Script = field(default_factory=Script)


@dataclass
class Turn:
    """How far a submission has come with its script.

    answers: to what was asked ahead, by the place in the script; None before that was tried. begun:
    questions of the present conversation that were answered ahead; the child has their objects no
    more.
    """

    script: Script = field(default_factory=Script)
    answers: Mapping[int, Any] | None = None
    begun: list[Asked] = field(default_factory=list)
    _last: int = -1  # place of the question that was answered ahead last

    def place(self, question: Asked) -> int | None:
        """Return where a question stands in the script: behind the last one that was found there,
        and right behind it if it goes on with a conversation."""
        first = self._last + 1
        left = self.script.questions[first:]
        if not question.fresh:
            left = left[:1] if self.begun else []
        return next((first + i for i, one in enumerate(left) if one.is_as(question)), None)

    def answer(self, place: int) -> Any:
        """The answer to a question that was asked ahead."""
        assert self.answers is not None
        question = self.script.questions[place]
        self.begun = [question] if question.fresh else [*self.begun, question]
        self._last = place
        return self.answers[place]
