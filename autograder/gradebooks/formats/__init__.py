"""The formats of `python -m autograder export`: one module each, found by its name.

A new format is a new module in this folder that has what `Format` lists.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from typing import Any, Protocol

from autograder.gradebooks.exported import Exported


class Format(Protocol):
    """The contents of a format's module. HELP: a phrase for the list of formats."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of this format to its parser."""

    def export(self, options: argparse.Namespace) -> Exported:
        """Return the files to write; nothing is written yet. Raises UsageError."""


def names() -> list[str]:
    """Return the names of all formats, as a user types them."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def find(name: str) -> Format:
    """Return the module of a format."""
    module: Any = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found: Format = module
    return found
