"""What has passed is run again only when its files have changed; nothing else is written down."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from proof import PROVED, due, prove, read

MAKEFILE = """\
lint:
\t@echo lint >>ran
test-all:
\t@echo tests >>ran
\t@mkdir -p build
\t@echo '<testsuites><testsuite skipped="0" /></testsuites>' >build/tests.xml
audit:
\t@echo audit >>ran
\t@echo '{"line": "all of it holds"}' >build/certificate.json
"""
FILES = {
    "Makefile": MAKEFILE,
    "README.md": "all of it holds\n",
    "autograder/engine.py": "engine = 1\n",
    "autograder/engine.md": "# The engine\n",
    "solutions/course.py": "course = 1\n",
    "tests/test_it.py": "test = 1\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in which all has passed once."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    assert prove(tmp_path) == ""
    assert ran(tmp_path) == ["lint", "tests", "audit"]
    subprocess.run(["git", "add", PROVED], cwd=tmp_path, check=True)
    return tmp_path


def ran(project: Path) -> list[str]:
    """What has been run since this was asked before."""
    path = project / "ran"
    found = path.read_text(encoding="utf-8").split() if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("autograder/engine.py", ["lint", "tests", "audit"]),
        ("solutions/course.py", ["lint", "tests", "audit"]),
        ("tests/test_it.py", ["lint", "tests"]),
        ("autograder/engine.md", []),
        ("README.md", []),
        ("", []),
    ],
)
def test_what_covers_a_changed_file_is_run(name: str, expected: list[str], project: Path) -> None:
    if name:
        with (project / name).open("a", encoding="utf-8") as file:
            file.write("more = 1\n")
    for runs in (expected, []):
        assert [target.replace("test-all", "tests") for target in due(project)] == runs
        assert prove(project) == ""
        assert ran(project) == runs


def test_a_removed_file_is_a_change(project: Path) -> None:
    (project / "tests" / "test_it.py").unlink()
    assert prove(project) == ""
    assert ran(project) == ["lint", "tests"]


def test_a_digest_of_other_files_is_none(project: Path) -> None:
    change(project / PROVED, 'digest = "', 'digest = "0')
    assert prove(project) == ""
    assert ran(project) == ["lint", "tests", "audit"]


BREAKS = {
    "the linters complain": (
        "Makefile",
        "lint >>ran\n",
        "lint >>ran; false\n",
        "make lint failed.",
    ),
    "the tests fail": (
        "Makefile",
        "tests >>ran\n",
        "tests >>ran; false\n",
        "make test-all failed.",
    ),
    "a test is skipped": ("Makefile", 'skipped="0"', 'skipped="2"', "2 tests were skipped"),
    "a file changes meanwhile": (
        "Makefile",
        "tests >>ran",
        "tests >>ran; echo >>solutions/course.py",
        "Files were changed while make test-all was running.",
    ),
}


@pytest.mark.parametrize("how", BREAKS)
def test_what_has_not_passed_is_not_written(how: str, project: Path) -> None:
    name, old, new, sentence = BREAKS[how]
    before = read(project)
    change(project / name, old, new)
    assert sentence in prove(project)
    target = "lint" if "lint" in sentence else "test-all"
    assert read(project)[target] == before[target]
    assert ran(project)
    assert sentence in prove(project)


def test_the_readme_quotes_the_audit(project: Path) -> None:
    change(project / "README.md", "holds", "held")
    assert prove(project) == "README.md does not say what the audit found: all of it holds"
    assert ran(project) == []


def test_the_script_fails_with_a_sentence(project: Path) -> None:
    script = shutil.copy(Path(__file__).with_name("proof.py"), project / "tests" / "proof.py")
    command = [sys.executable, str(script)]
    for flags in ([], ["--has-passed"]):
        run = subprocess.run([*command, *flags], capture_output=True, text=True)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    change(project / "autograder" / "engine.py", "engine = 1", "engine = 2")
    run = subprocess.run([*command, "--has-passed"], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr, ran(project)) == (1, "", "", [])
    change(project / "autograder" / "engine.py", "engine = 2", "engine = 1")
    change(project / "README.md", "holds", "held")
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == "README.md does not say what the audit found: all of it holds\n"
