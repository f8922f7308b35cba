"""The reference implementation: live in the grader's process, or recorded answers."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from autograder.client.conversation import Client, Conversation, Findings, Step
from autograder.client.implementations import Text
from autograder.client.questions import SEED, is_same
from autograder.client.reference_server import Answer, Consultation, Question, answered, recalled
from autograder.errors import GraderError
from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.source import Source


class ReferenceFailed(GraderError):
    """The reference itself could not answer a check's question."""


class Memory:
    """The answers that a reference has already given.

    replies: digest of a conversation -> (answers to its last question, printed text).
    """

    def __init__(self, replies: dict[bytes, tuple[Any, str]]) -> None:
        self.replies = replies
        # By the digest so far, the number of steps, and the name in the first step.
        self._digests: dict[tuple[Any, ...], list[tuple[list[Step], bytes]]] = {}

    def digest(self, before: bytes, steps: list[Step]) -> bytes:
        """Return the digest of a conversation with digest `before` plus these steps.

        Computed once per question, because checks ask the same for every submission.
        """
        known = self._digests.setdefault((before, len(steps), steps[0].get("name")), [])
        found = next((digest for others, digest in known if is_same(others, steps)), None)
        if found is None:
            found = _digest([before.hex(), steps])
            known.append((steps, found))
        return found


class LiveReference:
    """The reference's code in the grader's process, with a memory of its answers."""

    def __init__(self, text: Text) -> None:
        source = text.source()
        problem = source.load(keep=False)
        if problem:
            raise ReferenceFailed(f"{text.stem}: {problem['type']}: {problem['text']}")
        self._source = source
        self._memory = Memory({})
        self._findings = Findings(self._conversation)

    @property
    def namespace(self) -> Mapping[str, Any]:
        """The names that the module defines."""
        return self._source.namespace

    def client(self) -> Client:
        """Return a client with a new conversation."""
        return Client(self._conversation(), self._findings)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceConversation(self._memory, self._source).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a question of the substitute for one of its classes."""
        return answered(self.namespace, question)

    def recording(self, consultations: Sequence[Consultation] = ()) -> bytes:
        """Return all answers so far, and consultations, for a RecordedReference."""
        rows = [[key.hex(), found, text] for key, (found, text) in self._memory.replies.items()]
        rows.sort(key=lambda row: str(row[0]))
        pairs = [
            [{key: value for key, value in question.items() if key != "random"}, answer]
            for question, answer in consultations
        ]
        return wire.encode({"replies": rows, "consultations": pairs})


class RecordedReference:
    """A reference that repeats recorded answers, without the code."""

    def __init__(self, recording: bytes) -> None:
        recorded = wire.decode(recording)
        self._memory = Memory(
            {bytes.fromhex(key): (found, text) for key, found, text in recorded["replies"]}
        )
        self._consultations: list[Consultation] = recorded["consultations"]
        self._findings = Findings(self._conversation)

    def client(self) -> Client:
        """Return a client with a new conversation."""
        return Client(self._conversation(), self._findings)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceConversation(self._memory, None).ask)

    def consult(self, question: Question) -> Answer:
        """Answer a substitute's question if the same one was recorded, up to rounding."""
        return recalled(self._consultations, question)


class _ReferenceConversation:
    """One conversation, answered from memory as long as all its questions are known."""

    def __init__(self, memory: Memory, source: Source | None) -> None:
        self._interpreter = Interpreter(source) if source else None
        self._memory = memory
        self._digest = b""
        self._not_run: list[list[Step]] = []

    def ask(self, steps: list[Step], fresh: bool) -> tuple[Any, str]:
        self._digest = self._memory.digest(self._digest, steps)
        self._not_run.append(steps)
        replies = self._memory.replies
        if self._digest not in replies:
            replies[self._digest] = self._answer()
        return replies[self._digest]

    def _answer(self) -> tuple[Any, str]:
        if self._interpreter is None:
            raise ReferenceFailed("the reference was not recorded on this question")
        found: list[dict[str, Any]] = []
        for steps in self._not_run:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                found = self._interpreter.answer({"steps": steps, "seed": SEED})
        self._not_run = []
        for answer in found:
            if "problem" in answer:
                problem = answer["problem"]
                raise ReferenceFailed(f"the reference: {problem['type']} {problem['text']}")
        return found, printed.getvalue()


def _digest(tree: Any) -> bytes:
    """Return a digest of a tree of plain values and tensors.

    Each tensor stores its own digest, because a tensor that was sent is not modified later.
    """
    digest = hashlib.blake2b(digest_size=16)

    def add(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return str(value)
        if not hasattr(value, "_digest"):
            content = f"{value.dtype}{value.shape}".encode() + value.numpy().tobytes()
            value._digest = hashlib.blake2b(content, digest_size=16).hexdigest()  # type: ignore[attr-defined]
        return value._digest  # type: ignore[attr-defined]

    digest.update(json.dumps(tree, default=add).encode())
    return digest.digest()
