"""One check's conversation with one side, and the stand-ins through which it speaks.

    head = submission.AttentionHead(7, 4).load(weights)
    replies = [head(x) for x in inputs]

Nothing has been sent yet. All that was said travels in one question when the first value
is asked for, so a check with many cases costs one round trip and is written as if the
module were here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from autograder.client import answers
from autograder.client.answers import Called, Kept, Problem, Registered
from autograder.client.layout import SAME, Layout
from autograder.client.packing import Build, Packing
from autograder.runtime.protocol import Garbled

T = TypeVar("T")
Step = dict[str, Any]
Input = Tensor | int


class Trouble(Exception):
    """A submission could not do what it was asked."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class Conversation:
    """Collects steps, sends them when an answer is needed, hands the answers out.

    ask: sends steps and returns (answers, text printed); raises Trouble. layout: how the
    side stores its parameters.
    """

    def __init__(
        self, ask: Callable[[list[Step], bool], tuple[Any, str]], layout: Layout = SAME
    ) -> None:
        self.layout = layout
        self._ask = ask
        self._steps: list[Step] = []
        self._answers: list[Any] = []
        self._printed = ""
        self.builds: list[Build] = []  # of all objects

    def say(self, step: Step, read: Callable[[Any], T]) -> Reply[T]:
        """Add a step; the reply can be read any time later."""
        self._steps.append(step)
        return Reply(self, len(self._steps) - 1, read)

    def new(self, build: Build) -> int:
        """The number for another object, which is built in this way."""
        self.builds.append(build)
        return len(self.builds) - 1

    def outward(self, weights: Mapping[str, Tensor], of: int) -> dict[str, Tensor]:
        """The reference's numbers as an object of this side names and stores them."""
        return self.layout.outward(weights, self.builds[of])

    def inward(self, numbers: Mapping[str, Tensor | None], of: int) -> dict[str, Tensor | None]:
        """The numbers of an object of this side as the reference names and stores them."""
        return self.layout.inward(numbers, self.builds[of])

    def answer(self, index: int) -> Any:
        """The answer to a step, as it came. Raises Garbled, or Trouble."""
        self.send()
        return self._answers[index]

    def printed(self) -> str:
        """What was printed while the steps since the last time of asking were done."""
        self.send()
        printed, self._printed = self._printed, ""
        return printed

    def transcript(self) -> list[tuple[str, Any]]:
        """What was asked so far, by its verb, and the answer, gradients as the reference has them.

        What else was answered is as it came.
        """
        asked = zip(self._steps, self._answers, strict=False)
        return [(step["do"], self._inward(step, found)) for step, found in asked]

    def _inward(self, step: Step, answer: Any) -> Any:
        match answer:
            case {"value": {"gradients": {"parameters": by} as gradients, **rest}}:
                with contextlib.suppress(Garbled):  # then it stays as it came
                    own = self.inward(answers.numbers(by), step["of"])
                    return {"value": {**rest, "gradients": {**gradients, "parameters": own}}}
        return answer

    def steps(self) -> list[Step]:
        """What was asked so far."""
        return self._steps[: len(self._answers)]

    def send(self) -> None:
        """Send what has not been sent yet."""
        steps = self._steps[len(self._answers) :]
        if not steps:
            return
        found, printed = self._ask(steps, not self._answers)
        self._answers += found
        self._printed += printed


class Reply(Generic[T]):
    """What a step will have answered."""

    def __init__(self, conversation: Conversation, index: int, read: Callable[[Any], T]) -> None:
        self._conversation = conversation
        self._index = index
        self._read = read

    @property
    def value(self) -> T:
        """The answer. Raises Trouble when the step could not be done."""
        data = self._conversation.answer(self._index)
        try:
            match data:
                case {"value": value}:
                    return self._read(value)
                case {"problem": problem}:
                    found = answers.problem(problem)
                case _:
                    raise Garbled("it neither answers nor says what is wrong")
        except (Garbled, RecursionError) as garbled:
            found = Problem("garbled", f"its reply makes no sense: {garbled}")
        raise Trouble(found)


class Apart:
    """What has been found out about a side that always answers the same.

    begin: a new conversation with it.
    """

    def __init__(self, begin: Callable[[], Conversation]) -> None:
        self._begin = begin
        self._found: dict[str, Any] = {}

    def once(self, key: str, find_out: Callable[[Client], T]) -> T:
        """Find it out in a conversation of its own, if that was not done yet."""
        if key not in self._found:
            self._found[key] = find_out(Client(self._begin()))
        found: T = self._found[key]
        return found


