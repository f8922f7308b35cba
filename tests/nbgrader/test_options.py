"""Tests of mistakes in the options of nbgrader_config.py, each of which is one sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Command
from course_in_nbgrader import generate, grade_nothing, hand_in, nbgrader_in

from autograder.nbgrader.application import application
from autograder.nbgrader.fallback import CONFIGURATION

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


WRONG = {
    'c.SubmissionExporter.seconds = "many"': "seconds expected a float, not the str 'many'",
    'c.SubmissionExporter.budget = "120"': "budget expected a float, not the str '120'",
    'c.SubmissionExporter.unlocked = "no"': "unlocked expected a boolean, not the str 'no'",
    "c.SubmissionExporter.hints = 1.5": "hints expected an int, not the float 1.5",
    "c.SubmissionExporter.hints = 9": "hints should not be greater than 3, but a value of 9 was "
    "specified",
    "c.SubmissionExporter.seconds = None": "seconds expected a float, not the NoneType None",
    'c.ExchangeCollect.check_owner = "x"': "check_owner expected a boolean, not the str 'x'",
    'c.LateSubmissionPlugin.penalty_method = "zeroo"': "penalty_method expected any of ['none', "
    "'zero'], not the str 'zeroo'",
    "c.CourseDirectory.db_url = 3": "db_url expected a unicode string, not the int 3",
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


@pytest.mark.parametrize("line", [one for one in WRONG if "Exporter" in one or "Late" in one])
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
