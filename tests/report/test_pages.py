"""Pages and tables say what the terminal says, and are safe to open whoever wrote the code."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import itertools
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from class_reports import table
from conftest import Command, GradeText, contents, of, points

from autograder.checking.collect import Checks
from autograder.grading.fitting import fit, printable
from autograder.grading.grade import CheckGrade, Diagnosis, ExerciseGrade, Grade, Outcome
from autograder.report import as_csv, as_html, as_output, paste
from autograder.report.pages import Pages
from autograder.report.writing import CannotWrite, NotOurs

Texts = dict[str, str]
BASE = "attention_layer"
FULL = points(BASE)
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
MIXTURE = "        return weights @ V"
VOID = {"meta", "wbr", "!doctype"}
VILE = "<script>alert(1)</script>\"'&{{ 7*7 }}</pre></style><img src=x onerror=alert(1)>"


class Page(HTMLParser):
    """Collects a page's elements with their attributes, its text, and whether all are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data if self._open[-1:] != ["style"] else ""

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(grade: Grade, hints: int = 1) -> Page:
    return Page(as_html.page(grade, hints))


def graded(message: str = "", printed: str = "", **more: str) -> Grade:
    """Return a grade with a student's text wherever one can stand."""
    check = CheckGrade("c", "Title", Outcome.FAILED, 1.0, True, message, printed)
    exercise = ExerciseGrade("Exercise", (check,))
    named = {"submission": "anna", "path": "a/b.py", "message": message, **more}
    return Grade(named["submission"], named["path"], BASE, "graded", (exercise,), named["message"])


# Pages


@pytest.mark.dear
def test_a_page_says_what_the_terminal_says(grade_text: GradeText, solutions: Texts) -> None:
    wrong = solutions[BASE].replace(*WRONG_SCALE)
    wrong = wrong.replace(MIXTURE, f"        print('printed here')\n{MIXTURE}")
    grade = grade_text(wrong, named=True)
    made = page(grade, hints=2)
    for said in (
        f"Score: {FULL - 6:g}/{FULL:g}",
        "\u2717 failed",
        "\u2026 blocked",
        "waits for ScaledDotProduct; right with a correct one",
        "Gives 7.3106 for the numbers of the statement",
        "The numbers of the statement: expected 7.3106, got 6.6976.",
        "the divisor is the root of 2 d_k",
        "Look: ",
        "Think: ",
        "printed here",
        "(hidden)",
        "Wrong values.",
        "As above.",
        "The smallest example, ScaledDotProduct() (framed where it differs):",
        "got: 0.3395 (differs)",
        "Graded unlocked.",
    ):
        assert said in made.text, said
    assert "Nearly:" not in made.text
    printed = [check.printed for exercise in grade.exercises for check in exercise.checks]
    repeated = "".join(printed).count("printed here")
    assert made.text.count("printed here") < repeated  # a repeated message is not shown again
    assert [a["id"] for a in made.all("h2")] == ["ScaledDotProduct"]
    assert len(made.all("rect")) == 7


@pytest.mark.dear
def test_a_page_and_a_notebook_hold_the_lines_that_rebuild_the_example(
    grade_text: GradeText, solutions: Texts
) -> None:
    wrong = solutions[BASE].replace(*WRONG_SCALE)
    grade = grade_text(wrong, exercise="ScaledDotProduct", named=True)
    example = of(grade, "ScaledDotProduct").example
    assert example
    lines = "\n".join(paste.lines(example))
    assert lines.startswith("import torch\nlayer = ScaledDotProduct()\n")
    for shown in (as_html.page(grade, 1), as_output.verdict(grade, 1, in_notebook=True).html):
        assert f"Lines that rebuild it, to paste below your code{lines}" in Page(shown).text


@pytest.mark.dear
def test_a_page_needs_nothing_else_and_runs_nothing(
    grade_text: GradeText, solutions: Texts
) -> None:
    text = as_html.page(grade_text(solutions[BASE].replace(*WRONG_SCALE), named=True), 3)
    made = Page(text)
    used = {tag for tag, _ in made.elements}
    assert not used & {"script", "link", "img", "iframe", "object", "form", "base", "use"}
    assert not any(
        key.startswith("on") or key in ("style", "src") for _, a in made.elements for key in a
    )
    assert all((a["href"] or "").startswith("#") for a in made.all("a"))
    [policy] = [m["content"] for m in made.all("meta") if "http-equiv" in m]
    assert policy
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in style
    assert "@import" not in style


