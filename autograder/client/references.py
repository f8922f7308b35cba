"""The reference implementation: live in the grader's process, or recorded answers."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from autograder import course
from autograder.client.client import Client, ResultCache
from autograder.client.comparison import are_same
from autograder.client.conversation import Conversation
from autograder.client.loaded import Text
from autograder.client.reference_server import (
    Consultation,
    RequestData,
    Response,
    recalled,
    respond,
)
from autograder.course.exercise import ExerciseBroken
from autograder.errors import GraderError
from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter, StepAnswer
from autograder.runtime.question_data import step_data
from autograder.runtime.questions import Build, Question, Step, Take
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
        self._digests: dict[tuple[Any, ...], list[tuple[Sequence[Step], bytes]]] = {}

    def digest(self, before: bytes, steps: Sequence[Step]) -> bytes:
        """Return the digest of a conversation with digest `before` plus these steps.

        Computed once per question, because checks ask the same for every submission.
        """
        name = steps[0].name if isinstance(steps[0], Build | Take) else None
        known = self._digests.setdefault((before, len(steps), name), [])
        found = next((digest for others, digest in known if are_same(others, steps)), None)
        if found is None:
            found = _digest([before.hex(), *map(step_data, steps)])
            known.append((steps, found))
        return found


class LiveReference:
    """The reference's code in the grader's process, with a memory of its answers."""

    def __init__(self, text: Text) -> None:
        source = text.source()
        problem = source.load(keep=False)
        if problem:
            raise ExerciseBroken(_unloaded(text.stem, problem))
        self._source = source
        self._memory = Memory({})
        self._cache = ResultCache(self._conversation)

    @property
    def namespace(self) -> Mapping[str, Any]:
        """The names that the module defines."""
        return self._source.namespace

    def client(self) -> Client:
        """Return a client with a new conversation."""
        return Client(self._conversation(), self._cache)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceConversation(self._memory, self._source).ask)

    def consult(self, data: RequestData) -> Response:
        """Answer a request of the substitute for one of its classes."""
        return respond(self.namespace, data)

    def recording(self, consultations: Sequence[Consultation] = ()) -> bytes:
        """Return all answers so far, and consultations, for a RecordedReference."""
        rows = [[key.hex(), found, text] for key, (found, text) in self._memory.replies.items()]
        rows.sort(key=lambda row: str(row[0]))
        pairs = [
            [
                {key: value for key, value in data.items() if key != "random"},
                {**response, "state": _state(data)} if data["do"] == "make" else response,
            ]
            for data, response in consultations
        ]
        return wire.encode({"replies": rows, "consultations": pairs})


class Recording:
    """A reference's recorded answers, as they are read from a file of a student's copy.

    All who grade in this process share them, with what was derived from them. replies: as `Memory`
    has them. consultations: questions of substitutes, and the responses to them.
    """

    def __init__(
        self, replies: dict[bytes, tuple[Any, str]], consultations: list[Consultation]
    ) -> None:
        self.consultations = consultations
        self._memory = Memory(replies)
        self._cache = ResultCache(self._conversation)

    @classmethod
    def decoded(cls, data: bytes) -> Recording:
        """Read what LiveReference.recording has written. Raises DamagedData."""
        found = wire.decode(data)
        replies = {bytes.fromhex(key): (answers, text) for key, answers, text in found["replies"]}
        return cls(replies, found["consultations"])

    def client(self) -> Client:
        """Return a client with a new conversation."""
        return Client(self._conversation(), self._cache)

    def _conversation(self) -> Conversation:
        return Conversation(_ReferenceConversation(self._memory, None).ask)


class RecordedReference:
    """A reference that repeats recorded answers, without the code."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._made: dict[str, dict[str, int]] = {}  # by exercise and random state

    def client(self) -> Client:
        """Return a client with a new conversation."""
        return self._recording.client()

    def consult(self, data: RequestData) -> Response:
        """Answer a substitute's request if the same one was recorded, up to rounding.

        An object gets the numbers that were recorded for its random state. In other states, objects
        get different numbers, as far as those of several objects were recorded.
        """
        found = recalled(self._recording.consultations, data)
        if not found:
            return {"problem": "was not recorded doing this: your instructor's copy can tell"}
        if data["do"] != "make":
            return found[0]
        same = (one for one in found if one["state"] == _state(data))
        return next(same, found[self._turn(data) % len(found)])

    def _turn(self, data: RequestData) -> int:
        """Return the number of a random state, of those in which objects were made."""
        made = self._made.setdefault(str(data["of"]), {})
        return made.setdefault(_state(data), len(made))


class _ReferenceConversation:
    """One conversation, answered from memory as long as all its questions are known."""

    def __init__(self, memory: Memory, source: Source | None) -> None:
        self._interpreter = Interpreter(source) if source else None
        self._memory = memory
        self._digest = b""
        self._not_run: list[Sequence[Step]] = []

    def ask(self, steps: Sequence[Step], fresh: bool) -> tuple[Any, str]:
        self._digest = self._memory.digest(self._digest, steps)
        self._not_run.append(steps)
        replies = self._memory.replies
        if self._digest not in replies:
            replies[self._digest] = self._answer()
        return replies[self._digest]

    def _answer(self) -> tuple[Any, str]:
        if self._interpreter is None:
            raise ReferenceFailed("the reference was not recorded on this question")
        found: list[StepAnswer] = []
        for steps in self._not_run:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                found = self._interpreter.answer(Question(steps))
        self._not_run = []
        for answer in found:
            if "problem" in answer:
                problem = answer["problem"]
                raise ReferenceFailed(f"the reference: {problem['type']} {problem['text']}")
        return found, printed.getvalue()


def _unloaded(assignment: str, problem: Mapping[str, Any]) -> str:
    """Return what to tell the author of a reference that cannot be loaded."""
    where = str(course.solution_file(assignment))
    if frames := problem["frames"]:
        file = course.solution_file(frames[-1]["file"].removesuffix(".py"))
        where = f"{file}, line {frames[-1]['line']}"
    return f"{where}: {problem['type']}: {problem['text']}. Correct this line of the reference."


def _state(data: RequestData) -> str:
    """Return what tells the random state of a request from others."""
    random = wire.encode({"random": data.get("random")})
    return hashlib.blake2b(random, digest_size=8).hexdigest()


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
