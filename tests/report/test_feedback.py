"""Test what students and programs see: the terminal's text and the JSON contract."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace

import pytest
from class_reports import summary
from conftest import GradeText, of, points

from autograder import course
from autograder.checking.collect import Checks
from autograder.client import Problem
from autograder.course.skeletons import made_from
from autograder.grading import wording
from autograder.grading.grade import CheckGrade, Diagnosis, ExerciseGrade, Grade, Outcome
from autograder.report import as_html, as_output
from autograder.report.as_json import document
from autograder.report.columns import WIDTH
from autograder.report.feedback import GLYPHS, why_it_waits
from autograder.report.progress import Progress
from autograder.report.streams import Screen
from autograder.report.terminal import Terminal

WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")


def report(*grades: Grade, colour: bool = False) -> str:
    return "\n".join(Terminal(Screen(colour)).report(grades))


def width(line: str) -> int:
    """Return the columns that a line takes at a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_a_failing_check_says_what_differs(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    shown = report(grade_text(solutions["attention_layer"].replace(*WRONG_SCALE)))
    assert "  ✗ ScaledDotProduct         failed      0/6\n" in shown
    assert "    ✗ Gives 7.3106 for the numbers of the statement   0/1\n" in shown
    assert "      The numbers of the statement: expected 7.3106, got 6.6976.\n" in shown
    assert "      A batch of shape (3,): 30 of 30 numbers differ; first at [0, 0, 0]:\n" in shown
    assert "      Only this one: make grade SUBMISSION=. EX=ScaledDotProduct\n" in shown
    assert "  … AttentionHead            blocked     5/5   waits for ScaledDotProduct\n" in shown
    assert "      With a correct one this is right, so it has its points.\n" in shown
    assert "Next: fix ScaledDotProduct in attention_layer.py" in shown


@pytest.mark.dear
@pytest.mark.parametrize("exercise", ["", "running_mean_loop"])
def test_a_module_that_stops_at_import_is_the_next_step(
    exercise: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    """Before what is wrong in later assignments, and also if all else passes."""
    text = solutions["running_averages"].replace("from torch import Tensor\n", "")
    stopped = grade_text(text, "running_averages", exercise)
    wrong = grade_text(solutions["attention_layer"].replace(*WRONG_SCALE))
    step = "Next: mend what stops running_mean_loop in running_averages.py"
    for grades in ([stopped], [stopped, wrong], [stopped, *passing("multi_head")]):
        assert report(*grades).endswith(f"\n{step}")
        assert step in as_html.progress([(one, "a.html") for one in grades])
        shown = as_output.progress(grades).text
        assert step in shown and "NameError: name 'Tensor' is not defined" in shown


@pytest.mark.dear
def test_no_hints_means_no_name_either(grade_text: GradeText, solutions: dict[str, str]) -> None:
    """Without hints, the mistake is not named, for those who want to think first."""
    wrong = solutions["attention_layer"].replace(*WRONG_SCALE)
    grade = grade_text(wrong, exercise="ScaledDotProduct", named=True)
    [found] = of(grade, "ScaledDotProduct").diagnoses
    told = [found.mistake, *found.hints]
    for in_notebook in (False, True):
        shown = as_output.verdict(grade, 0, in_notebook)
        assert not [text for text in told if text in " ".join(shown.text.split())]
        assert not [text for text in told if text in shown.html]
        assert (as_output.NAME in shown.text) == in_notebook
    lines = [*Terminal(hints=0).report([grade])]
    assert "      The mistake: make grade SUBMISSION=. EX=ScaledDotProduct HINTS=1" in lines
    assert not [text for text in told if text in " ".join(" ".join(lines).split())]
    assert told[0] in " ".join(report(grade).split())


def test_an_unwritten_course_is_a_list_of_what_to_write(
    grade_text: GradeText, solutions: dict[str, str], checks: Checks
) -> None:
    shown = report(grade_text(made_from(solutions["attention_layer"]))).splitlines()
    assert shown[1] == "  ○ TestModule               missing     0/2"
    assert shown[-2:] == [
        f"Score: 0/{points('attention_layer'):g} (unlocked: with your own rights)",
        "Next: write TestModule in attention_layer.py",
    ]
    assert len(shown) == 4 + len(checks.exercises("attention_layer"))


@pytest.mark.dear
def test_nothing_is_wider_than_a_terminal(grade_text: GradeText, solutions: dict[str, str]) -> None:
    long = f"raise ValueError({'wide ' * 200!r})"
    broken = solutions["attention_layer"].replace(
        "scores = Q @ K", f"{long}\n        scores = Q @ K"
    )
    shown = report(grade_text(broken), grade_text(broken.replace("class Test", "clas Test")))
    assert "ValueError" in shown
    assert max(map(width, shown.splitlines())) <= WIDTH


@pytest.mark.dear
def test_sentence_comes_before_the_students_own_lines(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    broken = solutions["attention_layer"].replace(
        "scores = Q @ K.transpose(-2, -1)", "scores = shifted(Q, K)"
    )
    broken += "\n\ndef shifted(Q, K):\n    return Q @ K[0].nonsense\n"
    check = of(grade_text(broken), "ScaledDotProduct").checks[0]
    sentence, *lines = check.message.splitlines()
    assert sentence.startswith(
        "It raises AttributeError: 'Tensor' object has no attribute 'nonsense'"
    )
    assert [line.split(": ", 1)[1] for line in lines] == [
        "scores = shifted(Q, K)  # (..., L, S)",
        "return Q @ K[0].nonsense",
    ]


@pytest.mark.dear
def test_hidden_checks_show_only_title_category_and_points(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"]
    spoken = 'raise ValueError(f"inputs: {Q.tolist()}")'
    for broken in (
        text.replace(*WRONG_SCALE),
        text.replace("scores = Q @ K", f"print(Q); {spoken}; scores = Q @ K"),
        text.replace("return weights @ V", "return weights"),
    ):
        exercise = of(grade_text(broken), "ScaledDotProduct")
        hidden = [check for check in exercise.checks if not check.visible]
        assert len(hidden) == 1
        assert hidden[0].outcome is Outcome.FAILED
        assert hidden[0].message in ("Wrong values.", "Raised an error.", "Wrong shape.")
        assert hidden[0].printed == ""
        assert hidden[0].max_points == 1


@pytest.mark.dear
def test_what_was_printed_is_shown_and_cut(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    broken = solutions["attention_layer"].replace(*WRONG_SCALE)
    mixture = "        return weights @ V"
    broken = broken.replace(mixture, "        print('look: ' + 'x' * 200)\n" * 9 + mixture)
    shown = report(grade_text(broken))
    assert "      It printed:\n      | look: xxx" in shown
    assert "      | (and 4 more lines)" in shown
    assert max(map(width, shown.splitlines())) <= WIDTH


@pytest.mark.dear
def test_a_message_is_not_repeated(grade_text: GradeText, solutions: dict[str, str]) -> None:
    broken = solutions["attention_layer"].replace(
        "scores = Q @ K.transpose(-2, -1)", "scores = Q @ K.nonsense"
    )
    shown = report(grade_text(broken))
    assert shown.count("nonsense") == 2  # the exception and the line of code, once each
    assert "As above." in shown


@pytest.mark.dear
def test_colour_only_repeats_what_the_words_say(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    grade = grade_text(solutions["attention_layer"].replace(*WRONG_SCALE))
    plain, coloured = report(grade), report(grade, colour=True)
    assert "\x1b[31m✗\x1b[0m" in coloured
    for code in ("31", "32", "33", "35", "36", "0"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == plain


def test_every_outcome_has_a_glyph_of_its_own() -> None:
    assert len(set(GLYPHS.values())) == len(Outcome)


def test_an_error_of_the_grader_is_never_the_students() -> None:
    check = CheckGrade("x", "Title", Outcome.ERROR, 1.0, True, "KeyError: 'x'")
    grade = Grade("a", "p.py", "attention_layer", "needs_staff", (ExerciseGrade("E", (check,)),))
    shown = report(grade)
    assert "! E                        error" in shown
    assert "Next" not in shown


def test_two_mistakes_are_told_one_after_the_other() -> None:
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    two = (
        Diagnosis(("a",), "the scale is missing", ("Print the scores.", "Why?", "Divide.")),
        Diagnosis(("b", "c"), "", ("Print the shape.", "Which?", "Swap.")),
    )
    grade = Grade(
        "a", "p.py", "attention_layer", "graded", (ExerciseGrade("E", (check,), "", two),)
    )
    told = "\n".join(line.strip() for line in report(grade).splitlines()[2:7])
    assert told == (
        "It does what two mistakes together do. One, alone: the scale is missing.\n"
        "Look: Print the scores.\n"
        "The other, alone: as its hint says.\nLook: Print the shape.\n"
        "The next hint: make grade SUBMISSION=p.py EX=E HINTS=2"
    )


def two(path: str, check: CheckGrade, *others: CheckGrade) -> Grade:
    """Return a grade of two exercises, E with this check and F with the others."""
    exercises = (ExerciseGrade("E", (check,)), ExerciseGrade("F", others))
    return Grade("a", path, "multi_head", "graded", exercises)


@pytest.mark.dear
def test_the_terminal_says_how_to_rebuild_the_example_in_one_line(
    grade_text: GradeText, solutions: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = solutions["attention_layer"].replace(*WRONG_SCALE)
    grade = grade_text(wrong, exercise="ScaledDotProduct", named=True)
    typed = "make grade SUBMISSION=. EX=ScaledDotProduct PASTE=1"
    assert f"      To rebuild it: {typed}\n" in report(grade)
    shown = as_output.verdict(grade, 1, in_notebook=False).text
    assert shown.endswith("\n    To rebuild it: make grade EX=ScaledDotProduct PASTE=1")
    assert "PASTE" not in as_output.verdict(grade, 1, in_notebook=True).text
    assert "PASTE" not in report(grade_text(wrong, named=True))  # which tells how to grade it alone

    told = "\n".join(Terminal(pastes=True).report([grade]))
    assert "PASTE" not in told and max(map(len, told.splitlines())) <= 80
    _, _, lines = told.partition("      Lines that rebuild it, to paste below your code:\n")
    lines, _, _ = lines.partition("\n\nScore")
    exec(f"{wrong}\n{lines}", {"__name__": "attention_layer"})
    assert " 0.3395*" in told and "0.3395" in capsys.readouterr().out


def test_why_no_lines_rebuild_an_example_is_said_in_a_sentence(
    grade_text: GradeText, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pasting = Terminal(pastes=True)
    passed = grade_text(solutions["attention_layer"], exercise="ScaledDotProduct")
    none = "There is no example to rebuild: no exercise failed in a way that one shows."
    assert none in [*pasting.report([passed])]
    several = "Lines that rebuild an example are shown for one person's work: grade that alone."
    assert several in " ".join(summary([passed, passed], pastes=True))
    wrong = solutions["attention_layer"].replace(*WRONG_SCALE)
    failed = grade_text(wrong, exercise="ScaledDotProduct", named=True)
    monkeypatch.setattr("autograder.report.paste.MOST", 10)
    told = [*pasting.report([failed])]
    assert "      The lines that rebuild it would be too long to paste." in told
    assert none not in told
    assert "rebuild" not in report(failed) + report(passed)


@pytest.mark.parametrize("waits_for", ["A", "B"])
def test_why_an_exercise_waits_is_not_read_from_a_message(waits_for: str) -> None:
    reason = "The missing points can be given only once B passes."
    check = CheckGrade("c", "Title", Outcome.BLOCKED, 1, True, "Waits for A. Other text.")
    exercise = ExerciseGrade("E", (check, replace(check, unsuited=reason)), waits_for)
    assert why_it_waits(exercise) == reason
    assert why_it_waits(ExerciseGrade("E", (check,), waits_for)) == ""


def test_the_exercise_that_is_not_replaced_is_named() -> None:
    """The exercise that must pass may be another one than that which has to be fixed first."""
    said = wording.unsuited(Problem("unsuited", where="B", text="B is read bit by bit"))
    assert said.startswith("The missing points can be given only once B passes: ")


def test_what_was_graded_alone_needs_no_command_for_that() -> None:
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    grade = two("assignments/multi_head.py", check)
    assert "Only this one" in report(grade)
    assert "Only this one" not in report(replace(grade, exercises=grade.exercises[:1]))


def passing(*names: str) -> list[Grade]:
    check = CheckGrade("c", "Title", Outcome.PASSED, 1, True)
    exercise = ExerciseGrade("E", (check,))
    return [Grade(n, f"assignments/{n}.py", n, "graded", (exercise,)) for n in names]


def test_own_work_that_passes_is_followed_by_a_command() -> None:
    first, *others = course.assignments()
    assert report(*passing(first)).endswith("\nNext: make next")
    whole = report(*passing(first, *others))
    assert "\nEverything passes. Pack what you hand in: make submit\n" in whole
    assert course.declared().payoff in whole.replace("\n", " ")


def test_it_is_not_said_of_other_peoples_work_or_with_points_missing() -> None:
    first, *others = course.assignments()
    theirs = [replace(grade, path=f"in/{grade.path}") for grade in passing(first, *others)]
    assert report(*theirs).splitlines()[-1].startswith("Score: ")
    failed = CheckGrade("d", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    grade = two("assignments/multi_head.py", failed)
    assert report(grade).endswith("\nNext: fix E in assignments/multi_head.py")
    waiting = replace(failed, outcome=Outcome.BLOCKED)
    assert "\nNext:" not in report(two("assignments/multi_head.py", waiting))


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("assignments/multi_head.py", "make grade EX=E"),
        ("in/multi_head.zip/multi_head.py", "make grade SUBMISSION=in/multi_head.zip EX=E"),
        ("my work/multi_head.ipynb", "make grade SUBMISSION='my work' EX=E"),
        ("my work/mine.ipynb", "make grade SUBMISSION='my work/mine.ipynb' EX=E"),
    ],
)  # fmt: skip
def test_what_to_type_for_one_exercise(path: str, command: str) -> None:
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    assert f"      Only this one: {command}\n" in report(two(path, check))


def test_a_long_command_stands_whole_in_a_line_of_its_own() -> None:
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.")
    path = f"{'long/' * 12}multi_head.py"
    grade = two(path, check)
    command = f"make grade SUBMISSION={'long/' * 11}long EX=E"
    assert f"      Only this one:\n        {command}\n" in report(grade)


def test_summary_has_a_line_for_each(grade_text: GradeText, solutions: dict[str, str]) -> None:
    good = grade_text(solutions["attention_layer"])
    bad = Grade("b" * 40, "b.py", None, "unreadable", (), "There is no file b.py.")
    lines = summary([good, bad])
    full = f"{points('attention_layer'):g}"
    assert lines[0].split() == ["anna", "attention_layer", "graded", f"{full}/{full}"]
    assert lines[1].split()[1:] == ["?", "unreadable", "0/0"]
    assert lines[2].strip() == "There is no file b.py."
    assert max(map(width, lines)) <= WIDTH


def test_a_report_of_which_nothing_ran_does_not_say_how_it_ran() -> None:
    refused = Grade("b" * 40, "b.py", "multi_head", "unreadable", (), "There is no file b.py.")
    empty = replace(refused, status="graded")
    assert "\nScore: 0/0\n" in f"{report(refused)}\n"
    assert "Score: 0/0 (unlocked: with your own rights)" in report(refused, empty)


def test_progress_tells_the_pace_unless_few_are_left(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("graded")
    progress.done(1, 11, 40.0, "anna")
    progress.done(400, 1000, 240.0)
    progress.done(2, 11, 99.0, "ben")
    progress.done(11, 11, 0.0)
    assert capsys.readouterr().err.splitlines() == [
        "graded 1/11, 0.25 a second, 40 s left  anna",
        "graded 400/1000, 2.5 a second, 4 min left",
        "graded 2/11  ben",
        "graded 11/11",
    ]


def test_wide_letters_take_two_columns(
    grade_text: GradeText, solutions: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In messages, in printed text and in names, with blanks between them or not."""
    wide = "\N{CJK UNIFIED IDEOGRAPH-65E5}" * 60
    said = f"print({wide!r})\n    raise ValueError({' '.join([wide[:3]] * 60)!r})"
    head, _, _ = solutions["running_averages"].partition("### BEGIN SOLUTION")
    grade = grade_text(head + said, "running_averages", "running_mean_loop")
    shown = report(grade)
    assert shown.count(wide[0]) > 100
    named = [replace(grade, submission=name) for name in (wide, wide[:12], "anna")]
    lines = summary(named)
    places = {width(line.partition("running_averages")[0]) for line in lines[:3]}
    Progress("graded").done(1, 2, name=wide)
    lines += [*shown.splitlines()[1:], capsys.readouterr().err.rstrip()]
    assert max(map(width, lines)) <= WIDTH
    assert len(places) == 1


@pytest.mark.parametrize("columns", [80, 46, 40])
@pytest.mark.parametrize("is_written", [True, False])
def test_what_is_said_below_a_verdict_fits_into_the_terminal(
    is_written: bool,
    columns: int,
    grade_text: GradeText,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A path is not broken, and is that seen from the kit's folder."""
    text = solutions["attention_layer"]
    grade = grade_text(text if is_written else made_from(text), exercise="TestModule")
    for one in (as_output, course):
        monkeypatch.setattr(one, "is_students_copy", lambda: True)
    grade = replace(grade, path=str(course.root() / "assignments" / "attention_layer.py"))
    screen = Screen(False, columns)
    said = as_output.HIDDEN if is_written else as_output.NOT_WRITTEN
    verdict = as_output.verdict(grade, 1, False, screen).text
    assert said in " ".join(verdict.split())
    progress = as_output.progress([grade], screen).text
    assert "(unlocked: with your own rights)" in " ".join(progress.split())
    for line in f"{verdict}\n{progress}".splitlines():
        assert width(line) <= columns
    if not is_written:
        step = "Next: write TestModule in assignments/attention_layer.py"
        lines = progress.splitlines()
        assert (
            step in lines if columns >= len(step) else "  assignments/attention_layer.py" in lines
        )


@pytest.mark.dear
@pytest.mark.parametrize("columns", [80, 46, 40])
def test_a_narrow_terminal_breaks_no_name(
    columns: int, checks: Checks, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    wrong = solutions["attention_layer"].replace(*WRONG_SCALE)
    grade = grade_text(wrong, "attention_layer", named=True)
    terminal = Terminal(Screen(False, columns))
    names = [exercise.name for exercise in checks.exercises("attention_layer")]
    row = [*terminal.row(grade)]
    lines = [line for one in grade.exercises for line in terminal.exercise(one, grade)]
    for shown in (row, [one for one in lines if "ScaledDotProduct" in one]):
        assert max(map(len, shown)) <= columns
    assert all(any(name in line.split() for line in row) for name in names)
    assert len(row[-1]) - len(row[-1].lstrip()) == (26 if columns >= 48 else 2)


def test_json_has_exactly_the_keys_of_the_contract(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    grade = grade_text(solutions["attention_layer"].replace(*WRONG_SCALE))
    data = json.loads(document([grade], locked=False, course="12345678"))
    assert data.keys() == {"format", "sandbox", "course", "submissions", "complete"}
    assert (data["format"], data["sandbox"]) == (1, "unlocked")
    submission = data["submissions"][0]
    assert submission.keys() == {
        "submission", "path", "assignment", "optional", "status", "message", "score", "max_score",
        "exercises",
    }  # fmt: skip
    [exercise] = [e for e in submission["exercises"] if e["name"] == "ScaledDotProduct"]
    assert exercise.keys() == {
        "name", "status", "score", "max_score", "waits_for", "misconceptions", "diagnoses",
        "alike", "comment", "example", "checks",
    }  # fmt: skip
    assert exercise["status"] == "failed"
    assert exercise["checks"][0].keys() == {
        "name", "title", "status", "points", "max_points", "visible", "message",
    }  # fmt: skip
    assert submission["score"] == sum(e["score"] for e in submission["exercises"])
    for e in submission["exercises"]:
        assert e["score"] == sum(check["points"] for check in e["checks"])
        assert isinstance(e["score"], float)
    assert isinstance(submission["max_score"], float)
    assert [e["waits_for"] for e in submission["exercises"]].count("ScaledDotProduct") == 2


def test_json_says_locked_when_it_was() -> None:
    assert json.loads(document([], locked=True, course="0"))["sandbox"] == "locked"