def test_a_page_can_be_heard_and_found_ones_way_in(grade_text: GradeText, solutions: Texts) -> None:
    """Check headings, captions, table heads and the language, and that colour is never alone."""
    made = page(grade_text(solutions[BASE].replace(*WRONG_SCALE), named=True))
    assert made.all("html") == [{"lang": "en"}]
    assert made.all("title")
    levels = [int(tag[1]) for tag, _ in made.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    assert len(made.all("caption")) == len(made.all("table"))
    assert {a.get("scope") for a in made.all("th")} == {"col", "row"}
    assert all(a["role"] == "img" for a in made.all("svg"))
    assert len(made.all("title")) == 1 + len(made.all("svg"))
    framed = [a for a in made.all("rect") if "stroke-width" in a]
    assert len(framed) == made.text.count("(differs)") > 0


@pytest.mark.parametrize("where", ["message", "printed", "submission", "path"])
def test_a_students_text_is_text(where: str) -> None:
    before, after = page(graded()), page(graded(**{where: f"{VILE}x"}))
    known = {tag for tag, _ in before.elements} | {"p", "pre", "div", "bdi"}
    assert {tag for tag, _ in after.elements} <= known
    assert VILE.split("/")[-1] in after.text
    assert "{{ 7*7 }}" in after.text or where == "path"


def test_what_was_printed_is_cut() -> None:
    made = page(fit(graded(message="wrong", printed="x " * 15_000)))
    assert "\u2026 (the rest of 30000 characters is left out)" in made.text


def test_an_exercise_with_two_mistakes_and_one_for_staff() -> None:
    check = CheckGrade("c", "Title", Outcome.FAILED, 1, True, "It is wrong.\na.py, line 3: x")
    two = (Diagnosis(("a",), "no scale", ("Look.",)), Diagnosis(("b",), "", ("See.",)))
    grade = Grade("anna", "p.py", BASE, "graded", (ExerciseGrade("E", (check,), "", two),))
    made = page(grade)
    assert "It does what two mistakes together do. One, alone: no scale." in made.text
    assert "The other, alone: as its hint says." in made.text
    assert "a.py, line 3: x" in made.text
    lost = page(Grade("anna", "p.py", BASE, "needs_staff", (), "Twice it failed."))
    assert "Not graded yet: a person has to look at it." in lost.text
    assert "Score" not in lost.text


def test_pages_are_named_after_students(tmp_path: Path) -> None:
    odd = ["anna", "../evil", "Mary (late)", "\N{REPLACEMENT CHARACTER}x"]
    pages = Pages(tmp_path, odd)
    made = [pages.write(graded(submission=name), "") for name in odd]
    names = ["anna.html", "submission 2.html", "Mary (late).html", "submission 4.html"]
    assert [path.name for path in made] == names
    assert sorted(contents(tmp_path)) == sorted(names)
    twice = ["anna", "ANNA"]
    pages = Pages(tmp_path / "two", twice)
    made = [pages.write(graded(submission=name), "") for name in twice]
    assert [path.name for path in made] == [f"anna {BASE}.html", f"ANNA {BASE} 2.html"]


# Tables


def written(path: Path, *grades: Grade) -> None:
    made = as_csv.Table(path)
    for grade in grades:
        made.add(grade)
    made.complete()


def rows(grades: Sequence[Grade]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table(grades))))