class Client:
    """The exercises of one side, by name: `course.AttentionHead(7, 4)` is a stand-in.

    has_time: is there enough of it left to try what a submission may have meant?
    """

    def __init__(
        self,
        conversation: Conversation,
        apart: Apart | None = None,
        has_time: Callable[[], bool] = lambda: True,
    ) -> None:
        self._conversation = conversation
        self._apart = apart
        self.has_time = has_time
        self.notes: list[str] = []

    def once(self, key: str, find_out: Callable[[Client], T]) -> T:
        """What can be found out apart from this conversation; by its key once for a reference."""
        return self._apart.once(key, find_out) if self._apart else find_out(self)

    def note(self, text: str) -> None:
        """Remark on something that costs no points."""
        if text not in self.notes:
            self.notes.append(text)

    def __getattr__(self, name: str) -> Callable[..., Module]:
        if name.startswith("__"):
            raise AttributeError(name)

        def build(
            *arguments: Any,
            dtype: torch.dtype = torch.float64,
            keep: bool = False,
            **named: Any,
        ) -> Module:
            how = {"arguments": list(arguments), "named": dict(named), "keep": keep}
            return Module(self._conversation, dtype, {"do": "build", "name": name, **how})

        return build

    def function(
        self,
        name: str,
        projections: Mapping[str, tuple[int, int]] | None = None,
        dtype: torch.dtype = torch.float64,
        bias: bool = False,
    ) -> Module:
        """A stand-in for a plain function, as if it were a module.

        projections: linear layers, name -> (features in, features out), that it is handed behind
        its inputs; their weights are the module's parameters, and their biases if `bias`.
        """
        sizes = {key: list(size) for key, size in (projections or {}).items()}
        step = {"do": "take", "name": name, "projections": sizes, "bias": bias}
        return Module(self._conversation, dtype, step)

    def seed(self, number: int) -> None:
        """Set PyTorch's random numbers, as torch.manual_seed does, before what is said next."""
        self._conversation.say({"do": "seed", "number": number}, answers.nothing)

    def printed(self) -> str:
        """What was printed to stdout since the last time of asking."""
        return self._conversation.printed()

    @property
    def layout(self) -> Layout:
        """Where the side is taken to store its parameters."""
        return self._conversation.layout

    def transcript(self) -> list[tuple[str, Any]]:
        """As of the conversation."""
        return self._conversation.transcript()

    def steps(self) -> list[Step]:
        """As of the conversation."""
        return self._conversation.steps()


