"""Run the linters, all tests and the audit, unless they have passed on the files as they are.

`make proof` does so. What has passed stands in `tests/proved.toml`, with a digest of the files that
it covers; the file is committed, so nothing is repeated. Tests pass by rooms, which are the folders
in `tests`: those of one room that have changed leave what other rooms have proved. With
--has-passed, as CI calls it, nothing is run: exit code 0 says that all has passed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from xml.etree import ElementTree

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROVED = "tests/proved.toml"
BEGINNING = "# `make proof` writes this file. A digest is that of the files on which all passed.\n"
AUDITED = ("autograder", "solutions", "pyproject.toml")
LINTED = (*AUDITED, "tests", "Makefile")
TESTED = (*LINTED, "assignments")
TEST = re.compile(r"tests/(?:.*/)?test_[^/]*\.py")
TOP = "tests"  # the room of tests that are in no folder
READ_TESTS = (TOP, "tests/cli", "tests/security")  # rooms that read the tests of others
ENDED = (0, 1)  # exit codes of pytest if it has run all tests
NOT_PASSED = ("failure", "error", "skipped")  # in its report


def prove(root: Path) -> str:
    """Run what has not passed on these files, and write down what has. Returns what is wrong."""
    found = due(root)
    rooms = {name: before for name, before in found.items() if name.partition("/")[0] == TOP}
    return (
        _made(root, "lint", found)
        or _tested(root, rooms)
        or _made(root, "audit", found)
        or _quoted(root)
    )


def _made(root: Path, target: str, found: Mapping[str, str]) -> str:
    """Make a target if it is due. Returns what is wrong."""
    if target not in found:
        return ""
    print(f"make {target}: what it covers has changed since it last passed", flush=True)
    if subprocess.run(["make", target], cwd=root).returncode:
        return f"make {target} failed."
    if current(root)[target] != found[target]:
        return f"Files were changed while make {target} was running. Run it again."
    passed = {"digest": found[target]}
    if target == "audit":
        certificate = (root / "build" / "certificate.json").read_text(encoding="utf-8")
        passed["line"] = json.loads(certificate)["line"]
    write(root, {target: passed})
    return ""


def _tested(root: Path, rooms: Mapping[str, str]) -> str:
    """Run the tests of rooms. Returns what is wrong."""
    if not rooms:
        return ""
    print(f"test {', '.join(rooms)}: what they cover has changed since they passed", flush=True)
    report = root / "build" / "tests.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "--junitxml", str(report)]
    command += [*os.environ.get("PARALLEL", "").split(), "--maxfail=0"]  # all are run
    code = subprocess.run([*command, *_paths(root, rooms)], cwd=root).returncode
    if code not in ENDED:
        return f"The tests came to no end: exit code {code} of pytest."
    now = current(root)
    if any(now[room] != before for room, before in rooms.items()):
        return "Files were changed while the tests were running. Run them again."
    failed = not_passed(report)
    write(root, {room: {"digest": rooms[room]} for room in rooms.keys() - failed})
    return f"Tests failed or were skipped in {', '.join(sorted(failed))}." if failed else ""


def _quoted(root: Path) -> str:
    line = read(root)["audit"]["line"]
    if line in (root / "README.md").read_text(encoding="utf-8").splitlines():
        return ""
    return f"README.md does not say what the audit found: {line}"


def _paths(root: Path, rooms: Collection[str]) -> list[str]:
    """Return what pytest is told, to run the tests of rooms."""
    top = [str(path.relative_to(root)) for path in sorted((root / TOP).glob("test_*.py"))]
    return [path for room in rooms for path in (top if room == TOP else [room])]


def due(root: Path) -> dict[str, str]:
    """What has not passed on the files as they are: targets and rooms, with their digests."""
    proved = read(root)
    now = current(root)
    return {name: one for name, one in now.items() if proved.get(name, {}).get("digest") != one}


def current(root: Path) -> dict[str, str]:
    """The digests of the files as they are: of the targets of make, and of each room."""
    files = _files(root, TESTED)
    own = {name: _room(name.split("/")) for name in files if TEST.fullmatch(name)}
    found = {"lint": _digest(files, LINTED)}
    for room in sorted({*own.values()}):
        others = () if room in READ_TESTS else [name for name in own if own[name] != room]
        found[room] = _digest({name: files[name] for name in files.keys() - others}, TESTED)
    return {**found, "audit": _digest(files, AUDITED)}


def _files(root: Path, places: Collection[str]) -> dict[str, str]:
    """SHA-256 of each file that git knows in these places, other than documents."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--", *places]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    names = sorted({*listed.split("\0")} - {"", PROVED})
    wanted = [name for name in names if (root / name).is_file() and not name.endswith(".md")]
    return {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in wanted}


def _digest(files: Mapping[str, str], places: Collection[str]) -> str:
    there = [name for name in sorted(files) if name.partition("/")[0] in places]
    lines = "".join(f"{name}\0{files[name]}\n" for name in there)
    return hashlib.sha256(lines.encode()).hexdigest()


def _room(parts: Sequence[str]) -> str:
    """The room of a test file: the first folders of its path."""
    folders = takewhile(lambda part: not part.startswith("test_"), parts)
    return "/".join(islice(folders, 2))


def not_passed(report: Path) -> set[str]:
    """The rooms in which a test failed or was skipped."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    bad = [one for one in cases if any(one.find(kind) is not None for kind in NOT_PASSED)]
    return {_room(one.attrib["classname"].split(".")) for one in bad}


def read(root: Path) -> dict[str, dict[str, str]]:
    """What has passed, by its name: the digest of the files, the line of the audit."""
    path = root / PROVED
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(root: Path, passed: Mapping[str, dict[str, str]]) -> None:
    """Write what has passed, beside what had passed before."""
    proved = {**read(root), **passed}
    text = BEGINNING
    for name in sorted(proved.keys() & current(root).keys()):
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in proved[name].items()]
        text += "".join(["\n", f"[{json.dumps(name)}]\n", *lines])
    (root / PROVED).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[1]
    if sys.argv[1:] == ["--has-passed"]:
        sys.exit(bool(due(here)))
    sys.exit(prove(here) or None)  # a sentence is an error
