"""Tests of mistakes in the options of nbgrader_config.py, each of which is one sentence."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, contents
from course_in_nbgrader import generate, grade_nothing, hand_in, nbgrader_in

from autograder.course import root
from autograder.nbgrader.application import application
from autograder.nbgrader.fallback import CONFIGURATION, FALLBACK
from autograder.nbgrader.trouble import URL, why_no_database

NAME = "running_averages"


@pytest.fixture(scope="module")
def released(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which somebody has handed in a notebook."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("options") / "course")
    app = application(folder)
    hand_in(app, "anna", generate(app, NAME))
    return folder


@pytest.fixture
def folder(released: Path, tmp_path: Path) -> Path:
    return shutil.copytree(released, tmp_path / "course")


def add(folder: Path, *lines: str) -> None:
    with (folder / CONFIGURATION).open("a") as file:
        file.write("".join(f"{line}\n" for line in lines))


def add_settings(folder: Path, section: str, options: dict[str, Any]) -> None:
    """Add options to the file of settings that nbgrader reads beside nbgrader_config.py."""
    path = folder / FALLBACK
    path.write_text(json.dumps({**json.loads(path.read_text()), section: options}))


VAIN = {  # what has no effect -> why
    'c.LateSubmissionPlugin.penalty_metod = "zero"': "c.LateSubmissionPlugin.penalty_metod has no "
    "effect: LateSubmissionPlugin has no such option. Did you mean penalty_method?",
    "c.SubmissionExporter.second = 20": "c.SubmissionExporter.second has no effect: "
    "SubmissionExporter has no such option. Did you mean seconds?",
    "c.Autograde.SubmissionExporter.second = 20": "c.SubmissionExporter.second has no effect: "
    "SubmissionExporter has no such option. Did you mean seconds?",
    "c.CourseDirectory.zebra = 1": "c.CourseDirectory.zebra has no effect: CourseDirectory has no "
    "such option.",
    "c.SubmissionExportr.seconds = 20": "c.SubmissionExportr has no effect: nbgrader knows no "
    "SubmissionExportr. Did you mean SubmissionExporter?",
    "c.submissionExporter.seconds = 20": "c.submissionExporter has no effect: nbgrader knows no "
    "submissionExporter. Did you mean SubmissionExporter?",
    "c.Zebra.stripes = 20": "c.Zebra has no effect: nbgrader knows no Zebra.",
}


@pytest.mark.dear
def test_what_has_no_effect_is_said_once(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade_nothing(monkeypatch)
    add(folder, *VAIN)
    expected = {f"{folder / CONFIGURATION}: {said}" for said in VAIN.values()}
    for verb in (["autograde", NAME], ["regrade", NAME, "--dry"], ["undo"]):
        said = command("nbgrader", *verb, "--course", folder).stderr.splitlines()
        told = [line for line in said if line.startswith(str(folder / CONFIGURATION))]
        assert sorted(told) == sorted(expected), verb


MEANT = (  # all of them count
    "c.LateSubmissionPlugin.penalty_method = 'zero'",
    "c.Autograde.SubmissionExporter.seconds = 9",
    "c.ExchangeCollect.check_owner = False",
    "c.Exchange.course_id = 'moved by nbgrader'",
    "c.NbGrader.student_id = '*'",
    "c.CourseDirectory.ignore.append('old')",
    "c.ClearSolutions.begin_solution_delimeter = 'BEGIN'",
    "from nbgrader.plugins import ExportPlugin",
    "class Own(ExportPlugin): own = __import__('traitlets').Bool().tag(config=True)",
    "c.ExportApp.plugin_class = Own",
    "c.Own.own = True",
    "c.ExportPlugin.own = True",
)


def test_of_what_counts_nothing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(folder, *MEANT)
    application(folder)
    assert capsys.readouterr().err == ""


NO_DATABASE = {  # none of these sentences has the password in it
    "": f"is not the URL of a database: {URL}",
    "gradebook.db": f"is not the URL of a database: {URL}",
    "postgresql//anna:secret@host/x": f"is not the URL of a database: {URL}",
    "postgrsql://anna:secret@host/x": "names postgrsql, which is no kind of database here: " + URL,
    "postgresql://anna:secret@host:port/x": f"has a port that is not a number: {URL}",
    "mysql+nosuch://anna:secret@host/x": "names mysql+nosuch, which is no kind of database here: "
    + URL,
    "mysql://anna:secret@host/x": "needs the Python package MySQLdb, which cannot be imported: "
    f"install it, or {URL}",
    "sqlite://gradebook.db": "cannot be used (Invalid SQLite URL: sqlite://gradebook.db): " + URL,
    "sqlite:///x.db?timeout=long": "cannot be used (could not convert string to float: 'long'): "
    + URL,
}
TWO_URLS = ("gradebook.db", "mysql://anna:secret@host/x")
WRONG = {
    'c.SubmissionExporter.seconds = "many"': "seconds expected a float, not the str 'many'",
    'c.SubmissionExporter.budget = "120"': "budget expected a float, not the str '120'",
    'c.SubmissionExporter.unlocked = "no"': "unlocked expected a boolean, not the str 'no'",
    "c.SubmissionExporter.hints = 1.5": "hints expected an int, not the float 1.5",
    "c.SubmissionExporter.hints = 9": "hints should not be greater than 3, but a value of 9 was "
    "specified",
    "c.SubmissionExporter.hints = True": "hints expected an int, not the bool True",
    "c.SubmissionExporter.hints = False": "hints expected an int, not the bool False",
    "c.SubmissionExporter.budget = True": "budget expected a float, not the bool True",
    "c.SubmissionExporter.seconds = None": "seconds expected a float, not the NoneType None",
    'c.ExchangeCollect.check_owner = "x"': "check_owner expected a boolean, not the str 'x'",
    'c.LateSubmissionPlugin.penalty_method = "zeroo"': "penalty_method expected any of ['none', "
    "'zero'], not the str 'zeroo'",
    "c.CourseDirectory.db_url = 3": "db_url expected a unicode string, not the int 3",
    **{f"c.CourseDirectory.db_url = {url!r}": f"db_url {NO_DATABASE[url]}" for url in TWO_URLS},
    'c.ExchangeFactory.collect = "nosuch.Collect"': "collect must be a type, but 'nosuch.Collect' "
    "could not be imported",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_is_one_sentence(line: str, folder: Path, command: Command) -> None:
    add(folder, line)
    section = line.partition(" = ")[0].rpartition(".")[0]
    for verb in (["autograde", NAME], ["regrade", NAME], ["undo"]):
        done = command("nbgrader", *verb, "--course", folder)
        assert done.returncode == 3
        assert done.stderr == (
            f"{folder / CONFIGURATION}: {section}.{WRONG[line]}. Mend it; nothing was done.\n"
        )


def test_each_url_that_is_proposed_is_one() -> None:
    guide, template = (
        (root() / "autograder" / name).read_text(encoding="utf-8")
        for name in ("INSTRUCTORS.md", f"nbgrader/{CONFIGURATION}")
    )
    proposed = [*re.findall(r"\S+:///?\S+", URL)]
    for text in (guide, template):
        proposed += re.findall(r'c\.CourseDirectory\.db_url = "(.*)"', text)
    assert len(proposed) == 4
    assert [why_no_database(url) for url in proposed] == [""] * 4


@pytest.mark.parametrize("url", NO_DATABASE)
def test_a_url_that_is_none_of_a_database_says_why(url: str) -> None:
    assert why_no_database(url) == NO_DATABASE[url]


@pytest.mark.parametrize(
    "line", [one for one in WRONG if any(kind in one for kind in ("Exporter", "Late", "mysql"))]
)
def test_nbgrader_itself_says_a_wrong_value_in_one_sentence(line: str, folder: Path) -> None:
    add(folder, line)
    said = nbgrader_in(folder)("autograde", NAME)
    section = line.partition(" = ")[0].rpartition(".")[0]
    assert f"ERROR] {CONFIGURATION}: {section}.{WRONG[line]}. Mend it;" in said
    assert "Traceback" not in said and said.endswith("ended with 1\n")
    assert not (folder / "autograded").exists()


@pytest.mark.parametrize("command", ["autograde", "generate_feedback"])
def test_a_wrong_value_in_the_call_is_one_sentence(command: str, folder: Path) -> None:
    kind, option = {
        "autograde": ("SubmissionExporter", "seconds=many"),
        "generate_feedback": ("FeedbackExporter", "sanitize_html=maybe"),
    }[command]
    if command == "generate_feedback":
        shutil.copytree(folder / "submitted", folder / "autograded")
    said = nbgrader_in(folder)(command, NAME, f"--{kind}.{option}")
    name, _, value = option.partition("=")
    assert f"The '{name}' trait of a {kind} instance expected a " in said
    assert f"not the str '{value}'. Mend that option of nbgrader; nothing was done." in said
    assert "Traceback" not in said and said.endswith("ended with 1\n")


@pytest.mark.parametrize("command", ["autograde", "generate_assignment", "export"])
@pytest.mark.parametrize("url", TWO_URLS)
def test_a_wrong_url_in_the_call_is_one_sentence(url: str, command: str, folder: Path) -> None:
    """Other commands of nbgrader open the gradebook too."""
    names = [] if command == "export" else [NAME, "--force"]
    before = contents(folder / "release"), contents(folder / "submitted")
    said = nbgrader_in(folder)(command, *names, f"--CourseDirectory.db_url={url}")
    sentence = f"CourseDirectory.db_url {NO_DATABASE[url]}. Mend that option of nbgrader; nothing"
    assert said.count(sentence) == 1
    assert "Traceback" not in said and said.endswith("ended with 1\n")
    assert (contents(folder / "release"), contents(folder / "submitted")) == before
    assert not (folder / "autograded").exists() and not list(folder.glob("*.csv"))


# The other file, which nbgrader reads as well


def test_a_wrong_value_in_the_other_file_names_that_file(folder: Path, command: Command) -> None:
    add_settings(folder, "SubmissionExporter", {"unlocked": "no"})
    why = "SubmissionExporter.unlocked expected a boolean, not the str 'no'. Mend it; nothing was"
    for verb in (["autograde", NAME], ["regrade", NAME], ["undo"]):
        done = command("nbgrader", *verb, "--course", folder)
        assert (done.returncode, done.stderr) == (3, f"{folder / FALLBACK}: {why} done.\n")
    said = nbgrader_in(folder)("autograde", NAME)
    assert f"ERROR] {FALLBACK}: {why}" in said and said.endswith("ended with 1\n")


@pytest.mark.dear
def test_what_has_no_effect_in_the_other_file_is_said(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade_nothing(monkeypatch)
    add_settings(folder, "SubmissionExporter", {"secnds": 3})
    why = "has no effect: SubmissionExporter has no such option. Did you mean seconds?"
    for verb in (["autograde", NAME], ["regrade", NAME, "--dry"], ["undo"]):
        said = command("nbgrader", *verb, "--course", folder).stderr.splitlines()
        assert said.count(f"{folder / FALLBACK}: SubmissionExporter.secnds {why}") == 1, verb


def test_a_damaged_other_file_is_one_sentence(folder: Path, command: Command) -> None:
    (folder / FALLBACK).write_text("{")
    done = command("nbgrader", "autograde", NAME, "--course", folder)
    assert done.returncode == 3
    assert done.stderr.startswith(f"{folder / FALLBACK} cannot be read (")
    assert len(done.stderr.splitlines()) == 1
