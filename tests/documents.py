"""Write the examples of output in the documents: `make documents`.

A comment above a block says which command prints it, and which files the command finds beside
assignments/: the reference of a mistake's assignment, with that mistake or with none.

    <!-- output of: python -m autograder grade CLASS 2>&1; CLASS/ben.py: Head/no_scale -->

Lines of the block that show the command itself, from `$`, are kept.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.course import assignments, assignments_folder, root, solution
from autograder.course.misconceptions import misconceptions

MODULES = f"{root()}{os.pathsep}{root() / 'tests'}"
DOCUMENTS = root() / "README.md", root() / "autograder" / "INSTRUCTORS.md"
EXAMPLE = re.compile(
    r"(?P<head><!-- output of: (?P<command>[^;]*?)(?P<files>;.*?)? -->\n```\w+\n"
    r"(?:\$ (?:[^\n]*\\\n)*[^\n]*\n)?)(?P<output>.*?)(?=^```$)",
    re.DOTALL | re.MULTILINE,
)


def main() -> None:
    """Write the documents, and print which of them have changed."""
    for path in DOCUMENTS:
        before = path.read_text(encoding="utf-8")
        after = EXAMPLE.sub(lambda example: example["head"] + output(example), before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"wrote {path.relative_to(root())}")


def output(example: re.Match[str]) -> str:
    """Run the command of an example. Return what it prints."""
    command = example["command"].removesuffix(" 2>&1")
    merged = command != example["command"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(assignments_folder(), Path(folder, "assignments"))
        for file in (example["files"] or "").split(";")[1:]:
            name, _, written = file.partition(":")
            path = Path(folder, name.strip())
            path.parent.mkdir(exist_ok=True)
            path.write_text(submission(written.strip()), encoding="utf-8")
        return subprocess.run(
            [sys.executable, *shlex.split(command)[1:]],
            cwd=folder,
            env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONPATH": MODULES},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.DEVNULL,
            text=True,
            check=True,
        ).stdout


def submission(written: str) -> str:
    """Return the reference of an assignment, or with the mistake `Exercise/id` in it."""
    if written in assignments():
        return solution(written)
    for assignment in assignments():
        for mistake in misconceptions(assignment):
            if f"{mistake.exercise}/{mistake.id}" == written:
                return mistake.source(solution(assignment))
    raise ValueError(f"There is no assignment or misconception {written}.")


if __name__ == "__main__":
    main()
