"""Whoever writes a course's tables wrongly reads what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_data import DEEP, DIGITS

from autograder import course
from autograder.course import symptoms
from autograder.course.hints import Hint, MalformedHints
from autograder.course.misconceptions import Misconception, read
from autograder.course.symptoms import Symptom
from autograder.errors import CourseError

HINT = 'look = "a"\nthink = "b"\nnearly = "c"\n'
MISTAKE = '[hint.Head.id]\nmistake = "m"\nedits = [{ find = "x", replace = "" }]\n'


@pytest.fixture
def declaration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the declaration of an empty course, which this process uses."""
    path = tmp_path / "course.toml"
    path.touch()
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test
    course.use(tmp_path)
    return path


def test_a_declaration_is_read(declaration: Path) -> None:
    declaration.write_text('title = "T"\nid = "i"\n')
    assert course.declared() == course.Declaration("T", "i", "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('id = "i"\n', 'has no title. Write title = "…".'),
        ('title = ""\nid = "i"\n', 'has no title. Write title = "…".'),
        ("", 'has no title and no id. Write title = "…" and id = "…".'),
        ('title = "T"\nid = "i"\nwords = 1\n', "has words, which is not known. Delete it."),
        ("title = \n", "cannot be read: "),
        pytest.param(f"title = {DEEP}", "cannot be read: it is nested too deeply.", id="deep"),
        pytest.param(f"title = {DIGITS}", "cannot be read: Exceeds the limit", id="digits"),
    ],
)
def test_a_declaration_that_is_wrong(declaration: Path, text: str, problem: str) -> None:
    declaration.write_text(text)
    with pytest.raises(CourseError) as refused:
        course.declared()
    assert str(refused.value).startswith(f"{declaration} {problem}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('title = "T"\nid = 3\n', 'id is 3, no text. Write id = "…".'),
        ('title = "T"\nid = "i"\nlanguage = 5\n', "language is 5, no text. Write language = "),
        ('title = "T"\nid = "a/b"\n', "id is 'a/b'. Use letters, digits, dots, hyphens and unders"),
        ('title = "T"\nid = "../b"\n', "id is '../b'. Use letters, digits, dots, hyphens and un"),
        ('title = "T"\nid = "i"\ntake_over = ["a", "b", "a"]\n', "take_over names a twice. Delete"),
    ],
)
def test_a_value_that_is_wrong(declaration: Path, text: str, problem: str) -> None:
    declaration.write_text(text)
    with pytest.raises(CourseError) as refused:
        course.declared()
    assert str(refused.value).startswith(f"{declaration}: {problem}")


@pytest.mark.parametrize("order", ["eight", "nan", ""])
def test_an_order_that_is_no_number(declaration: Path, order: str) -> None:
    declaration.write_text('title = "T"\nid = "i"\n')
    path = declaration.parent / "made" / "made.py"
    path.parent.mkdir()
    path.write_text(f"# ---\n# order: {order}\n# ---\n")
    with pytest.raises(CourseError) as refused:
        course.assignments()
    said = f"{path}: order is {order!r}. Write a number, such as 6 or 6.5."
    assert str(refused.value) == said


def test_misconceptions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "misconceptions.toml"
    path.write_text(f"[hint]\n{HINT}{MISTAKE}")
    expected = Misconception("id", "Head", "m", (("x", ""),), Hint("a", "b", "c"))
    assert list(read(path)) == [expected]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[hint\n", " cannot be read as TOML: "),
        pytest.param(f"hint = {DEEP}", " cannot be read as TOML: it is nested", id="deep"),
        ('hint = "a"\n', ": hint is outside of any table. Put it in one."),
        (f"[hint]\n{MISTAKE}", ': [hint] has no look. Write look = "…".'),
        (f"[hint]\n{HINT}", ": [hint] helps with no mistake. Give it one, or delete it."),
        (
            f"[hint]\nlo{HINT}{MISTAKE}",
            ": [hint] has lolook, which is not known. A hint has look, think, nearly.",
        ),
        (
            f'[hint]\n{HINT}more = "d"\n{MISTAKE}',
            ": [hint] has more, which is not known. A hint has look, think, nearly.",
        ),
        (
            f"[hint]\n{HINT}[hint.Head]\nid = 1\n",
            ": [hint.Head.id] is not a table. Give it mistake, edits, within.",
        ),
        (
            f'[hint]\n{HINT}{MISTAKE}text = ""\n',
            ": [hint.Head.id] has text, which is not known. A mistake has mistake, edits, within.",
        ),
        (
            f'[hint]\n{HINT}[hint.Head.id]\nmistake = "m"\n',
            ": [hint.Head.id] has no edits. Write edits = [{ find, replace }].",
        ),
        (
            f"[hint]\n{HINT}{MISTAKE}".replace("find", "search"),
            ": [hint.Head.id] has an edit that is not { find = '…', replace = '…' }.",
        ),
        (
            f"[hint]\n{HINT}{MISTAKE}".replace('"m"', '" "'),
            ': [hint.Head.id] has no mistake. Write mistake = "…".',
        ),
        (
            f"[hint]\n{HINT}{MISTAKE}[other]\n{HINT}{MISTAKE.replace('hint', 'other')}",
            ": [other.Head.id] occurs twice. Rename one of them.",
        ),
    ],
)
def test_misconceptions_that_are_wrong(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "misconceptions.toml"
    path.write_text(text)
    with pytest.raises(MalformedHints) as refused:
        list(read(path))
    assert str(refused.value).startswith(f"{path}{problem}")


SYMPTOM = f'[key]\nid = "i"\nmistake = "m"\n{HINT}'


def test_symptoms_are_read(tmp_path: Path) -> None:
    path = tmp_path / "symptoms.toml"
    path.write_text(f'{SYMPTOM}implies = ["long"]\n')
    expected = Symptom("i", "m", Hint("a", "b", "c"), frozenset(["long"]))
    assert symptoms.read(path) == {"key": expected}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[key\n", " cannot be read as TOML: "),
        ('key = "a"\n', ": key is outside of any table. Put it in one."),
        (SYMPTOM.replace('id = "i"', ""), ': [key] has no id. Write id = "…".'),
        (SYMPTOM.replace('"b"', '" "'), ': [key] has no think. Write think = "…".'),
        (
            f'{SYMPTOM}more = "d"\n',
            ": [key] has more, which is not known. A symptom has id, mistake, look,",
        ),
        (
            f'{SYMPTOM}implies = "long"\n',
            ": [key]: implies is no list of symptoms. Write implies = ['…'].",
        ),
    ],
)
def test_symptoms_that_are_wrong(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "symptoms.toml"
    path.write_text(text)
    with pytest.raises(MalformedHints) as refused:
        symptoms.read(path)
    assert str(refused.value).startswith(f"{path}{problem}")
