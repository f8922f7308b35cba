"""One column of a Canvas gradebook is filled in, and every other byte stays."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from conftest import Command
from json_documents import Json, broken, document, refused, scored, unclaimed

from autograder.report.codes import FAILED, OK, USAGE

LAB = "Lab 1 (4711)"
# As Canvas's gradebook_exporter.rb writes it, with what people put into names and notes.
DOWNLOAD = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Lab 1 (4711),Lab 2 (4712),Final Score\r\n"
    ",,,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,,10.00,20.00,(read only)\r\n"
    '"Gray, Ann",101,s01,ann@x.edu,"A, ""late"" group","two\r\nlines",,3.00,12.5\r\n'
    '"Öz, Ben",102,s02,ben@x.edu,A,,"4.00",,\r\n'
    '"O\'Neil, Carl",103,s03,carl@x.edu,A,=1+1,EX,,\r\n'
    '"Danz, Dora",104,s04,dora@x.edu,A,,N/A,,\r\n'
    '"Student, Test",109,,9a8b,A,,,,\r\n'
)


class Filling:
    """Fills a download with grades of a class. Keeps what was written and said."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command, self._folder = command, folder
        self.into, self.out = folder / "gradebook.csv", folder / "filled.csv"
        self.said: list[str] = []

    def __call__(
        self,
        download: str | bytes,
        *given: Json,
        options: tuple[str, ...] = ("--column", LAB),
        code: int = OK,
    ) -> str:
        data = download.encode() if isinstance(download, str) else download
        self.into.write_bytes(data)
        self.out.unlink(missing_ok=True)
        grades = document(self._folder, *given)
        where = ("--into", self.into, "--out", self.out)
        run = self._command("export", "canvas", grades, *where, *options)
        assert run.returncode == code, run.stderr
        self.said = run.stderr.replace(str(self.into), "FILE").splitlines()
        assert self.into.read_bytes() == data
        assert self.out.exists() == (code != USAGE)
        return self.out.read_bytes().decode() if self.out.exists() else ""


@pytest.fixture
def fill(command: Command, tmp_path: Path) -> Filling:
    return Filling(command, tmp_path)


