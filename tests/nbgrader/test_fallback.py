"""Tests of courses whose nbgrader_config.py cannot be loaded: no student's code runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command
from course_in_nbgrader import generate, hand_in, nbgrader_in
from damage import Released

from autograder import course
from autograder.nbgrader.application import application
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.fallback import FALLBACK

NAME = "running_averages"
MARK = "ran_unlocked"  # a file that the submission writes if its cells are run


@pytest.fixture(scope="module")
def made(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which somebody has handed in a notebook that leaves a mark when it is run."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("fallback") / "course")
    app = application(folder)
    hand_in(app, "anna", marking(generate(app, NAME), folder / MARK))
    return folder


def marking(released: Released, mark: Path) -> Released:
    cell: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": []}
    written = {**cell, "execution_count": None, "source": f"open({str(mark)!r}, 'w').close()"}
    notebook = {**released.notebook, "cells": [written, *released.notebook["cells"]]}
    return Released(released.assignment, notebook, released.right)


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    text = str(made / MARK)
    folder = shutil.copytree(made, tmp_path / "course")
    [notebook] = folder.glob("submitted/*/*/*.ipynb")
    notebook.write_text(notebook.read_text().replace(text, str(folder / MARK)))
    return folder


def lines_of(folder: Path) -> int:
    return len((folder / "nbgrader_config.py").read_text().splitlines())


BROKEN = {
    "a syntax error": ('c.Exchange.root = "x\n', ", line {}: SyntaxError: unterminated string"),
    "an unknown name": ("c.Exchange.root = unknown\n", ", line {}: NameError: name 'unknown' is"),
    "an error elsewhere": (
        "import json; json.loads('x')\n",
        ", line {}: JSONDecodeError: Expecting value",
    ),
    "NUL bytes": ("\0\n", ""),
    "an end": ("raise SystemExit(0)\n", ", line {}: SystemExit: 0. Mend"),
    "an end elsewhere": ("import sys; sys.exit()\n", ", line {}: SystemExit. Mend"),
    "an end in words": ("raise SystemExit('No.')\n", ", line {}: SystemExit: No. Mend"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_our_commands_name_the_line_before_anything_runs(
    what: str, folder: Path, command: Command
) -> None:
    text, says = BROKEN[what]
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write(text)
    for verb in (["autograde", NAME], ["regrade", NAME], ["undo"]):
        done = command("nbgrader", *verb, "--course", folder)
        assert done.returncode == 3
        expected = f"{folder}/nbgrader_config.py{says.format(lines_of(folder))}"
        assert done.stderr.startswith(expected), done.stderr
        assert done.stderr.endswith(". Mend it; nothing was done.\n")
        assert len(done.stderr.splitlines()) == 1
    assert not (folder / MARK).exists()


@pytest.mark.parametrize("text", [None, "{", "{}"])
def test_our_commands_stop_without_a_configuration(
    text: str | None, folder: Path, command: Command
) -> None:
    (folder / "nbgrader_config.py").unlink()
    (folder / FALLBACK).unlink()
    if text is not None:
        (folder / FALLBACK).write_text(text)
    for verb in (["autograde", NAME], ["regrade", NAME], ["undo"]):
        done = command("nbgrader", *verb, "--course", folder)
        assert done.returncode == 3
        assert done.stderr.endswith(" is not an nbgrader course. Build one with make course.\n")
    assert not (folder / MARK).exists()


@pytest.mark.parametrize("command", ["autograde", "generate_feedback"])
@pytest.mark.parametrize("at", ["in its folder", "from elsewhere"])
@pytest.mark.parametrize("what", ["a syntax error", "nothing in it", "no file"])
def test_nbgrader_goes_no_further(
    what: str, at: str, command: str, folder: Path, tmp_path: Path
) -> None:
    path = folder / "nbgrader_config.py"
    path.write_text({"a syntax error": "c.x = (\n"}.get(what, ""))
    if what == "no file":
        path.unlink()
    says = {
        "a syntax error": f"{path}, line 1: SyntaxError: '(' was never closed. Mend it; nothing",
        "nothing in it": f"{path} does not call configure(c), which puts the kit's grader into",
        "no file": f"There is no {path}. Run make course, which writes it; nothing was done.",
    }[what]
    if command == "generate_feedback":
        shutil.copytree(folder / "submitted", folder / "autograded")
    (tmp_path / "elsewhere").mkdir()
    where = tmp_path / "elsewhere" if at == "from elsewhere" else folder
    said = nbgrader_in(folder)(command, NAME, "--course-dir", folder, at=where)
    assert says in " ".join(said.split())
    assert said.endswith("ended with 1\n")
    assert not (folder / MARK).exists()
    assert command == "generate_feedback" or not (folder / "autograded").exists()
    assert not list(folder.glob("feedback/*/*/*.html"))


def autograded_by_stock_nbgrader(folder: Path) -> subprocess.CompletedProcess[str]:
    """In a process of its own, where nothing of the kit is loaded but by the configuration.

    Its nbgrader_config.py cannot be loaded.
    """
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write("c.Exchange.root = (\n")
    environment = {**os.environ, "PYTHONPATH": str(course.root())}
    for name in ("CONFIG", "DATA", "RUNTIME"):
        environment[f"JUPYTER_{name}_DIR"] = str(folder.parent / name.lower())
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", NAME],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.dear
def test_stock_nbgrader_runs_no_students_code(folder: Path) -> None:
    run = autograded_by_stock_nbgrader(folder)
    assert run.returncode == 1
    last = run.stderr.rpartition("ERROR] ")[2]
    assert last.startswith(f"{folder}/nbgrader_config.py, line {lines_of(folder)}: SyntaxError")
    assert not (folder / MARK).exists()


@pytest.mark.dear
@pytest.mark.parametrize("text", [None, "{", "{}"])
def test_stock_nbgrader_runs_students_code_if_the_other_file_fails_too(
    text: str | None, folder: Path
) -> None:
    """SECURITY.md says so: nothing of the kit is loaded then."""
    (folder / FALLBACK).unlink()
    if text is not None:
        (folder / FALLBACK).write_text(text)
    autograded_by_stock_nbgrader(folder)
    assert (folder / MARK).exists()


@pytest.mark.parametrize("name", ["sanitize_preprocessors", "autograde_preprocessors"])
def test_no_option_lets_nbgraders_kernel_in(name: str, folder: Path) -> None:
    option = f"--Autograde.{name}=nbgrader.preprocessors.Execute"
    said = nbgrader_in(folder)("autograde", NAME, option)
    assert f"Autograde.{name} has nbgrader.preprocessors.Execute, which would run" in said
    assert said.endswith("ended with 1\n")
    assert not (folder / MARK).exists()


@pytest.mark.parametrize("where", ["below the kit's", "of the user", "named in the call"])
def test_no_configuration_lets_nbgraders_kernel_in(
    where: str, folder: Path, tmp_path: Path
) -> None:
    """The settings in the other file of the course count; nbgrader says so."""
    path = {
        "below the kit's": folder / "nbgrader_config.py",
        "of the user": tmp_path / "config" / "nbgrader_config.py",
        "named in the call": tmp_path / "own.py",
    }[where]
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        file.write("c.Autograde.exporter_class = 'nbconvert.exporters.NotebookExporter'\n")
        file.write("c.Autograde.autograde_preprocessors = ['nbgrader.preprocessors.Execute']\n")
    (folder / "release" / NAME / f"{NAME}.ipynb").unlink()  # so that nothing is graded
    options = [f"--config={path}"] if where == "named in the call" else []
    said = nbgrader_in(folder)("autograde", NAME, *options)
    assert f"There is no {folder}/release/" in said  # which is what the kit's grader says
    assert ("Collisions detected" in said) is (where == "below the kit's")
    assert not (folder / MARK).exists()


@pytest.mark.dear
def test_the_settings_are_written_whatever_is_there(tmp_path: Path) -> None:
    build(tmp_path)
    path = tmp_path / FALLBACK
    written = json.loads(path.read_text())
    path.write_text(json.dumps({"Exchange": {"root": "x"}, "Autograde": {"exporter_class": "y"}}))
    assert build(tmp_path) == [f"wrote {FALLBACK}"]
    assert json.loads(path.read_text()) == {"Exchange": {"root": "x"}, **written}
    path.unlink()
    assert build(tmp_path) == [f"wrote {FALLBACK}"]


@pytest.mark.dear
@pytest.mark.parametrize("text", ["{", "[]", '{"Autograde": 1}', '{"Other": 1}'])
def test_a_damaged_file_of_settings_is_one_sentence(
    text: str, command: Command, tmp_path: Path
) -> None:
    build(tmp_path)
    (tmp_path / FALLBACK).write_text(text)
    done = command("nbgrader", "course", tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith(f"{tmp_path}/{FALLBACK} cannot be read (")
    assert done.stderr.endswith("). Mend it, or move it away; nothing was done.\n")


def test_a_course_of_an_older_kit_gets_the_settings(folder: Path) -> None:
    (folder / FALLBACK).unlink()
    (folder / "release" / NAME / f"{NAME}.ipynb").unlink()  # so that nothing is graded
    said = nbgrader_in(folder)("autograde", NAME)
    assert "There is no" in said and "Collisions" not in said
    assert (folder / FALLBACK).is_file()
    assert "Collisions" not in nbgrader_in(folder)("autograde", NAME)
