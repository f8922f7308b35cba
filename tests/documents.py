"""Write the examples of output in the documents: `make documents`.

A comment above a block says which command prints it, and which files the command finds beside
assignments/: the reference of a mistake's assignment, with that mistake or with none.

    <!-- output of: python -m autograder grade CLASS 2>&1; CLASS/ben.py: Head/no_scale -->

Of several commands, joined by `&&`, the last one's output is shown. `--course solutions` is a copy
of the tiny course in tests/course/other_course, whose mistakes can be named too, and `--course
tests/course/chosen/solutions` one of the course that takes over assignments of the kit.

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
from autograder.course.misconceptions import misconceptions, read
from autograder.report.codes import POINTS_LOST

MODULES = f"{root()}{os.pathsep}{root() / 'tests'}"
GUIDES = "INSTRUCTORS.md", "AUTHORS.md"
DOCUMENTS = root() / "README.md", *(root() / "autograder" / name for name in GUIDES)
TINY = root() / "tests" / "course" / "other_course" / "solutions"
CHOSEN = "tests/course/chosen/solutions"
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
        if "--course solutions" in command:
            shutil.copytree(TINY, Path(folder, "solutions"))
        if CHOSEN in command:
            shutil.copytree(root() / CHOSEN, Path(folder, CHOSEN))
        for file in (example["files"] or "").split(";")[1:]:
            name, _, written = file.partition(":")
            path = Path(folder, name.strip())
            path.parent.mkdir(exist_ok=True)
            path.write_text(submission(written.strip()), encoding="utf-8")
        for one in command.split("&&"):
            printed = run(one, folder, merged)
        return printed


def run(command: str, folder: str, merged: bool) -> str:
    """Run a command in a folder. Return what it prints. merged: what it prints to stderr too."""
    done = subprocess.run(
        [sys.executable, *shlex.split(command)[1:]],
        cwd=folder,
        env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONPATH": MODULES},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.DEVNULL,
        text=True,
    )
    if done.returncode > POINTS_LOST:
        raise ValueError(f"{command} fails with {done.returncode}.")
    return done.stdout


def submission(written: str) -> str:
    """Return the reference of an assignment, or with the mistake `Exercise/id` in it."""
    if written in assignments():
        return solution(written)
    known = [
        (solution(name), mistake) for name in assignments() for mistake in misconceptions(name)
    ]
    for file in TINY.glob("*/misconceptions.toml"):
        module = file.with_name(f"{file.parent.name}.py").read_text(encoding="utf-8")
        known += [(module, mistake) for mistake in read(file)]
    for reference, mistake in known:
        if f"{mistake.exercise}/{mistake.id}" == written:
            return mistake.source(reference)
    raise ValueError(f"There is no assignment or misconception {written}.")


if __name__ == "__main__":
    main()