def test_only_that_column_changes(fill: Filling) -> None:
    found = fill(DOWNLOAD, scored("s01", 7.5), scored("s02", 9), scored("s03", 1), scored("s04", 2))
    assert found == DOWNLOAD.replace('lines",,3', 'lines",7.5,3').replace('"4.00"', '"9"')
    assert fill.said == [
        "Another grade was there: s02 (4.00 becomes 9).",
        "Left as it was, EX or N/A: s03, s04.",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("is_ended", [True, False])
def test_the_form_of_the_file_stays(
    fill: Filling, end: str, delimiter: str, start: str, is_ended: bool
) -> None:
    rows = [
        ["Student", "ID", "Section", LAB, "Notes"],
        ["Points Possible", "", "", "10", ""],
        ["Gray, Ann", "101", "A;B", "", 'say "no"\n\n'],
        ["Öz", "102", "", "", ""],
    ]
    made = io.StringIO(newline="")
    csv.writer(made, delimiter=delimiter, lineterminator=end).writerows(rows)
    text = start + made.getvalue() if is_ended else start + made.getvalue().removesuffix(end)
    found = fill(text, scored("101", 7), scored("102", 10))
    rows[2][3], rows[3][3] = "7", "10"
    made = io.StringIO(newline="")
    csv.writer(made, delimiter=delimiter, lineterminator=end).writerows(rows)
    assert found == start + (made.getvalue() if is_ended else made.getvalue().removesuffix(end))


@pytest.mark.parametrize(
    "names",
    [("101", "102"), ("s01", "s02"), ("ann@x.edu", "ben@x.edu"), ("grayann_101", "özben_102")],
    ids=["ID", "SIS User ID", "SIS Login ID", "the name of a download"],
)
def test_each_kind_of_id_is_found(fill: Filling, names: tuple[str, str]) -> None:
    found = fill(DOWNLOAD, scored(names[0], 7), scored(names[1], 8))
    assert found == DOWNLOAD.replace('lines",,3', 'lines",7,3').replace('"4.00"', '"8"')


def test_a_name_of_a_download_with_another_students_number_is_not_found(fill: Filling) -> None:
    fill(DOWNLOAD, scored("101", 7), scored("grayann_102", 8))
    assert "In the class, but not in FILE: grayann_102." in fill.said


def test_first_and_last_names_may_have_columns_of_their_own(fill: Filling) -> None:
    text = f"LastName,FirstName,ID,SIS Login ID,Section,{LAB}\nPoints Possible,,,,,10\n"
    found = fill(f"{text}Gray,Ann,101,a,A,\n", scored("grayann_101", 7))
    assert found == f"{text}Gray,Ann,101,a,A,7\n"


def test_who_is_missing_on_either_side_is_said(fill: Filling) -> None:
    fill(DOWNLOAD, scored("s01", 7), scored("zoe", 8))
    assert fill.said == [
        "In the class, but not in FILE: zoe.",
        'In FILE, but not in the class: "Öz, Ben", "O\'Neil, Carl", "Danz, Dora".',
    ]


def test_what_needs_staff_keeps_its_cell(fill: Filling) -> None:
    found = fill(DOWNLOAD, scored("s01", 7), broken("s02"), code=FAILED)
    assert found == DOWNLOAD.replace('lines",,3', 'lines",7,3')
    assert fill.said[-1] == "Left as it was, since it needs staff: s02."


def test_what_could_not_be_read_gets_zero_and_is_said(fill: Filling) -> None:
    found = fill(DOWNLOAD, scored("s01", 7), refused("s02"))
    assert '"Öz, Ben",102,s02,ben@x.edu,A,,"0",,' in found
    assert "0 points, since nothing could be read: s02." in fill.said
    assert fill(DOWNLOAD, scored("s01", 7), unclaimed("s02")) == found


def test_the_same_grade_in_other_words_stays(fill: Filling) -> None:
    assert fill(DOWNLOAD, scored("s02", 4)) == DOWNLOAD
    assert fill(DOWNLOAD.replace("4.00", "4,00"), scored("s02", 4)).count('"4,00"') == 1


def test_grades_are_scaled_only_if_told_and_never_up(fill: Filling) -> None:
    third = scored("s01", 20, 30)
    fill(DOWNLOAD, third, code=USAGE)
    assert fill.said == [
        "attention_layer has 30 points here and 10 in the row Points Possible. Change one of "
        "them, or scale the grades, rounded down to hundredths: --scale"
    ]
    both = ("--column", LAB, "--scale")
    assert 'lines",6.66,3' in fill(DOWNLOAD, third, options=both)
    assert 'lines",10,3' in fill(DOWNLOAD, scored("s01", 30, 30), options=both)
    assert 'lines",0,3' in fill(DOWNLOAD, refused("s01", 30), options=both)


def test_a_column_must_be_named_that_is_an_assignments(fill: Filling) -> None:
    for options, said in (
        ((), 'Name the column of the assignment: --column NAME. FILE has "{}".'),
        (("--column", "Lab 1"), 'FILE has no column Lab 1. It has "{}".'),
        (("--column", "Notes"), 'FILE has no column Notes. It has "{}".'),
    ):
        fill(DOWNLOAD, scored("s01", 7), options=options, code=USAGE)
        assert fill.said == [said.replace("{}", f'{LAB}", "Lab 2 (4712)')]
    twice = DOWNLOAD.replace("Lab 2 (4712)", LAB)
    fill(twice, scored("s01", 7), code=USAGE)
    assert fill.said == [
        f"FILE has two columns {LAB}. Rename one assignment in Canvas, and download again."
    ]
    fill(DOWNLOAD.replace("10.00", "(read only)"), scored("s01", 7), code=USAGE)
    assert fill.said == [f"Canvas says of {LAB} that it is read only. Name another column."]


def test_several_assignments_in_one_document_are_refused(fill: Filling) -> None:
    other = scored("s01", 3, assignment="multi_head")
    fill(DOWNLOAD, scored("s01", 7), other, code=USAGE)
    assert fill.said[0].endswith("Say which of them: --assignment NAME.")
    options = ("--column", LAB, "--assignment", "multi_head")
    assert 'lines",3,3' in fill(DOWNLOAD, scored("s01", 7), other, options=options)


@pytest.mark.parametrize(
    ("change", "ids", "said"),
    [
        (
            ("s02", "s01"),
            ["s01"],
            "s01 stands in several lines of FILE: 4, 6, in the column SIS User ID. Correct that, "
            "and repeat the call.",
        ),
        (
            ("s02", "101"),
            ["101"],
            "101 is found in different lines of FILE by the columns ID and SIS User ID. Say which "
            "of them has the ids of your class: --id-column NAME.",
        ),
        (
            ("", ""),
            ["s01", "102"],
            "s01 is found in different lines of FILE by the columns ID and SIS User ID. Say which "
            "of them has the ids of your class: --id-column NAME.",
        ),
        (
            ("", ""),
            ["101", "grayann_101"],
            "101 and grayann_101 are one student in FILE, line 4. Keep one of them, and grade "
            "again.",
        ),
        (
            ("", ""),
            ["101", "102", "s02"],
            "102 and s02 are one student in FILE, line 6, by the columns ID and SIS User ID. Keep "
            "one of them, or say which column has the ids of your class: --id-column NAME.",
        ),
        (
            ("", ""),
            ["s01", "S01"],
            "s01 and S01 are spelled alike, so nobody can tell whose row is whose. Rename one of "
            "them.",
        ),
        (
            ("", ""),
            ["zoe"],
            "No student of the class is in FILE. Its columns ID, SIS User ID, SIS Login ID were "
            "compared with the ids of the class, such as zoe. Name the students' files or folders "
            "after one of these columns.",
        ),
    ],
    ids=[
        "twice",
        "two columns",
        "two half columns",
        "one row",
        "one row by two columns",
        "case",
        "nobody",
    ],
)
def test_whose_row_it_is_is_never_guessed(
    fill: Filling, change: tuple[str, str], ids: list[str], said: str
) -> None:
    text = DOWNLOAD.replace(f",{change[0]},", f",{change[1]},") if change[0] else DOWNLOAD
    fill(text, *(scored(one, 7) for one in ids), code=USAGE)
    assert fill.said == [said]


def test_the_column_that_was_taken_is_said_if_another_one_has_ids_too(fill: Filling) -> None:
    given = (scored("s01", 7), scored("s02", 8), scored("104", 9))
    found = fill(DOWNLOAD, *given)
    assert found == DOWNLOAD.replace('lines",,3', 'lines",7,3').replace('"4.00"', '"8"')
    assert fill.said[0] == (
        "The ids of the class were looked for in the column SIS User ID; some are in ID, too."
    )
    fill(DOWNLOAD, *given, options=("--column", LAB, "--id-column", "SIS User ID"))
    assert fill.said[0] == "In the class, but not in FILE: 104."


def test_the_column_of_ids_can_be_named(fill: Filling) -> None:
    text = DOWNLOAD.replace(",s02,", ",101,")
    options = ("--column", LAB, "--id-column", "SIS User ID")
    assert '"7"' in fill(text, scored("101", 7), options=options)
    fill(text, scored("101", 7), options=("--column", LAB, "--id-column", "Section"), code=USAGE)
    assert fill.said == ["FILE has no column Section. It has ID, SIS User ID, SIS Login ID."]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "its first line has other columns"),
        (b"Student,Mark\nann,1\n", "its first line has other columns"),
        (DOWNLOAD.encode("latin-1"), "it is not UTF-8 text"),
        (DOWNLOAD.encode("utf-16"), "it is not UTF-8 text"),
        (
            DOWNLOAD.encode().replace(b"10.00,", b'"10.00,'),
            "a quotation mark in line 4 is not closed, or not doubled",
        ),
    ],
    ids=["empty", "another table", "Latin-1", "UTF-16", "open quote"],
)
def test_another_file_is_refused(fill: Filling, data: bytes, said: str) -> None:
    fill(data, scored("s01", 7), code=USAGE)
    assert fill.said == [
        f"FILE cannot be read as a Canvas gradebook ({said}). Download it again, and do not save "
        "it in a spreadsheet."
    ]


