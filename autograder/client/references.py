"""The reference's side of a comparison: in the grader's own process, or only what it answered."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from autograder.client.conversation import Apart, Client, Conversation, Step
from autograder.client.implementations import Text
from autograder.client.questions import SEED, is_same
from autograder.client.reference_server import Answer, Consultation, Question, answered, recalled
from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.source import Source


class ReferenceFailed(RuntimeError):
    """The reference itself could not do what a check asked of it."""


class Memory:
    """What a reference was asked and has answered.

    replies: by the digest of all that was said, the answers and what was printed.
    """

    def __init__(self, replies: dict[bytes, tuple[Any, str]]) -> None:
        self.replies = replies
        # By what was said before, the number of steps, and the name in the first of them.
        self._said: dict[tuple[Any, ...], list[tuple[list[Step], bytes]]] = {}

    def digest(self, before: bytes, steps: list[Step]) -> bytes:
        """The digest of all that was said with these steps. It is computed once: each submission is
        compared with the reference in the same way."""
        known = self._said.setdefault((before, len(steps), steps[0].get("name")), [])
        found = next((digest for others, digest in known if is_same(others, steps)), None)
        if found is None:
            found = _digest([before.hex(), steps])
            known.append((steps, found))
        return found


class LiveReference:
    """The reference in the grader's own process; what it was asked before, it remembers."""

    def __init__(self, text: Text) -> None:
        source = text.source()
        problem = source.load(keep=False)
        if problem:
            raise ReferenceFailed(f"{text.stem}: {problem['type']}: {problem['text']}")
        self._source = source
        self._memory = Memory({})
        self._apart = Apart(self._conversation)

    @property
    def namespace(self) -> Mapping[str, Any]:
        """What the module defines."""
        return self._source.namespace

    def client(self) -> Client:
        """A new conversation with it."""
        return Client(self._conversation(), self._apart)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceTalk(self._memory, self._source).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a substitute that stands for one of its classes."""
        return answered(self.namespace, question)

    def recording(self, consultations: Sequence[Consultation] = ()) -> bytes:
        """All that it was asked and answered, and consultations, for a RecordedReference."""
        rows = [[said.hex(), found, text] for said, (found, text) in self._memory.replies.items()]
        rows.sort(key=lambda row: str(row[0]))
        asked = [
            [{key: value for key, value in question.items() if key != "random"}, answer]
            for question, answer in consultations
        ]
        return wire.encode({"replies": rows, "consultations": asked})


class RecordedReference:
    """A reference of which only the answers are there: it repeats what was recorded."""

    def __init__(self, recording: bytes) -> None:
        recorded = wire.decode(recording)
        self._memory = Memory(
            {bytes.fromhex(said): (found, text) for said, found, text in recorded["replies"]}
        )
        self._consultations: list[Consultation] = recorded["consultations"]
        self._apart = Apart(self._conversation)

    def client(self) -> Client:
        """A new conversation with it."""
        return Client(self._conversation(), self._apart)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceTalk(self._memory, None).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a substitute if something so much alike was recorded."""
        return recalled(self._consultations, question)


class _ReferenceTalk:
    """One conversation: answered from memory as long as all that was said in it is known."""

    def __init__(self, memory: Memory, source: Source | None) -> None:
        self._interpreter = Interpreter(source) if source else None
        self._memory = memory
        self._said = b""
        self._undone: list[list[Step]] = []

    def ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        self._said = self._memory.digest(self._said, steps)
        self._undone.append(steps)
        replies = self._memory.replies
        if self._said not in replies:
            replies[self._said] = self._answer()
        return replies[self._said]

    def _answer(self) -> tuple[Any, str]:
        if self._interpreter is None:
            raise ReferenceFailed("the reference was not recorded on this question")
        found: list[dict[str, Any]] = []
        for steps in self._undone:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                found = self._interpreter.answer({"steps": steps, "seed": SEED})
        self._undone = []
        for answer in found:
            if "problem" in answer:
                problem = answer["problem"]
                raise ReferenceFailed(f"the reference: {problem['type']} {problem['text']}")
        return found, printed.getvalue()


def _digest(said: Any) -> bytes:
    """A digest of a tree of plain values and tensors. A tensor's own is kept with it: what has
    been asked about is not changed any more."""
    digest = hashlib.blake2b(digest_size=16)

    def add(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return str(value)
        if not hasattr(value, "_digest"):
            content = f"{value.dtype}{value.shape}".encode() + value.numpy().tobytes()
            value._digest = hashlib.blake2b(content, digest_size=16).hexdigest()  # type: ignore[attr-defined]
        return value._digest  # type: ignore[attr-defined]

    digest.update(json.dumps(said, default=add).encode())
    return digest.digest()