class Module:
    """Stands in for what was built from a class of one side, or for a function of it.

    make: the step that makes it, without its number and type.
    """

    def __init__(self, conversation: Conversation, dtype: torch.dtype, make: Step) -> None:
        self._conversation = conversation
        self._number = conversation.new((make.get("arguments", ()), make.get("named", {})))
        self._dtype = str(dtype).removeprefix("torch.")
        step = {**make, "of": self._number, "dtype": self._dtype}
        self.built = conversation.say(step, answers.settings)

    def load(self, weights: Mapping[str, Tensor]) -> Module:
        """Put numbers into its parameters, by the reference's names. Returns itself."""
        if weights:
            own = self._conversation.outward(weights, self._number)
            self._say("load", answers.nothing, weights=own)
        return self

    def load_as(self, packing: Packing, weights: Mapping[str, Tensor]) -> Module:
        """The same in another packing. Returns itself."""
        return self.load(packing.outward(weights, self._conversation.builds[self._number]))

    def train(self, mode: bool = True) -> Module:
        """Switch to training (or evaluation). Returns itself."""
        self._say("train", answers.nothing, mode=mode)
        return self

    def eval(self) -> Module:
        """Switch to evaluation. Returns itself."""
        return self.train(False)

    def __call__(
        self, *inputs: Input, gradient: bool = False, strided: bool = False, anew: bool = True
    ) -> Reply[Called]:
        """Call it on inputs; floating-point tensors are turned into its type.

        gradient: also that of sum(output * cos(0, 1, 2, ...)). strided: inputs that are not
        contiguous in memory. anew: with the same random numbers as every call, or else with others.
        """

        def read(data: Any) -> Called:
            found = answers.called(data, rounds)
            if found.gradients is None:
                return found
            parameters = self._conversation.inward(found.gradients.parameters, self._number)
            return replace(found, gradients=replace(found.gradients, parameters=parameters))

        def rounds() -> bool:
            step = {"inputs": list(inputs), "dtype": self._dtype}
            try:
                return self._say("rounds", answers.truth, **step).value
            except Trouble:  # it cannot be watched; that is no fault
                return False

        return self._say(
            "call",
            read,
            inputs=list(inputs),
            dtype=self._dtype,
            gradient=gradient,
            strided=strided,
            **({} if anew else {"anew": False}),
        )

    def parameters(self) -> Reply[dict[str, Registered]]:
        """Its registered parameters, by its own names."""
        return self._say("parameters", answers.parameters)

    def buffers(self) -> Reply[dict[str, Registered]]:
        """Its registered buffers, by its own names."""
        return self._say("buffers", answers.parameters)

    def lacking(self, parts: Mapping[str, str]) -> Reply[dict[str, str]]:
        """The parts that it has not, as "", or that are of another class, as the name of that.

        parts: by name, the name of the class of each or of one above it; "" for any.
        """
        return self._say("lacking", answers.parts, parts=dict(parts))

    def values(self) -> Reply[dict[str, Tensor | None]]:
        """The numbers in its registered parameters, by the reference's names."""

        def read(data: Any) -> dict[str, Tensor | None]:
            return self._conversation.inward(answers.numbers(data), self._number)

        return self._say("values", read)

    def hand_over(self, to: Module) -> Reply[None]:
        """Load its state_dict into another."""
        return self._say("hand_over", answers.nothing, to=to._number)

    def state(self, *names: str) -> Reply[dict[str, Kept]]:
        """Tensors among its attributes, by name; those that are not there are left out."""
        return self._say("state", answers.state, names=list(names))

    def listed(self) -> Reply[list[str]]:
        """What its parameters() lists, by the names of its attributes; "?" for anything else."""
        return self._say("listed", answers.words)

    def operations(self, *inputs: Input) -> Reply[int]:
        """Call it; how many operations on tensors that took."""
        return self._say("operations", answers.count, inputs=list(inputs), dtype=self._dtype)

    def products(self, *inputs: Input, tokens: int) -> Reply[int]:
        """Call it; how many products with its inputs that took: 0, 1, or 2 for more.

        tokens: of its sequences, no two of whose sizes are the same.
        """
        return self._watched("products", answers.count, inputs, tokens)

    def exponentials(self, *inputs: Input, tokens: int) -> Reply[bool]:
        """Call it; whether it computes exponentials, as a softmax does."""
        return self._watched("exponentials", answers.truth, inputs, tokens)

    def training(self) -> Reply[bool]:
        """Return whether its attribute `training` is True."""
        return self._say("training", answers.truth)

    def differentiated(self, *names: str) -> Reply[list[str]]:
        """Name the tensors among these attributes that need a gradient."""
        return self._say("differentiated", answers.words, names=list(names))

    def matrices(self) -> Reply[list[str]]:
        """The names of matrices that it keeps as plain attributes."""
        return self._say("matrices", answers.words)

    def descend(self, *inputs: Tensor, targets: Tensor, steps: int) -> Reply[list[float]]:
        """Train it for some steps of gradient descent on the cross-entropy; the losses.

        targets: (B, T), the right index at each position of its logits (B, T, classes).
        """
        return self._say(
            "descend", answers.losses, inputs=list(inputs), targets=targets, steps=steps
        )

    def hooked(self, *inputs: Tensor) -> Reply[int]:
        """Call it; how often a forward hook fired."""
        return self._say("hooked", answers.count, inputs=list(inputs), dtype=self._dtype)

    def move(self, *inputs: Input) -> Reply[list[str]]:
        """Move it and the inputs to another device, call it; which operations mixed devices."""
        return self._say("move", answers.words, inputs=list(inputs), dtype=self._dtype)

    def _watched(
        self, verb: str, read: Callable[[Any], T], inputs: tuple[Input, ...], tokens: int
    ) -> Reply[T]:
        return self._say(verb, read, inputs=list(inputs), dtype=self._dtype, tokens=tokens)

    def _say(self, verb: str, read: Callable[[Any], T], **arguments: Any) -> Reply[T]:
        return self._conversation.say({"do": verb, "of": self._number, **arguments}, read)