def test_rows_that_are_too_short_or_lack_points_are_refused(fill: Filling) -> None:
    short = DOWNLOAD.replace('"4.00",,', '"4.00"')
    fill(short, scored("s01", 7), code=USAGE)
    assert fill.said[0].startswith(
        "FILE cannot be read as a table (line 6 has 7 cells, the heading 9)."
    )
    fill(DOWNLOAD.replace("Points Possible", "Possible"), scored("s01", 7), code=USAGE)
    assert fill.said[0].startswith("FILE has no row Points Possible.")
    fill(DOWNLOAD.replace("10.00", ""), scored("s01", 7), code=USAGE)
    assert fill.said[0].startswith("FILE does not say how many points the row Points Possible")


def test_no_file_is_written_over(command: Command, tmp_path: Path) -> None:
    into, out = tmp_path / "gradebook.csv", tmp_path / "filled.csv"
    into.write_text(DOWNLOAD, newline="")
    grades = document(tmp_path, scored("s01", 7))
    call = ("export", "canvas", grades, "--into", into, "--column", LAB, "--out")
    assert command(*call, out).returncode == OK
    for taken in (out, into):
        before = taken.read_bytes()
        run = command(*call, taken)
        assert run.returncode == USAGE
        assert run.stderr.strip() == (
            f"{taken} exists already, and is not replaced. Name another file, or delete that one."
        )
        assert taken.read_bytes() == before


def test_a_file_that_is_not_there(command: Command, tmp_path: Path) -> None:
    call = ("export", "canvas", document(tmp_path, scored("s01", 7)), "--column", LAB)
    run = command(*call, "--into", tmp_path / "no.csv", "--out", tmp_path / "filled.csv")
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        f"There is no file {tmp_path / 'no.csv'}. Download it from Canvas, and name that.",
    )
