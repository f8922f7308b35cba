"""Run the linters, all tests and the audit, unless they have passed on the files as they are.

`make proof` does so, and CI too. What has passed stands in `tests/proved.toml`, with a digest of
the files that it covers; the file is committed, so CI repeats nothing. With --has-passed, nothing
is run: exit code 0 says that all has passed.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROVED = "tests/proved.toml"
BEGINNING = "# `make proof` writes this file. A digest is that of the files on which all passed.\n"
COVERED = {"audit": ["autograder", "solutions", "pyproject.toml"]}
COVERED["lint"] = [*COVERED["audit"], "tests", "Makefile"]
COVERED["test-all"] = [*COVERED["lint"], "assignments"]


def prove(root: Path) -> str:
    """Run what has not passed on these files, and write down what has. Returns what is wrong."""
    proved = read(root)
    for target, before in due(root).items():
        print(f"make {target}: what it covers has changed since it last passed", flush=True)
        if subprocess.run(["make", target], cwd=root).returncode:
            return f"make {target} failed."
        if digest(root, COVERED[target]) != before:
            return f"Files were changed while make {target} was running. Run it again."
        if target == "test-all" and (skipped := not_run(root)):
            return f"make test-all passed, but {skipped} tests were skipped: run it where none is."
        proved[target] = {"digest": before}
        if target == "audit":
            certificate = (root / "build" / "certificate.json").read_text(encoding="utf-8")
            proved[target]["line"] = json.loads(certificate)["line"]
        write(root, proved)
    line = proved["audit"]["line"]
    if line not in (root / "README.md").read_text(encoding="utf-8").splitlines():
        return f"README.md does not say what the audit found: {line}"
    return ""


def due(root: Path) -> dict[str, str]:
    """What has not passed on the files as they are: targets of make, with digests of the files."""
    proved = read(root)
    now = {target: digest(root, COVERED[target]) for target in ("lint", "test-all", "audit")}
    return {name: one for name, one in now.items() if proved.get(name, {}).get("digest") != one}


def digest(root: Path, names: list[str]) -> str:
    """SHA-256 of the files that git knows in these places, other than documents."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--", *names]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    found = hashlib.sha256()
    for name in sorted(set(listed.split("\0")) - {"", PROVED}):
        if (root / name).is_file() and not name.endswith(".md"):
            content = (root / name).read_bytes()
            found.update(f"{name}\0{len(content)}\0".encode() + content)
    return found.hexdigest()


def not_run(root: Path) -> int:
    """How many tests were skipped."""
    suites = ElementTree.parse(root / "build" / "tests.xml").getroot()
    return sum(int(suite.attrib["skipped"]) for suite in suites)


def read(root: Path) -> dict[str, dict[str, str]]:
    """What has passed, by the target of make: the digest of the files, the line of the audit."""
    path = root / PROVED
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(root: Path, proved: dict[str, dict[str, str]]) -> None:
    """Write what has passed."""
    text = BEGINNING
    for target, entries in sorted(proved.items()):
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in entries.items()]
        text += "".join(["\n", f"[{target}]\n", *lines])
    (root / PROVED).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[1]
    if sys.argv[1:] == ["--has-passed"]:
        sys.exit(bool(due(here)))
    sys.exit(prove(here) or None)  # a sentence is an error
