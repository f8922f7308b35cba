"""One check's conversation with one implementation, through stand-ins for its modules.

    head = submission.AttentionHead(7, 4).load(weights)
    replies = [head(x) for x in inputs]

These lines send nothing. The first access to a reply's value sends all steps so far as one
question. So a check with many cases needs one round trip, and reads as if the module were local.
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
from autograder.errors import Signal
from autograder.runtime.protocol import Garbled

T = TypeVar("T")
Step = dict[str, Any]
Input = Tensor | int


class Trouble(Signal):
    """A submission could not carry out a step."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class Conversation:
    """Collect steps, send them when an answer is needed, and distribute the answers.

    ask: sends steps and returns (answers, printed text); raises Trouble. layout: how the
    implementation stores its parameters.
    """

    def __init__(
        self, ask: Callable[[list[Step], bool], tuple[Any, str]], layout: Layout = SAME
    ) -> None:
        self.layout = layout
        self._ask = ask
        self._steps: list[Step] = []
        self._answers: list[Any] = []
        self._printed = ""
        self.builds: list[Build] = []  # by the number of the object

    def add(self, step: Step, read: Callable[[Any], T]) -> Reply[T]:
        """Add a step. Its reply can be read any time later."""
        self._steps.append(step)
        return Reply(self, len(self._steps) - 1, read)

    def new(self, build: Build) -> int:
        """Return the number for a new object with these constructor arguments."""
        self.builds.append(build)
        return len(self.builds) - 1

    def outward(self, weights: Mapping[str, Tensor], of: int) -> dict[str, Tensor]:
        """Convert the reference's weights to the names and layout of an object."""
        return self.layout.outward(weights, self.builds[of])

    def inward(self, numbers: Mapping[str, Tensor | None], of: int) -> dict[str, Tensor | None]:
        """Convert an object's weights to the names and layout of the reference."""
        return self.layout.inward(numbers, self.builds[of])

    def answer(self, index: int) -> Any:
        """Return the unread answer to a step. Raises Trouble."""
        self.send()
        return self._answers[index]

    def printed(self) -> str:
        """Return the text printed since the last call, after sending all steps."""
        self.send()
        printed, self._printed = self._printed, ""
        return printed

    def transcript(self) -> list[tuple[str, Any]]:
        """Return the verb and the unread answer of each step so far.

        Gradients of parameters have the names and layout of the reference.
        """
        pairs = zip(self._steps, self._answers, strict=False)
        return [(step["do"], self._inward(step, found)) for step, found in pairs]

    def _inward(self, step: Step, answer: Any) -> Any:
        match answer:
            case {"value": {"gradients": {"parameters": by} as gradients, **rest}}:
                with contextlib.suppress(Garbled):  # keep an invalid answer unchanged
                    own = self.inward(answers.numbers(by), step["of"])
                    return {"value": {**rest, "gradients": {**gradients, "parameters": own}}}
        return answer

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
        """The answer, for which the conversation is sent. Raises Trouble if the step failed."""
        data = self._conversation.answer(self._index)
        try:
            match data:
                case {"value": value}:
                    return self._read(value)
                case {"problem": problem}:
                    found = answers.problem(problem)
                case _:
                    raise Garbled("neither a value nor a problem")
        except (Garbled, RecursionError) as garbled:
            found = Problem("garbled", f"its reply is invalid: {garbled}")
        raise Trouble(found)


class Findings:
    """A cache for an implementation that always gives the same answers.

    begin: starts a new conversation with it.
    """

    def __init__(self, begin: Callable[[], Conversation]) -> None:
        self._begin = begin
        self._found: dict[str, Any] = {}

    def once(self, key: str, find_out: Callable[[Client], T]) -> T:
        """Return the finding for a key; `find_out` gets it in a new conversation the first time."""
        if key not in self._found:
            self._found[key] = find_out(Client(self._begin()))
        found: T = self._found[key]
        return found


