"""What the document for instructors names is there."""

from __future__ import annotations

import re
import shlex

import pytest
from conftest import Command
from nbgrader.apps import NbGraderApp
from nbgrader.apps.dbapp import DbApp

from autograder.course import assignments, root

README = (root() / "README.md").read_text(encoding="utf-8")
PAGE = root() / "autograder" / "INSTRUCTORS.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONSOLE = "\n".join(re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)).replace("\\\n", "")
MAKEFILE = (root() / "Makefile").read_text(encoding="utf-8")
CALLS = [
    *re.findall(r"^\$ (.*)$", CONSOLE, re.MULTILINE),
    *re.findall(r"`((?:make|nbgrader|python -m autograder) [^`]*)`", TEXT),
]


def calls(program: str) -> list[list[str]]:
    """The words behind the name of a program, wherever it is called."""
    words = [shlex.split(call) for call in CALLS]
    length = len(program.split())
    return [w[length:] for w in words if re.sub(r"^\S*/", "", " ".join(w[:length])) == program]


def test_the_readme_links_it() -> None:
    assert f"({PAGE.relative_to(root()).as_posix()})" in README


def test_each_target_of_make_is_there_with_its_variables() -> None:
    named = calls("make")
    assert len(named) > 8
    for target, *variables in named:
        assert (rule := re.search(rf"^{target}: .*##.*\n\t.*", MAKEFILE, re.MULTILINE)), target
        for variable in variables:
            assert re.search(rf"\$\$\{{?{variable.split('=')[0]}\b", rule[0]), (target, variable)


def test_each_verb_of_nbgrader_is_there() -> None:
    named = calls("nbgrader")
    assert len(named) > 12
    for verb, *rest in named:
        assert verb in NbGraderApp.subcommands, verb
        if verb == "db":
            assert rest[0] in DbApp.subcommands


@pytest.mark.parametrize("call", calls("python -m autograder"), ids=" ".join)
def test_each_call_of_the_kit_is_understood(
    command: Command, call: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only usage is checked: files and submissions that a call names need not exist."""
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # after a call with --course, as it was
    run = command(*call, "--help")
    assert run.returncode == 0
    options = {word for word in call if word.startswith("--")}
    assert options <= {*re.findall(r"--[\w-]+", command("--help").stdout + run.stdout)}


def test_assignments_are_named_that_there_are() -> None:
    words = {word for call in CALLS for word in re.findall(r"\b[a-z]+_[a-z_]+\b", call)}
    named = words - NbGraderApp.subcommands.keys() - {"other_course"}
    assert named
    assert named <= {*assignments()}


def test_it_fits_a_terminal_and_links_what_is_there() -> None:
    blocks = re.findall(r"```\w+\n(.*?)```", TEXT, re.DOTALL)
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert blocks and links
    for block in blocks:
        assert not [line for line in block.splitlines() if len(line) > 80]
    for link in links:
        assert (PAGE.parent / link).exists(), link


def test_settings_are_named_that_there_are() -> None:
    settings = {*re.findall(r"\bc\.(\w+\.\w+)", TEXT)}
    known = {
        f"{owner.__name__}.{name}"
        for kind in _configurable()
        for owner in kind.__mro__
        if hasattr(owner, "class_trait_names")
        for name in owner.class_trait_names(config=True)
    }
    assert settings
    assert settings <= known


def _configurable() -> list[type]:
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import Exchange
    from nbgrader.plugins import LateSubmissionPlugin

    from autograder.nbgrader.exporter import SubmissionExporter

    return [CourseDirectory, Exchange, LateSubmissionPlugin, SubmissionExporter]
