"""Secrets in all the places where the grader could let one slip, and whether one did."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.course import root

PREFIX = "CANARY-"  # what the attacks look for
VARIABLE = "COURSE_CANARY"


@dataclass
class Canaries:
    """The secrets, each known by the place in which it is."""

    places: dict[str, str] = field(default_factory=dict)  # secret -> where it is

    def new(self, place: str) -> str:
        """A secret to be put into a place."""
        secret = PREFIX + secrets.token_hex(16)
        self.places[secret] = place
        return secret

    def put_into(self, namespace: Any, place: str) -> None:
        """Have a module's namespace, of the grader's own, hold a secret."""
        namespace["CANARY"] = self.new(place)

    def seen(self, output: bytes) -> list[str]:
        """The places whose secrets stand in something that came out."""
        return [place for secret, place in self.places.items() if secret.encode() in output]


@contextlib.contextmanager
def planted() -> Iterator[Canaries]:
    """Put secrets into the environment, the course, the home folder, a temporary one, and a
    descriptor that can be inherited; take them away at the end."""
    canaries = Canaries()
    course = root() / "build"
    course.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        for place, folder in {"the course": course, "home": Path.home(), "/tmp": None}.items():
            file = tempfile.NamedTemporaryFile("w", prefix="canary-", suffix=".py", dir=folder)
            stack.enter_context(file).write(f"SOLUTION = '{canaries.new(place)}'\n")
            file.flush()
        held = stack.enter_context(tempfile.TemporaryFile("w+"))
        held.write(canaries.new("a descriptor"))
        held.flush()
        os.set_inheritable(held.fileno(), True)
        told = {VARIABLE: canaries.new("the environment")}
        stack.enter_context(mock.patch.dict(os.environ, told))
        yield canaries
