"""Every report of a submission is bounded, whatever the submission's texts are."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from bounds import CHARACTERS, LINES
from class_reports import summary, table
from conftest import GradeText, sampled
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading import fitting
from autograder.grading.fitting import MESSAGE, NAME, PATH, PRINTED, TextLimit, cut, fit
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import as_cell, as_html
from autograder.report.as_json import document
from autograder.report.copied import command
from autograder.report.terminal import Terminal
from autograder.submissions import ids

BASE = "attention_layer"
MIXTURE = "        return weights @ V"
CLASS = "class ScaledDotProduct(nn.Module):"
VILE = "\x1b[31m\x1b]0;title\x07\u202e\u2066\u200b\u0000\x9b2J\r\x08a" + "\u0301" * 50
LONG = "<&'\\\"" * 40_000
UNLIKE = "n = globals().setdefault('n', [0]); n[0] += 1; "  # makes every message a new one


def body(line: str) -> tuple[str, str]:
    """Return a replacement that puts code in front of the line that mixes the values."""
    indented = "\n        ".join(line.split("\n"))
    return MIXTURE, f"        {indented}\n{MIXTURE} * 0"


def parameters(number: int, name: str) -> tuple[str, str]:
    """Return a replacement that adds parameters with these names to every class."""
    more = (
        f"\n        for i in range({number}): "
        f"self.register_parameter({name}, nn.Parameter(torch.zeros(1)))"
    )
    return "super().__init__()", f"super().__init__(){more}"


SUBMISSIONS = {
    "many names": parameters(999, "f'p{i}'"),
    "many long names": parameters(400, "f'p{i}' + 'x' * 590"),
    "names that move and hide": parameters(300, f"f'p{{i}}' + {VILE.replace(chr(0), '')!r}"),
    "names of other forms": parameters(300, "f'p{i}' + '<&\"' * 90"),
    "a long message": body(f"raise ValueError({LONG[:50]!r} * 20000)"),
    "long messages that differ": body(f"{UNLIKE}raise ValueError(str(n[0]) + {LONG[:50]!r} * 999)"),
    "a message of many lines": body("raise ValueError('\\n'.join('ab' * 999))"),
    "a message that moves and hides": body(f"raise ValueError({VILE!r} * 999)"),
    "a long name of an error": body("raise type('E' * 99999, (Exception,), {})('why')"),
    "a long line of code": body(f"x = {'1 + ' * 5000}1; raise ValueError"),
    "a long way to an error": body(
        "def f(n): return g(n - 1) if n else 1 / 0\ndef g(n): return f(n - 1) if n else 1 / 0\n"
        "f(500)"
    ),
    "endless calls": body("def f(): return f()\nf()"),
    "a chain of errors": body(
        "e = ValueError('a' * 999)\nfor i in range(999):\n"
        "    try: raise ValueError('b' * 999) from e\n"
        "    except ValueError as f: e = f\nraise e"
    ),
    "printed": body(f"{UNLIKE}print(n, {LONG[:50]!r} * 9999)"),
    "many lines printed": body(f"{UNLIKE}print('\\n'.join(map(str, range(n[0], 9999))))"),
    "empty lines printed": body(f"{UNLIKE}print(n, '\\n' * 99999)"),
    "printed to both": body(
        f"{UNLIKE}import sys; print('o' * 99999, n); sys.stderr.write('e' * 9999)"
    ),
    "printed to move and hide": body(f"{UNLIKE}print(n, {VILE!r} * 9999)"),
    "a long name of a result": (MIXTURE, "        return type('R' * 99999, (), {})()"),
    "a deep result": (
        MIXTURE, "        r = V\n        for _ in range(900): r = [r]\n        return r"
    ),
    "a wide result": (MIXTURE, "        return [V] * 60"),
    "a result of empty rows": (MIXTURE, "        return V.new_zeros(1 << 20, 0)"),
    "a result of empty rows of rows": (MIXTURE, "        return V.new_zeros(*[64] * 9, 0)"),
    "a result of many dimensions": (MIXTURE, "        return V.new_zeros(*[1] * 16)"),
    "large numbers": (MIXTURE, f"{MIXTURE} * 1.7e308"),
    "a long name that is nearly right": (CLASS, f"class ScaledDotProduc{'t' * 3}(nn.Module):"),
    "many packages that are not there": (
        "import torch\n",
        "import torch\n" + "".join(f"import nothing{i}{'x' * 500}\n" for i in range(99)),
    ),
    "a long line that Python cannot read": (CLASS, f"{'(' * 150}{'x' * 99999}\n{CLASS}"),
    "a message at its beginning": ("import torch\n", f"raise ValueError({LONG[:999]!r})\n"),
    "a warning": body(f"import warnings; {UNLIKE}warnings.warn(str(n) + {LONG[:50]!r} * 999)"),
}  # fmt: skip


TEXTS = (
    LONG, VILE * 2_000, "\n" * 200_000, "a\n" * 100_000, "a " * 100_000, "\u0301" * 100_000,
    "\u3042" * 200_000, "\x1b]" * 100_000, "\x1b[" + "0;" * 100_000, "\ud800" * 9_999,
    "\t" * 99_999, "\r\n" * 99_999, ("x" * 299 + " ") * 999, "\u202e" * 99_999,
    "\N{REPLACEMENT CHARACTER}" * 99_999,
)  # fmt: skip


def reports(grade: Grade) -> dict[str, str]:
    """Return all reports of a grade by format."""
    terminal = Terminal(hints=3)
    cells = [
        part
        for exercise in grade.exercises
        for part in (as_cell.html(exercise, grade, 3), as_cell.text(exercise, grade, 3))
    ]
    return {
        "terminal": "\n".join([*terminal.report([grade]), *summary([grade])]),
        "JSON": document([grade], locked=True, course=""),
        "page": as_html.page(grade, 3),
        "CSV": table([grade]),
        "cells": "\n".join([*cells, as_cell.note_html(grade), as_cell.note_text(grade)]),
    }


def assert_bounded(grade: Grade) -> None:
    for form, text in reports(grade).items():
        assert len(text) <= CHARACTERS[form], form
        assert text.count("\n") <= LINES[form], form
        shown = text.replace("\r\n", "\n") if form == "CSV" else text
        assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\n"]
    assert_fits(grade.submission, NAME)
    assert_fits(grade.path, PATH)
    assert_fits(grade.message, MESSAGE)
    for exercise in grade.exercises:
        for check in exercise.checks:
            assert_fits(check.message, MESSAGE)
            assert_fits(check.printed, PRINTED)
    assert reports(fit(grade)) == reports(grade)  # it is not cut again


def assert_fits(text: str, limit: TextLimit) -> None:
    assert len(text) <= limit.characters
    assert text.count("\n") < limit.lines


@pytest.mark.parametrize("kind", sampled(SUBMISSIONS, each=2))
def test_every_report_has_its_bounds(
    kind: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions[BASE].replace(*SUBMISSIONS[kind])
    assert text != solutions[BASE]
    begun = time.process_time()
    grade = grade_text(text, named=True)
    assert time.process_time() - begun < 5
    assert grade.points < grade.max_points or grade.message
    assert_bounded(grade)


SHAPED = """
def _shaped(made):
    def fill(x):
        if isinstance(x, (list, tuple)):
            return [fill(y) for y in x]
        return torch.full(SHAPE, -1.2345678901234567e-300, dtype=torch.float64)
    return lambda *args, **named: fill(made(*args, **named))

