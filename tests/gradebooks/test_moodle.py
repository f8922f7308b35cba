"""Grades and feedback are filled into a Moodle worksheet, and every other byte stays."""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from pathlib import Path

import pytest
from conftest import Command
from json_documents import HIDDEN, Json, broken, check, document, exercise, refused, scored
from json_documents import submission as submitted

from autograder.report.codes import FAILED, OK, USAGE

# As Moodle's gradingtable.php and table_dataformat_export_format write it.
WORKSHEET = (
    'Identifier,"Full name","ID number","Email address",Status,Grade,"Maximum grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\n'
    '"Participant 1234","Ann Gray",s01,ann@x.edu,Submitted,,10.00,Yes,'
    '"Monday, 2 March 2026, 9:00 AM",-,\n'
    '"Participant 1235","Ben, Öz",s02,ben@x.edu,Submitted,4.00,10.00,Yes,'
    '"Monday, 2 March 2026, 9:05 AM",-,"<p>As ""spoken""\r\nof</p>"\n'
    '"Participant 1236","Carl Cole",s03,carl@x.edu,Submitted,,10.00,No,-,-,\n'
)
GRADE, COMMENT = 5, 10  # columns
FIRST = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "﹣", "＠")
BEFORE = ("", "; ", ";", ",", "|", "==", '"', '";"', "\t", "\n", "<;", "x;'")