@pytest.mark.dear
def test_a_table_has_a_row_for_each(
    grade_text: GradeText, solutions: Texts, checks: Checks
) -> None:
    grades = [
        grade_text(solutions[BASE].replace(*WRONG_SCALE)),
        grade_text("x = = 1"),
        Grade("ben", "p.py", BASE, "needs_staff", (), "Twice."),
        grade_text(solutions["multi_head"], "multi_head"),
    ]
    head, anna, broken, ben, other = rows(grades)
    assert head[:6] == ["id", "assignment", "status", "sandbox", "score", "max_score"]
    own, others = ([e.name for e in checks.exercises(name)] for name in (BASE, "multi_head"))
    assert head[6:] == [*own, *others]
    assert anna[:6] == ["anna", BASE, "graded", "unlocked", f"{FULL - 6:g}", f"{FULL:g}"]
    assert [anna[head.index(name)] for name in ("TestModule", "ScaledDotProduct")] == ["2", "0"]
    assert anna[-len(others) :] == [""] * len(others)
    assert broken[2:6] == ["unreadable", "unlocked", "0", f"{FULL:g}"]
    assert ben[:6] == ["ben", BASE, "needs_staff", "unlocked", "", "0"]  # no zero
    assert other[4:6] == [f"{points('multi_head'):g}"] * 2
    assert other[6 : -len(others)] == [""] * len(own)
    assert sum(map(float, other[-len(others) :])) == points("multi_head")


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1", "\n=1", "\uff0b1"]
)
def test_a_cell_does_not_compute(text: str) -> None:
    [_, row] = rows([graded(submission=text)])
    assert row[0] == f"'{text}"
    assert row[4] == "0"


def test_an_error_of_the_grader_is_no_zero_in_a_table() -> None:
    check = CheckGrade("x", "Title", Outcome.ERROR, 1.0, True, "KeyError: 'x'")
    grade = Grade("a", "p.py", BASE, "needs_staff", (ExerciseGrade("E", (check,)),))
    assert rows([grade])[1] == ["a", BASE, "needs_staff", "unlocked", "", "1", ""]


# Files


def test_no_page_is_written_over_another(tmp_path: Path) -> None:
    """Names that are made up differ from all ids, and from each other."""
    students = ["submission 3", "submission 3 3", "zo!e", "submission 6", "zo?e", "submission 6 6"]
    pages = Pages(tmp_path, students)
    names = [pages.next_path(graded(submission=student)).stem for student in students]
    assert len(set(names)) == len(students)
    assert [names[i] for i in (0, 1, 3, 5)] == [students[i] for i in (0, 1, 3, 5)]


@pytest.mark.dear
def test_both_are_written_and_written_again(
    command: Command, tmp_path: Path, solutions: Texts
) -> None:
    for name in ("anna", "ben"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / f"{BASE}.py").write_text(solutions[BASE], encoding="utf-8")
    asked = ("--html", tmp_path / "out" / "pages", "--csv", tmp_path / "out" / "grades.csv")
    for _ in range(2):
        run = command("grade", tmp_path / "class", "--assignment", BASE, *asked, "--json")
        assert run.returncode == 0
        assert run.stderr.splitlines()[-2:] == [
            f"wrote 2 pages into {tmp_path / 'out' / 'pages'}",
            f"wrote {tmp_path / 'out' / 'grades.csv'}",
        ]
        found = contents(tmp_path / "out")
        assert list(found) == ["grades.csv", "pages/", "pages/anna.html", "pages/ben.html"]
    assert (
        found["grades.csv"]
        .splitlines()[1]
        .startswith(f"anna,attention_layer,graded,unlocked,{FULL:g},{FULL:g},2".encode())
    )
    if os.name == "posix":
        assert (tmp_path / "out" / "grades.csv").stat().st_mode & 0o777 == 0o600
    (tmp_path / "class" / "ben" / f"{BASE}.py").unlink()
    (tmp_path / "class" / "ben").rmdir()
    run = command("grade", tmp_path / "class", "--assignment", BASE, *asked, "--json")
    assert "Pages there that are not of this run: ben.html.\n" in run.stderr
    assert list(contents(tmp_path / "out" / "pages")) == ["anna.html", "ben.html"]


