"""Each benchmark can begin: its modules are there, and so are the files that it grades."""

from __future__ import annotations

import importlib
import shutil
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


@pytest.mark.dear
@pytest.mark.skipif(not shutil.which("bwrap"), reason="grades locked: needs bubblewrap")
def test_memory_is_told_of_every_trusted_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = importlib.import_module("memory")
    monkeypatch.setattr(memory, "LARGE", 0)
    assert memory.main(["torch_nan"]) == 0
    [said, *lines, _] = capsys.readouterr().out.splitlines()
    assert said.endswith("with 1 hostile beside it:")
    told = {" ".join(line.split()[:-4]): line.split()[-4::2] for line in lines}
    graders = ("grader on the command line", "worker")
    assert told.keys() == {
        *graders,
        *(f"warm process of the {name}" for name in graders),
        "nbgrader's autograde",
        "engine that starts workers",
    }
    assert all(float(peak) > 1 for peaks in told.values() for peak in peaks)
    monkeypatch.setattr(memory, "_all_peaks", lambda *_: {"worker": 2.0 * memory.MOST / (1 << 20)})
    assert memory.main(["torch_nan"]) == 1