class Filling:
    """Fills a worksheet with grades of a class. Keeps what was written and said."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command, self._folder = command, folder
        self.into, self.out = folder / "worksheet.csv", folder / "filled.csv"
        self.said: list[str] = []

    def __call__(
        self, text: str, *given: Json, options: tuple[str, ...] = (), code: int = OK
    ) -> str:
        self.into.write_bytes(text.encode())
        self.out.unlink(missing_ok=True)
        grades = document(self._folder, *given)
        where = ("--into", self.into, "--out", self.out)
        run = self._command("export", "moodle", grades, *where, *options)
        assert run.returncode == code, run.stderr
        self.said = run.stderr.replace(str(self.into), "FILE").splitlines()
        assert self.into.read_bytes() == text.encode()
        assert self.out.exists() == (code != USAGE)
        return self.out.read_bytes().decode() if self.out.exists() else ""


@pytest.fixture
def fill(command: Command, tmp_path: Path) -> Filling:
    return Filling(command, tmp_path)


def cells(text: str) -> list[list[str]]:
    return [*csv.reader(io.StringIO(text, newline=""))]


def comment(found: str, row: int = 1) -> str:
    return cells(found)[row][COMMENT]


def test_only_grade_and_feedback_change(fill: Filling) -> None:
    found = fill(WORKSHEET, scored("s01", 7.5), scored("s02", 10))
    rows = cells(WORKSHEET)
    rows[1][GRADE], rows[2][GRADE] = "7.5", "10"
    rows[1][COMMENT] = (
        "7.5 of 10 points.<br>Head: failed, 7.5 of 10. Title of c2: expected 1.0, got 2.0"
    )
    rows[2][COMMENT] = "10 of 10 points."
    assert cells(found) == rows
    expected = WORKSHEET.replace("Submitted,,", "Submitted,7.5,", 1).replace("4.00", "10")
    expected = expected.replace('AM",-,\n', f'AM",-,"{rows[1][COMMENT]}"\n')
    assert found == expected.replace('"<p>As ""spoken""\r\nof</p>"', f'"{rows[2][COMMENT]}"')
    assert fill.said == [
        "In FILE, but not in the class: Participant 1236.",
        "Another grade was there: s02 (4.00 becomes 10).",
        "Another comment was there: s02.",
    ]
    again = fill(found, scored("s01", 7.5), scored("s02", 10))
    assert again == found
    assert fill.said == ["In FILE, but not in the class: Participant 1236."]


@pytest.mark.parametrize(
    "names",
    [
        ("Participant 1234", "Participant 1235"),
        ("1234", "1235"),
        ("Ann Gray_1234", "Ben, Öz_1235"),
        ("s01", "s02"),
        ("ann@x.edu", "ben@x.edu"),
    ],
    ids=["Identifier", "number", "folder", "ID number", "Email address"],
)
def test_each_kind_of_id_is_found(fill: Filling, names: tuple[str, str]) -> None:
    found = cells(fill(WORKSHEET, scored(names[0], 7), scored(names[1], 8)))
    assert [row[GRADE] for row in found] == ["Grade", "7", "8", ""]


def test_columns_of_another_language_are_named(fill: Filling) -> None:
    text = (
        "ID,Vollständiger Name,Bewertung,Bestwertung,Feedback als Kommentar\n"
        'Teilnehmer/in1234,Ann Gray,,"10,00",\n'
    )
    options = (
        "--id-column", "ID", "--grade-column", "Bewertung", "--maximum-column", "Bestwertung",
        "--feedback-column", "Feedback als Kommentar",
    )  # fmt: skip
    for name in ("Ann Gray_1234", "1234", "Teilnehmer/in1234"):
        found = fill(text, scored(name, 10), options=options)
        assert found == text.replace('Gray,,"10,00",', 'Gray,10,"10,00","10 of 10 points."')
    for count in (0, 2, 4):
        fill(text, scored("1234", 10), options=options[:count], code=USAGE)
        name = "maximum grade" if count == 4 else "grade"
        assert fill.said == [
            f"FILE has no column {name}, perhaps since it is in another language. It has ID, "
            "Vollständiger Name, Bewertung, Bestwertung, Feedback als Kommentar. Say which it is: "
            f"--{name.split()[0]}-column NAME"
        ]
    fill(text, scored("1234", 10), options=options[2:], code=USAGE)
    assert fill.said == [
        "FILE has none of the columns identifier, id number, email address, username. It has ID, "
        "Vollständiger Name, Bewertung, Bestwertung, Feedback als Kommentar. Say which has the "
        "ids: --id-column NAME"
    ]
    assert ",10," in fill(text, scored("1234", 10), options=options[:6])
    assert fill.said == [
        "There is no feedback column in FILE, so only grades are filled in. To name it: "
        "--feedback-column NAME"
    ]


def test_a_column_that_is_named_must_be_there_once(fill: Filling) -> None:
    fill(WORKSHEET, scored("s01", 7), options=("--grade-column", "Mark"), code=USAGE)
    assert fill.said[0].startswith("FILE has no column Mark,")
    twice = WORKSHEET.replace("Status", "Grade")
    fill(twice, scored("s01", 7), code=USAGE)
    assert fill.said == ["FILE has two columns Grade. Download it again, with each column once."]


@pytest.mark.parametrize("option", ["grade", "maximum", "feedback"])
@pytest.mark.parametrize(
    "column",
    ["Identifier", "Full name", "ID number", "Email address", "Status", "Grade can be changed",
     "Last modified (grade)"],
)  # fmt: skip
def test_a_column_that_holds_something_else_is_not_filled_in(
    fill: Filling, option: str, column: str
) -> None:
    fill(WORKSHEET, scored("s01", 7), options=(f"--{option}-column", column), code=USAGE)
    names = {"grade": "grade", "maximum": "maximum grade", "feedback": "feedback comments"}
    assert fill.said == [
        f"The column {column} of FILE holds the {column.lower()}, not the {names[option]}. Name "
        f"another one: --{option}-column NAME"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [("grade", "feedback"), ("grade", "maximum"), ("maximum", "feedback"), ("grade", "id")],
)
def test_a_column_is_not_named_for_two_things(fill: Filling, one: str, other: str) -> None:
    text = WORKSHEET.replace("Status", "Stand")
    options = (f"--{one}-column", "Stand", f"--{other}-column", "Stand")
    fill(text, scored("s01", 7), options=options, code=USAGE)
    assert fill.said == [
        f"The column Stand of FILE is named as --{one}-column and as --{other}-column. Name two "
        "columns."
    ]
    fill(WORKSHEET, scored("s01", 7), options=("--grade-column", "Feedback comments"), code=USAGE)
    assert fill.said[0].startswith("The column Feedback comments of FILE holds the feedback")
    fill(WORKSHEET, scored("s01", 7), options=("--id-column", "Grade"), code=USAGE)
    assert fill.said[0].startswith("The column Grade of FILE is named as --grade-column and as ")


def test_what_needs_staff_or_is_locked_keeps_its_cells(fill: Filling) -> None:
    found = fill(WORKSHEET, scored("s01", 7), broken("s02"), scored("s03", 8), code=FAILED)
    assert cells(found)[2:] == cells(WORKSHEET)[2:]
    assert fill.said == [
        "Left as it was, since it needs staff: s02.",
        "Left as it was, since Moodle has locked the grade: s03.",
    ]


def test_the_maximum_is_respected(fill: Filling) -> None:
    fill(WORKSHEET, scored("s01", 20, 30), code=USAGE)
    assert fill.said == [
        "attention_layer has 30 points here and 10 in the column Maximum grade. Change one of "
        "them, or scale the grades, rounded down to hundredths: --scale"
    ]
    found = fill(WORKSHEET, scored("s01", 20, 30), options=("--scale",))
    assert cells(found)[1][GRADE] == "6.66"
    assert comment(found).startswith("20 of 30 points.")


def test_the_comment_is_short_and_tells_nothing_of_hidden_checks(fill: Filling) -> None:
    hidden = check("h", "failed", visible=False, message=HIDDEN)
    visible = check("v", "failed", message="long " * 1000)
    carried = check("w", "blocked", points=1.0, message="Waits for Head.")
    given = submitted(
        "s01",
        exercise("Head", hidden, visible),
        exercise("Norm", hidden, *(check(f"c{i}") for i in range(5))),
        exercise("Done", check("d")),
        exercise("Last", carried),
    )
    lines = comment(fill(WORKSHEET, given)).split("<br>")
    assert lines[0] == "7 of 10 points."
    assert re.fullmatch(r"Head: failed, 0 of 2\. Title of v: long .*….* long", lines[1])
    assert len(lines[1]) <= 300
    assert lines[2:] == [
        f"Norm: failed, 5 of 6. Title of h: {HIDDEN}",
        "Last: blocked, 1 of 1. Title of w: Waits for Head.",
    ]


def test_what_an_instructor_wrote_is_in_the_comment(fill: Filling) -> None:
    given = submitted("s01", exercise("Head", check("v", "failed", 10.0), comment="Ask me <b>."))
    lines = comment(fill(WORKSHEET, given)).split("<br>")
    assert lines[-1] == "Head: From your instructor: Ask me &lt;b&gt;."


def test_the_comment_is_text_in_moodle(fill: Filling) -> None:
    said = 'a < b & "c" <script>alert(1)</script>\nsecond'
    given = submitted("s01", exercise("Head", check("a", "failed", 10.0, message=said)))
    found = comment(fill(WORKSHEET, given))
    assert "<script" not in found and "\n" not in found
    shown = html.unescape(found.replace("<br>", "\n"))
    assert shown.endswith('Title of a: a < b & "c" <script>alert(1)</script> second')


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("before", BEFORE)
def test_no_cell_computes_anything_with_any_separator(
    fill: Filling, first: str, before: str
) -> None:
    """Split as a spreadsheet in another country would do it, which knows no quotes here."""
    said = f"{before}{first}{first}cmd|' /C calc'!A0"
    given = [
        submitted("s01", exercise("Head", check("a", "failed", 10.0, message=said))),
        refused("s02") | {"message": said},
    ]
    found = fill(WORKSHEET, *given)
    kept = set(re.split(r"[,;\t|\r\n]", WORKSHEET))
    for part in {*re.split(r"[,;\t|\r\n]", found)} - kept:
        start = unicodedata.normalize("NFKC", part.strip(' "'))[:1]
        assert start not in ("=", "+", "-", "@"), part
    assert len(cells(found)) == len(cells(WORKSHEET))


def test_ids_with_formulas_are_only_compared(fill: Filling) -> None:
    text = WORKSHEET.replace("s03", "=1+1")
    assert "=1+1" in fill(text, scored("s01", 7))
