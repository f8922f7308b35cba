"""A child that is made ahead answers as any other one, and is never waited for or missed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from autograder.client import Session, SubmissionImplementation, Text
from autograder.resident.kept import KeptSandboxes
from autograder.sandbox import Limits, Sandbox, SandboxFailed, open_sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no fork")

RANDOM = "import torch\ndrawn = torch.rand(3)\ndef f():\n    return drawn\n"


@pytest.fixture
def own() -> Iterator[Sandbox]:
    with open_sandbox(Limits()) as sandbox:
        yield sandbox


def drawn(sandbox: Sandbox) -> torch.Tensor:
    """What a module draws while it is loaded into the next child."""
    session = Session(sandbox)
    try:
        implementation = SubmissionImplementation(session, Text("m", {"m": RANDOM}, ()))
        output = implementation.client().function("f")().value.output
        assert isinstance(output, torch.Tensor)
        return output
    finally:
        session.clear()


def parts(process: str | int = "self") -> set[int]:
    """The numbers of all processes below one."""
    found = set()
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found |= {int(one) for one in listed.read_text().split()}
    return found.union(*(parts(one) for one in found))


def test_it_is_the_next_one(own: Sandbox) -> None:
    drawn(own)
    own.prepare()
    ahead = parts()
    own.prepare()
    assert parts() == ahead
    child = own.child()
    assert child.process in ahead
    assert parts() == ahead
    child.end()


@pytest.mark.dear
def test_it_answers_as_another_one(own: Sandbox) -> None:
    expected = drawn(own)
    own.prepare()
    assert torch.equal(drawn(own), expected)


@pytest.mark.dear
def test_one_that_was_killed_is_not_used(own: Sandbox) -> None:
    expected, before = drawn(own), parts()
    own.prepare()
    [ahead] = parts() - before
    os.kill(ahead, signal.SIGKILL)
    while Path(f"/proc/{ahead}/stat").read_text().split()[2] != "Z":
        time.sleep(0.01)
    assert torch.equal(drawn(own), expected)


@pytest.mark.dear
def test_it_ends_with_its_sandbox() -> None:
    before = parts()
    with open_sandbox(Limits()) as sandbox:
        sandbox.prepare()
        assert len(parts() - before) == 2
    assert parts() == before


@pytest.mark.dear
def test_a_sandbox_that_cannot_make_one_is_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Sandbox) -> bool:
        raise SandboxFailed("it ended")

    with contextlib.closing(KeptSandboxes()) as kept:
        with kept.open(Limits()) as first:
            expected = drawn(first)
        with monkeypatch.context() as patched:
            patched.setattr(type(first), "prepare", fails)
            kept.prepare()
        with kept.open(Limits()) as second:
            assert second is not first
            assert torch.equal(drawn(second), expected)
