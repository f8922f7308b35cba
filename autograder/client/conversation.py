"""One check's conversation with one implementation, through proxies for its modules.

    head = submission.AttentionHead(7, 4).load(weights)
    replies = [head(x) for x in inputs]

These lines send nothing. The first access to a reply's value sends all steps so far as one
question. So a check with many cases needs one round trip, and reads as if the module were local.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from torch import Tensor

from autograder.client import answers
from autograder.client.answers import Problem
from autograder.client.layout import SAME, Layout
from autograder.client.packing import Arguments
from autograder.errors import Signal
from autograder.runtime.protocol import Garbled
from autograder.runtime.questions import Call, Load, Step

T = TypeVar("T")
Ask = Callable[[Sequence[Step], bool], tuple[Any, str]]


class StepFailed(Signal):
    """A submission could not carry out a step."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class Conversation:
    """Collect steps, send them when an answer is needed, and distribute the answers.

    ask: sends steps, which begin the conversation or not, and returns (answers, printed text);
    raises StepFailed. layout: how the implementation stores its parameters.
    """

    def __init__(self, ask: Ask, layout: Layout = SAME) -> None:
        self.layout = layout
        self._ask = ask
        self._steps: list[Step] = []
        self._answers: list[Any] = []
        self._printed = ""
        self.arguments: list[Arguments] = []  # of constructors, by the number of the object

    def add(self, step: Step, read: Callable[[Any], T]) -> Reply[T]:
        """Add a step. Its reply can be read any time later."""
        self._steps.append(step)
        return Reply(self, len(self._steps) - 1, read)

    def new(self, arguments: Arguments) -> int:
        """Return the number for a new object with these constructor arguments."""
        self.arguments.append(arguments)
        return len(self.arguments) - 1

    def outward(self, weights: Mapping[str, Tensor], of: int) -> dict[str, Tensor]:
        """Convert the reference's weights to the names and layout of an object."""
        return self.layout.outward(weights, self.arguments[of])

    def inward(self, numbers: Mapping[str, Tensor | None], of: int) -> dict[str, Tensor | None]:
        """Convert an object's weights to the names and layout of the reference."""
        return self.layout.inward(numbers, self.arguments[of])

    def answer(self, index: int) -> Any:
        """Return the unread answer to a step. Raises StepFailed."""
        self.send()
        return self._answers[index]

    def printed(self) -> str:
        """Return the text printed since the last call, after sending all steps."""
        self.send()
        printed, self._printed = self._printed, ""
        return printed

    def assert_sent(self, problem: Problem) -> None:
        """Raise Garbled if a problem names other wanted parameters than those of a Load."""
        loads = [step.weights for step in self._steps if isinstance(step, Load)]
        sent = [{name: tuple(weight.shape) for name, weight in one.items()} for one in loads]
        if problem.want is not None and problem.want not in sent:
            raise Garbled("it wants parameters that were not sent")

    def transcript(self) -> list[tuple[Step, Any]]:
        """Return each step so far with its unread answer.

        Gradients of parameters have the names and layout of the reference.
        """
        pairs = zip(self._steps, self._answers, strict=False)
        return [(step, self._inward(step, found)) for step, found in pairs]

    def _inward(self, step: Step, answer: Any) -> Any:
        match step, answer:
            case Call(), {"value": {"gradients": {"parameters": by} as gradients, **rest}}:
                with contextlib.suppress(Garbled):  # keep an invalid answer unchanged
                    own = self.inward(answers.numbers(by), step.of)
                    return {"value": {**rest, "gradients": {**gradients, "parameters": own}}}
        return answer

    def added(self) -> list[Step]:
        """Return all steps, those too that have not been sent."""
        return [*self._steps]

    def steps(self) -> list[Step]:
        """Return the steps that have been answered."""
        return self._steps[: len(self._answers)]

    def send(self) -> None:
        """Send the steps that have not been sent yet."""
        steps = self._steps[len(self._answers) :]
        if not steps:
            return
        found, printed = self._ask(steps, not self._answers)
        self._answers += found
        self._printed += printed


class Reply(Generic[T]):
    """The future answer to a step."""

    def __init__(self, conversation: Conversation, index: int, read: Callable[[Any], T]) -> None:
        self._conversation = conversation
        self._index = index
        self._read = read

    @property
    def value(self) -> T:
        """The answer; reading it sends the conversation. Raises StepFailed if the step failed."""
        data = self._conversation.answer(self._index)
        try:
            match data:
                case {"value": value}:
                    return self._read(value)
                case {"problem": problem}:
                    found = answers.problem(problem)
                    self._conversation.assert_sent(found)
                case _:
                    raise Garbled("neither a value nor a problem")
        except (Garbled, RecursionError) as garbled:
            found = Problem("garbled", f"its reply is invalid: {garbled}")
        raise StepFailed(found)
