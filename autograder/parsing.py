"""Parse data that a program wrote and somebody may have changed since, such as kept results."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from autograder import plain_file
from autograder.errors import Signal
from autograder.plain_file import NotPlain, TooLarge

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")


class DamagedData(Signal):
    """Data is not what a program wrote; the text is a clause: "it is nested too deeply"."""


def parsed(data: bytes, parse: Callable[[bytes], T]) -> T:
    """Return what `parse` makes of the data. Raises DamagedData.

    Parsers raise ValueError for text that is not UTF-8 or has another format, and for a number of
    5,000 digits; RecursionError for deeply nested text. The others come from looking for something
    that is not there.
    """
    try:
        return parse(data)
    except RecursionError:
        raise DamagedData("it is nested too deeply") from None
    except ValueError as problem:
        raise DamagedData(str(problem)) from None
    except (LookupError, TypeError, AttributeError):
        raise DamagedData("something is missing in it") from None


def read(path: Path, most: int, parse: Callable[[bytes], T]) -> T:
    """Parse a plain file of at most `most` bytes. Raises DamagedData, also if there is none."""
    try:
        data = plain_file.read(path, most)
    except NotPlain as kind:
        raise DamagedData(f"it is {kind}, not a file") from None
    except TooLarge as problem:
        raise DamagedData(f"it has {problem.size} bytes, more than {most}") from None
    except OSError as problem:
        raise DamagedData(problem.strerror or str(problem)) from None
    except ValueError:
        raise DamagedData("its name is not one that files have") from None
    return parsed(data, parse)


def read_linked(path: Path, most: int, parse: Callable[[bytes], T]) -> T:
    """Parse a file as `read` does, also if the path is a link: its owner may have made it."""
    return read(Path(os.path.realpath(path)), most, parse)


def text(data: bytes) -> str:
    """Decode text as Python reads a file of text, with any kind of line ends. Raises ValueError."""
    try:
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8").read()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def json_object(data: bytes) -> dict[str, Any]:
    """Parse the text of a JSON object. Raises ValueError, RecursionError."""
    found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    return found


def toml(data: bytes) -> dict[str, Any]:
    """Parse the text of a TOML file. Raises ValueError, RecursionError."""
    return tomllib.loads(text(data))
