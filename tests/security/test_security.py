"""What SECURITY.md says is so: each sentence names tests that would fail if it were not.

tests/security/security.toml quotes the sentences of all sections but the last; a row of a
table counts as one. An attack is named by its file: test_attacks.py grades each of them.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from bounds import CHARACTERS, LINES

from autograder.child.lock import OPEN_FILES
from autograder.client.sessions import CHILD_SECONDS
from autograder.course import root
from autograder.diagnosis import line
from autograder.grading import fitting, grader
from autograder.runtime.limits import RESERVED
from autograder.runtime.memory import MOST
from autograder.runtime.protocol import WALL
from autograder.sandbox import Limits
from autograder.sandbox.clock import IMPORTS
from autograder.submissions import files

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]  # pytest brings it

TESTS = Path(__file__).parents[1]
TEXT = (root() / "autograder" / "SECURITY.md").read_text(encoding="utf-8")
QUOTES = tomllib.loads(Path(__file__).with_name("security.toml").read_text(encoding="utf-8"))
ROWS = QUOTES["promise"]
QUOTED = [row["sentence"] for row in ROWS]
END = re.compile(r"(?<=\.)\s+(?=[A-Z`])|(?<=\.\*\*)\s+")  # of a sentence


def sentences(section: str) -> list[str]:
    """The sentences of a section, each in one line, and the rows of its tables."""
    [body] = re.findall(rf"^## {section}\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
    found: list[str] = []
    for block in re.split(r"\n\n|\n(?=- )", body.strip()):
        if block.startswith("|"):
            found += block.splitlines()[2:]
        else:
            found += END.split(" ".join(block.removeprefix("- ").split()))
    return found


PROMISED = sentences("What is promised")
OTHERS = [*map(sentences, ("Who attacks", "What is not promised", "See for yourself"))]


@cache
def functions(path: str) -> set[str]:
    """The names of the functions of a file of tests."""
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_sentence_is_quoted_and_what_is_quoted_stands_there() -> None:
    assert set(QUOTED) >= set(PROMISED)
    assert {*QUOTED, *QUOTES["untested"]} == {*PROMISED, *itertools.chain(*OTHERS)}
    assert len(QUOTED) == len(set(QUOTED))


def test_each_test_that_is_named_is_there() -> None:
    for row in ROWS:
        assert row["tests"], row["sentence"]
        assert len(row["tests"]) == len(set(row["tests"])), row["sentence"]
        for name in row["tests"]:
            path, _, function = name.partition("::")
            if Path(path).name.startswith("test_"):
                assert function.startswith("test_") and function in functions(path), name
            elif function:
                assert path.startswith("attacks/handed_in/") and function in functions(path), name
            else:
                assert (TESTS / "attacks" / Path(path).name).is_file(), name


LIMITS = Limits()
TIMES = LIMITS.seconds, LIMITS.grace
NUMBERS = {
    "memory": f"beyond {LIMITS.memory >> 30} GB more than PyTorch itself takes "
    f"({LIMITS.memory + RESERVED >> 30} GB of address space)",
    "descriptors": f"more than {OPEN_FILES} descriptors",
    "printed": f"{LIMITS.printed >> 10} kB of each stream",
    "grader": f"may take {MOST >> 30} GB beyond what it starts with",
    "budget": f"shares {LIMITS.budget:g} s for all questions",
    "questions": f"{LIMITS.questions:,} questions, and {LIMITS.received >> 20} MB for the replies;",
    "start": f"each start of a process counts as {1000 * CHILD_SECONDS:g} ms.",
    "reading": f"may take {files.SECONDS:g} s of the grader's own CPU time, and judging the "
    f"answers on one assignment {grader.SECONDS:g} s",
    "line": f"may take {line.BUDGET:g} s more for each of them",
    "question": f"A question may take {LIMITS.seconds:g} s of CPU time",
    "imports": f"ends a child after {IMPORTS * TIMES[0] + TIMES[1]:g} s of CPU time",
    "idle": f"after {sum(TIMES):g} s in which it was idle",
    "elapsed": f"after {WALL * TIMES[0] + TIMES[1]:g} s in any case",
    "names": f"| {fitting.NAME.characters}; {fitting.PATH.characters} "
    f"| {fitting.NAME.lines}; {fitting.PATH.lines} |",
    "exceptions": f"an exception | {fitting.SAID.characters} | {fitting.SAID.lines} |",
    "messages": f"| {fitting.MESSAGE.characters:,} | {fitting.MESSAGE.lines} |",
    "prints": f"for one check | {fitting.PRINTED.characters:,} | {fitting.PRINTED.lines} |",
    "all": f"| {fitting.ALL_MESSAGES:,}; {fitting.ALL_PRINTED:,} and {fitting.LEAST} for each",
    "reports": f"at most {LINES['terminal']:,} lines, the JSON document has at most "
    f"{CHARACTERS['JSON']:,} characters, and a page {CHARACTERS['page']:,}.",
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_those_of_the_kit(number: str) -> None:
    assert [sentence for sentence in PROMISED if number in sentence]