for _name, _made in list(globals().items()):
    if isinstance(_made, type) and issubclass(_made, nn.Module) and _made is not nn.Module:
        _made.forward = _shaped(_made.forward)
    elif getattr(_made, "__module__", "") == __name__ and not _name.startswith("_"):
        globals()[_name] = _shaped(_made)
"""  # every result has this shape


@pytest.mark.dear
@pytest.mark.parametrize(
    "shape",
    sampled(["[64] + [1] * 15", "[64, 1, 1, 1]", "[1, 1, 64]", "[16, 1, 1, 4]", "[1, 1, 16, 4]"]),
)
def test_results_of_every_shape_have_their_bounds(
    shape: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["self_attention"] + SHAPED.replace("SHAPE", shape)
    grade = grade_text(text, stem="self_attention", named=True)
    assert all(e.points < e.max_points for e in grade.exercises)
    assert_bounded(grade)


def made_up(**texts: str) -> Grade:
    """Return a grade as large as any, with these texts wherever a submission's can stand."""
    text = texts.get("message", "") or "It is wrong."
    exercises = tuple(
        ExerciseGrade(
            f"Exercise{i}",
            tuple(
                CheckGrade(
                    f"c{j}", "A title", Outcome.FAILED, 1, True, f"{i} {j}: {text}",
                    f"{i} {j}: {texts['printed']}" if "printed" in texts else "",
                )
                for j in range(6)
            ),
        )
        for i in range(8)
    )  # fmt: skip
    named = {"submission": "anna", "path": "a/b.py"} | texts
    return Grade(named["submission"], named["path"], BASE, "graded", exercises, text)