class Client:
    """Access to an implementation's exercises by name: `client.AttentionHead(7, 4)` is a stand-in.

    has_time: returns whether enough time remains to try other layouts of the parameters.
    """

    def __init__(
        self,
        conversation: Conversation,
        findings: Findings | None = None,
        has_time: Callable[[], bool] = lambda: True,
    ) -> None:
        self._conversation = conversation
        self._findings = findings
        self.has_time = has_time
        self.notes: list[str] = []

    def once(self, key: str, find_out: Callable[[Client], T]) -> T:
        """Return the result of `find_out`; for a reference, compute it only once per key."""
        return self._findings.once(key, find_out) if self._findings else find_out(self)

    def note(self, text: str) -> None:
        """Add a remark that costs no points."""
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
        """Return a stand-in for a plain function, as if it were a module.

        projections: linear layers that the function gets after its inputs, name -> (input features,
        output features). Their weights, and biases if `bias`, are the module's parameters.
        """
        sizes = {key: list(size) for key, size in (projections or {}).items()}
        step = {"do": "take", "name": name, "projections": sizes, "bias": bias}
        return Module(self._conversation, dtype, step)

    def seed(self, number: int) -> None:
        """Seed PyTorch's random numbers before the next step, as torch.manual_seed does."""
        self._conversation.add({"do": "seed", "number": number}, answers.nothing)

    def printed(self) -> str:
        """Return what the implementation printed to stdout since the last call."""
        return self._conversation.printed()

    @property
    def layout(self) -> Layout:
        """The layout in which the implementation is assumed to store its parameters."""
        return self._conversation.layout

    def transcript(self) -> list[tuple[str, Any]]:
        """Return the verb and the unread answer of each step, see Conversation.transcript."""
        return self._conversation.transcript()

    def steps(self) -> list[Step]:
        """Return the steps that have been answered."""
        return self._conversation.steps()