@pytest.mark.dear
def test_one_persons_progress_has_a_page(
    command: Command, tmp_path: Path, solutions: Texts
) -> None:
    work, folder = tmp_path / "my work", tmp_path / "pages"
    work.mkdir()
    wrong = {BASE: solutions[BASE].replace(*WRONG_SCALE), "multi_head": "x = 1\n"}
    right = {name: solutions[name] for name in ("running_averages", "normalization")}
    for name, text in (wrong | right).items():
        (work / f"{name}.py").write_text(text, encoding="utf-8")
    run = command("grade", work, "--html", folder)
    assert f"wrote 4 pages into {folder}, and progress.html, which leads to them\n" in run.stderr
    made = Page((folder / "progress.html").read_text("utf-8"))
    assert [unquote(str(a["href"])) for a in made.all("a")] == [
        f"my work {name}.html" for name in ("running_averages", "normalization", BASE, "multi_head")
    ]
    assert {path.name for path in folder.iterdir()} == {
        "progress.html",
        *(unquote(str(a["href"])) for a in made.all("a")),
    }
    said = run.stdout.splitlines()
    [score] = [line for line in said if line.startswith("Score: ")][-1:]
    assert score.removesuffix(" (locked)").removesuffix(" (unlocked)") in made.text
    assert f"Next: fix ScaledDotProduct in {work / BASE}.py" in made.text
    for shown in ("\u2713 BatchNorm1d", "\u2717 ScaledDotProduct", "\u25cb MultiHeadList"):
        assert shown in made.text
    assert "\u2713 passed, \u2717 failed, \u25cb missing, \u2026 blocked" in made.text
    again = command("grade", work, "--html", folder)
    assert again.returncode == 0 and "not of this run" not in again.stderr
    mine = folder / "progress.html"
    mine.write_text("my own")
    refused = command("grade", work, "--html", folder)
    assert (refused.returncode, mine.read_text()) == (4, "my own")


def test_a_page_of_progress_is_safe_to_open() -> None:
    pages = [(graded(submission=VILE, message=VILE), f"{VILE}.html")]
    made = Page(as_html.progress(pages))
    assert {tag for tag, _ in made.elements} >= {"table", "a"}
    assert not {tag for tag, _ in made.elements} & {"script", "img"}
    assert [a["href"] for a in made.all("a")] == [quote(f"{VILE}.html")]
    assert made.text.count("<script>") == 3  # in the title, the name and the message


@pytest.mark.parametrize("option", ["--html", "--csv"])
@pytest.mark.parametrize("what", ["a file", "a link", "a folder"])
def test_what_others_have_written_stays(
    option: str, what: str, command: Command, tmp_path: Path
) -> None:
    """The refusal comes before anything is graded."""
    mine = tmp_path / "mine.html"
    mine.write_text("my own")
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / ("anna.html" if option == "--html" else "grades.csv")
    match what:
        case "a file":
            target.write_text("my own")
        case "a link":
            target.symlink_to(mine)
        case "a folder":
            target.mkdir()
    before = contents(tmp_path)
    given = folder if option == "--html" else target
    run = command("grade", "assignments/multi_head.py", option, given)
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr == (
        f"{target} would be lost: this program did not write it. Name another place.\n"
    )
    assert contents(tmp_path) == before


def test_it_says_whether_it_was_locked() -> None:
    for locked, word in ((True, "locked"), (False, "unlocked")):
        grade = replace(graded(), locked=locked)
        assert rows([grade])[1][3] == word
        assert f"Graded {word}.</p>" in as_html.page(grade, 1)


def test_what_comes_meanwhile_stays(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("my own")
    with pytest.raises(NotOurs):
        written(tmp_path / "grades.csv", graded())
    assert contents(tmp_path)["grades.csv"] == b"my own"


def test_what_cannot_be_written_as_a_whole_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "grades.csv", graded())
    before = contents(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CannotWrite, match="No space left"):
        written(tmp_path / "grades.csv", graded(), graded())
    assert contents(tmp_path) == before


# Escaping of a student's text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b2Jgone", "gone"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link"),
        ("\x1bc", "\ufffdc"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\tb", "a    b"),
        ("\x00\x07\x08", "\ufffd\ufffd\ufffd"),
        ("\u202eevil\u2066", "\ufffdevil\ufffd"),
        ("a\u200b\u2060b", "a\ufffd\ufffdb"),
        ("\u3164\u2800", "\ufffd\ufffd"),
        ("\ud800", "\ufffd"),
        ("\U000e0041", "\ufffd"),
        ("Z" + "\u0301" * 50, "Z" + "\u0301" * 3),
        ("M\xfcller \u5f20\u4f1f \u2713", "M\xfcller \u5f20\u4f1f \u2713"),
    ],
)
def test_a_text_is_made_plain(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(printable(text)) == printable(text)