@pytest.mark.parametrize("number", sampled(range(len(TEXTS))))
@pytest.mark.parametrize("where", ["submission", "path", "message", "printed"])
def test_each_text_is_cut(where: str, number: int) -> None:
    begun = time.process_time()
    assert_bounded(fit(made_up(**{where: TEXTS[number]})))
    assert time.process_time() - begun < 2


@pytest.mark.dear
def test_all_of_them_at_once_are_cut() -> None:
    names = {"submission": LONG, "path": LONG}
    assert_bounded(fit(made_up(message=LONG, printed=LONG, **names)))
    assert_bounded(fit(made_up(message="&\n" * 9_999, printed="&\n" * 9_999, **names)))
    assert_bounded(fit(replace(made_up(message=LONG), status="unreadable")))


def test_what_has_room_is_not_cut() -> None:
    grade = made_up(message="It is wrong.\na.py, line 3: `x`", printed="one\ntwo\n")
    assert fit(grade) == grade


@pytest.mark.parametrize("name", ["an\x1b[1mna", "an\tna", "an\x07na"])
def test_a_path_that_cannot_be_shown_becomes_no_other(name: str) -> None:
    grade = Grade("anna", f"class/{name}/{BASE}.py", BASE, "graded")
    exercise = ExerciseGrade("ScaledDotProduct", ())
    shown = fit(grade)
    assert "\N{REPLACEMENT CHARACTER}" in shown.path
    assert command(exercise, shown) == "make grade SUBMISSION=... EX=ScaledDotProduct"


def test_of_a_file_in_an_archive_the_archive_is_given() -> None:
    grade = Grade("anna", f"class/anna.zip/hw/{BASE}.py", BASE, "graded")
    said = command(ExerciseGrade("ScaledDotProduct", ()), grade)
    assert said == "make grade SUBMISSION=class/anna.zip EX=ScaledDotProduct"


def test_what_is_cut_says_so_and_keeps_what_it_is_about() -> None:
    made = cut("It is so: " + "a, " * 9_999, MESSAGE)
    assert made.startswith("It is so: a, a, ")
    assert made.endswith("\n… (the rest of 30007 characters is left out)")
    assert cut("x" * 9_999 + ".py", PATH) == "x" * 249 + "…" + "x" * 246 + ".py"
    assert cut("a\nb", NAME) == "a\N{REPLACEMENT CHARACTER}b"
    said = cut(f"There is no file {'x' * 4_000}.py.", MESSAGE)
    assert said == f"There is no file {'x' * 99}…{'x' * 95}.py."


@pytest.mark.dear
@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.integers(1, 400), st.sampled_from([NAME, PATH, MESSAGE, PRINTED]))
def test_any_text_is_cut_once(text: str, times: int, limit: TextLimit) -> None:
    made = cut(text * times, limit)
    assert_fits(made, limit)
    assert cut(made, limit) == made


def test_an_id_is_never_cut() -> None:
    longest = "a" * ids.MOST
    assert ids.is_id(longest)
    assert fit(Grade(longest, "a.py", BASE, "graded")).submission == longest


def test_a_grade_of_two_forms_has_bounds_as_well(
    grade_text: GradeText, solutions: dict[str, str], tmp_path: Path
) -> None:
    """The message for a module and a notebook quotes the messages of both."""
    long = cut("a " * 9_999, MESSAGE)
    said = f"Both were edited: {long} {long}"
    assert_bounded(fit(replace(grade_text(solutions[BASE]), message=said)))
    assert fitting.MESSAGE.characters >= len(fit(Grade("a", "b", None, "graded", (), said)).message)


@pytest.mark.dear
def test_the_text_of_an_exception_is_cut(grade_text: GradeText, solutions: dict[str, str]) -> None:
    text = solutions[BASE].replace(*body("raise ValueError('word ' * 9999)"))
    [exercise] = [e for e in grade_text(text).exercises if e.name == "ScaledDotProduct"]
    said = exercise.checks[0].message.partition("ValueError: ")[2].partition(f" ({BASE}.py")[0]
    assert fitting.SAID.characters - 10 < len(said) <= fitting.SAID.characters
