"""Each benchmark can begin: its modules are there, and so are the files that it grades."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from attacks.watching.attack import corpus

HERE = Path(__file__).parent
NAMES = [path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_")]


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_finds_what_it_needs(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_half_of_a_class_is_hostile(tmp_path: Path) -> None:
    locking = importlib.import_module("locking")
    attackers = locking.write_class(tmp_path, corpus())
    there = {path.stem for path in tmp_path.iterdir()}
    assert len(there) == 2 * len(attackers) == locking.CLASS
    assert attackers.keys() < there
