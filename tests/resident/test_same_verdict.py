"""Whichever way a student asks, the verdict is the same, for all code known to be right or wrong.

In one student's copy of the kit with its resident grader: `make watch` and `check()` where the code
is saved, `check()` where it was run in a notebook and not saved, and `make grade`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.course import assignments, corpus, solution
from autograder.report.as_output import HIDDEN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends a process by its number")
LABEL = "In [3]"
COMMANDS = re.compile(r"^ *(For the next hint, |The next hint: |To rebuild it: ).*", re.MULTILINE)
ASKING = f"""
import json, sys
from pathlib import Path
from autograder.resident.asking import ask
from autograder.resident.verdicts import verdict

for line in sys.stdin:
    exercise, name, text = json.loads(line)
    file = Path("assignments", name)
    before = file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    saved = verdict(exercise, 1, "assignments")
    printed = []
    ask(["grade", "assignments", "--exercise", exercise], "", printed.append)
    file.write_text(before, encoding="utf-8")
    run = verdict(exercise, 1, "assignments", [({LABEL!r}, text, "")])
    print(json.dumps([saved.text, run.text, "".join(printed)]), flush=True)
"""
KNOWN = [path for one in assignments() for kind in ("right", "wrong") for path in corpus(one, kind)]


class Told(NamedTuple):
    """What a student is told about a saved file, a cell that was run, and by `make grade`."""

    saved: str
    run: str
    graded: str


class Asking:
    """A process in a kit that asks its resident grader each way."""

    def __init__(self, kit: Path, private: Path) -> None:
        self._kit, self._private = kit, private
        ours = ("PYTHON", "PYTEST", "AUTOGRADER")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", ASKING],
            cwd=kit,
            env={**kept, "XDG_RUNTIME_DIR": str(private)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def told(self, assignment: str, exercise: str, text: str) -> Told:
        """Return what is told about an exercise, where all earlier assignments are right."""
        for earlier in assignments()[: assignments().index(assignment)]:
            path = self._kit / "assignments" / f"{earlier}.py"
            if path.read_text(encoding="utf-8") != solution(earlier):
                path.write_text(solution(earlier), encoding="utf-8")
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([exercise, f"{assignment}.py", text]) + "\n")
        self._process.stdin.flush()
        return Told(*json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        for log in self._private.glob("*/*.log"):
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)
        shutil.rmtree(self._private)


@pytest.fixture(scope="module")
def asking(full_kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """The path of the folder of the socket is short: it has at most 107 characters."""
    kit = Path(shutil.copytree(full_kit, tmp_path_factory.mktemp("each") / "kit"))
    made = Asking(kit, Path(tempfile.mkdtemp(prefix="kit-")))
    yield made
    made.end()


@pytest.mark.dear  # each case, for the kit takes long to build
@pytest.mark.parametrize("path", KNOWN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_verdict_is_the_same(path: Path, asking: Asking) -> None:
    assignment, exercise = path.parent.parent.name, path.stem.partition("__")[0]
    file = f"{assignment}.py"
    told = asking.told(assignment, exercise, path.read_text(encoding="utf-8"))
    assert joined(told.run).replace(LABEL, file) == joined(told.saved)
    graded = told.graded.partition("\n")[2].partition("\n\nScore: ")[0]
    assert joined(graded) == joined(told.saved.replace(HIDDEN, ""))


def joined(text: str) -> str:
    """Return a text in one line: the names of a file and of a cell differ in length.

    What to type next is left out: it differs too.
    """
    return " ".join(COMMANDS.sub("", text).split())
