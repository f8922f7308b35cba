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
audit:
\t@echo audit >>ran
\t@mkdir -p build
\t@echo '{"line": "all of it holds"}' >build/certificate.json
"""
TEST = """\
import pytest

def test_it() -> None:
    with open("ran", "a") as file:
        file.write("{}\\n")
"""
FILES = {
    "Makefile": MAKEFILE,
    "README.md": "all of it holds\n",
    "autograder/engine.py": "engine = 1\n",
    "autograder/engine.md": "# The engine\n",
    "solutions/course.py": "course = 1\n",
    "assignments/course.py": "course = 1\n",
    "tests/helper.py": "helper = 1\n",
    "tests/test_top.py": TEST.format("tests"),
    "tests/kit/test_kit.py": TEST.format("tests/kit"),
    "tests/kit/deep/test_deep.py": TEST.format("tests/kit").replace("test_it", "test_deep"),
    "tests/report/test_report.py": TEST.format("tests/report"),
}
ROOMS = ["tests", "tests/kit", "tests/report"]
ALL = ["lint", *ROOMS, "audit"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which all has passed once."""
    monkeypatch.delenv("PARALLEL", raising=False)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    assert prove(tmp_path) == ""
    assert ran(tmp_path) == ALL
    subprocess.run(["git", "add", PROVED], cwd=tmp_path, check=True)
    return tmp_path


def ran(project: Path) -> list[str]:
    """What has been run since this was asked before, each once."""
    path = project / "ran"
    found = path.read_text(encoding="utf-8").split() if path.exists() else []
    path.unlink(missing_ok=True)
    return sorted({*found}, key=ALL.index)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.dear
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("autograder/engine.py", ALL),
        ("solutions/course.py", ALL),
        ("Makefile", ["lint", *ROOMS]),
        ("assignments/course.py", ROOMS),
        ("tests/helper.py", ["lint", *ROOMS]),
        ("tests/test_top.py", ["lint", "tests"]),
        ("tests/kit/test_kit.py", ["lint", "tests", "tests/kit"]),
        ("tests/kit/deep/test_deep.py", ["lint", "tests", "tests/kit"]),
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
        assert [*due(project)] == runs
        assert prove(project) == ""
        assert ran(project) == runs


@pytest.mark.dear
def test_a_removed_room_is_a_change_and_leaves_nothing_behind(project: Path) -> None:
    (project / "tests" / "report" / "test_report.py").unlink()
    assert prove(project) == ""
    assert ran(project) == ["lint", "tests"]
    assert "tests/report" not in read(project)


@pytest.mark.dear
def test_a_digest_of_other_files_is_none(project: Path) -> None:
    change(project / PROVED, 'digest = "', 'digest = "0')
    assert prove(project) == ""
    assert ran(project) == ALL


IT = "def test_it() -> None:"
BREAKS = {
    "the linters complain": (
        "Makefile",
        "lint >>ran\n",
        "lint >>ran; false\n",
        "make lint failed.",
    ),
    "a test fails": (
        "tests/kit/test_kit.py",
        IT,
        f"def test_bad() -> None:\n    assert False\n\n{IT}",
        "Tests failed or were skipped in tests/kit.",
    ),
    "a test of a class fails": (
        "tests/test_top.py",
        IT,
        f"class TestBad:\n    def test_bad(self) -> None:\n        assert False\n\n{IT}",
        "Tests failed or were skipped in tests.",
    ),
    "a test is skipped": (
        "tests/kit/test_kit.py",
        IT,
        f"@pytest.mark.skip\ndef test_left() -> None: ...\n\n{IT}",
        "Tests failed or were skipped in tests/kit.",
    ),
    "a fixture fails": (
        "tests/kit/test_kit.py",
        IT,
        "@pytest.fixture\ndef broken() -> None:\n    assert False\n\n"
        f"def test_bad(broken: None) -> None: ...\n\n{IT}",
        "Tests failed or were skipped in tests/kit.",
    ),
    "a test cannot be read": (
        "tests/kit/test_kit.py",
        "import pytest",
        "import nothing_of_this_name",
        "The tests came to no end: exit code 2 of pytest.",
    ),
    "the tests are interrupted": (
        "tests/test_top.py",
        "import pytest",
        "import pytest\n\ndef test_first() -> None:\n    raise KeyboardInterrupt",
        "The tests came to no end: exit code 2 of pytest.",
    ),
    "a file changes meanwhile": (
        "tests/kit/test_kit.py",
        IT,
        'def test_bad() -> None:\n    open("solutions/course.py", "a").write("x = 1")\n\n' + IT,
        "Files were changed while the tests were running. Run them again.",
    ),
    "a file changes while the audit runs": (
        "solutions/course.py",
        "1",
        "2",
        "Files were changed while make audit was running. Run it again.",
    ),
}


@pytest.mark.parametrize("how", BREAKS)
def test_what_has_not_passed_is_not_written(how: str, project: Path) -> None:
    name, old, new, sentence = BREAKS[how]
    if "audit" in how:
        change(project / "Makefile", "audit >>ran", "audit >>ran; echo >>solutions/course.py")
    before = read(project)
    change(project / name, old, new)
    assert prove(project) == sentence
    target = next((one for one in ("lint", "audit") if one in sentence), name.rpartition("/")[0])
    assert read(project)[target] == before[target]
    assert ran(project)
    assert prove(project) == sentence


@pytest.mark.dear
def test_other_rooms_pass_although_one_does_not(project: Path) -> None:
    change(project / "autograder" / "engine.py", "1", "2")
    change(project / "tests" / "kit" / "test_kit.py", IT, f"def test_bad(): 1 / 0\n\n{IT}")
    assert prove(project) == "Tests failed or were skipped in tests/kit."
    assert ran(project) == ["lint", *ROOMS]
    change(project / "tests" / "kit" / "test_kit.py", "1 / 0", "...")
    assert prove(project) == ""
    assert ran(project) == ["lint", "tests", "tests/kit", "audit"]  # `tests` reads all tests


@pytest.mark.dear
def test_tests_run_side_by_side_where_make_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARALLEL", "--maxfail 1 --no-such-option")
    change(project / "autograder" / "engine.py", "1", "2")
    assert prove(project) == "The tests came to no end: exit code 4 of pytest."


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