class Module:
    """A stand-in for an object of an implementation's class, or for one of its functions.

    make: the step that creates it, without its number and dtype.
    """

    def __init__(self, conversation: Conversation, dtype: torch.dtype, make: Step) -> None:
        self._conversation = conversation
        self._number = conversation.new((make.get("arguments", ()), make.get("named", {})))
        self._dtype = str(dtype).removeprefix("torch.")
        step = {**make, "of": self._number, "dtype": self._dtype}
        self.built = conversation.add(step, answers.settings)

    def load(self, weights: Mapping[str, Tensor]) -> Module:
        """Set its parameters, given by the reference's names. Returns itself."""
        if weights:
            own = self._conversation.outward(weights, self._number)
            self._add("load", answers.nothing, weights=own)
        return self

    def load_as(self, packing: Packing, weights: Mapping[str, Tensor]) -> Module:
        """Set its parameters, rearranged by another packing. Returns itself."""
        return self.load(packing.outward(weights, self._conversation.builds[self._number]))

    def train(self, mode: bool = True) -> Module:
        """Switch to training or evaluation mode. Returns itself."""
        self._add("train", answers.nothing, mode=mode)
        return self

    def eval(self) -> Module:
        """Switch to evaluation mode. Returns itself."""
        return self.train(False)

    def __call__(
        self, *inputs: Input, gradient: bool = False, strided: bool = False, reseed: bool = True
    ) -> Reply[Called]:
        """Call it on inputs; floating-point tensors are converted to its dtype.

        gradient: also compute that of sum(output * cos(0, 1, 2, ...)). strided: pass inputs that
        are not contiguous in memory. reseed: start from the same random state as every other call;
        if False, from a different one.
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
                return self._add("rounds", answers.truth, **step).value
            except Trouble:  # the watched call failed; that alone is no mistake
                return False

        return self._add(
            "call",
            read,
            inputs=list(inputs),
            dtype=self._dtype,
            gradient=gradient,
            strided=strided,
            **({} if reseed else {"anew": False}),
        )

    def parameters(self) -> Reply[dict[str, Registered]]:
        """Ask for its registered parameters, by its own names."""
        return self._add("parameters", answers.parameters)

    def buffers(self) -> Reply[dict[str, Registered]]:
        """Ask for its registered buffers, by its own names."""
        return self._add("buffers", answers.parameters)

    def lacking(self, parts: Mapping[str, str]) -> Reply[dict[str, str]]:
        """Ask for the submodules that are missing (as "") or of the wrong class (its name).

        parts: attribute name -> required class or base class; "" allows any class.
        """
        return self._add("lacking", answers.parts, parts=dict(parts))

    def values(self) -> Reply[dict[str, Tensor | None]]:
        """Ask for the values of its registered parameters, by the reference's names."""

        def read(data: Any) -> dict[str, Tensor | None]:
            return self._conversation.inward(answers.numbers(data), self._number)

        return self._add("values", read)

    def hand_over(self, to: Module) -> Reply[None]:
        """Load its state_dict into another module."""
        return self._add("hand_over", answers.nothing, to=to._number)

    def state(self, *names: str) -> Reply[dict[str, Kept]]:
        """Ask for tensors among its attributes, by name; missing ones are omitted."""
        return self._add("state", answers.state, names=list(names))

    def listed(self) -> Reply[list[str]]:
        """Ask for the attribute names of what its parameters() lists; "?" for other tensors."""
        return self._add("listed", answers.words)

    def operations(self, *inputs: Input) -> Reply[int]:
        """Call it and ask for the number of tensor operations."""
        return self._add("operations", answers.count, inputs=list(inputs), dtype=self._dtype)

    def products(self, *inputs: Input, tokens: int) -> Reply[int]:
        """Call it and ask for the number of matrix products: 0, 1, or 2 for two or more.

        tokens: the length of its sequences; all sizes of the inputs must differ.
        """
        return self._watched("products", answers.count, inputs, tokens)

    def exponentials(self, *inputs: Input, tokens: int) -> Reply[bool]:
        """Call it and ask whether it computes exponentials, as a softmax does."""
        return self._watched("exponentials", answers.truth, inputs, tokens)

    def training(self) -> Reply[bool]:
        """Ask whether its attribute `training` is True."""
        return self._add("training", answers.truth)

    def differentiated(self, *names: str) -> Reply[list[str]]:
        """Ask which of these attributes are tensors that require a gradient."""
        return self._add("differentiated", answers.words, names=list(names))

    def matrices(self) -> Reply[list[str]]:
        """Ask for the names of matrices that it keeps as plain attributes."""
        return self._add("matrices", answers.words)

    def descend(self, *inputs: Tensor, targets: Tensor, steps: int) -> Reply[list[float]]:
        """Train it by gradient descent on the cross-entropy and ask for the losses.

        targets: (B, T), the correct index at each position of its logits (B, T, classes).
        """
        return self._add(
            "descend", answers.losses, inputs=list(inputs), targets=targets, steps=steps
        )

    def hooked(self, *inputs: Tensor) -> Reply[int]:
        """Call it and ask how often a forward hook fired."""
        return self._add("hooked", answers.count, inputs=list(inputs), dtype=self._dtype)

    def move(self, *inputs: Input) -> Reply[list[str]]:
        """Call it on another device and ask for the operations that mix devices."""
        return self._add("move", answers.words, inputs=list(inputs), dtype=self._dtype)

    def _watched(
        self, verb: str, read: Callable[[Any], T], inputs: tuple[Input, ...], tokens: int
    ) -> Reply[T]:
        return self._add(verb, read, inputs=list(inputs), dtype=self._dtype, tokens=tokens)

    def _add(self, verb: str, read: Callable[[Any], T], **arguments: Any) -> Reply[T]:
        return self._conversation.add({"do": verb, "of": self._number, **arguments}, read)
