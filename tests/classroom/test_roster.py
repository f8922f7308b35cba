"""The list of a class: ids by what other programs call the students, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom import roster
from autograder.classroom.roster import Column
from autograder.errors import UsageError

TEXT = """\
id,canvas,moodle,gradescope,email,name
anna,101,Participant 1234,S001,anna@uni.example,"Gray, Anna"
ben,102,1235,S002,Ben@uni.example,Ben Young
josé,,,,,Ben Young
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "class.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    """Why a list is refused, without its path."""
    path = written(folder, text)
    with pytest.raises(UsageError) as raised:
        roster.read(path)
    assert str(path) in str(raised.value)
    return str(raised.value).replace(str(path), "class.csv")


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("canvas", "101", "anna"),
        ("moodle", "1234", "anna"),
        ("moodle", "Participant 1235", "ben"),
        ("moodle", "Teilnehmer/in 1235", "ben"),
        ("gradescope", "s002", "ben"),
        ("email", "BEN@uni.example", "ben"),
        ("name", "gray,  anna", "anna"),
        ("name", "Ben Young", None),  # two people
        ("canvas", "10", None),
        ("canvas", "1234", None),  # the number of another program
        ("moodle", "234", None),
    ],
)
def test_a_student_is_found_by_what_a_program_calls_them(
    column: Column, value: str, expected: str | None, tmp_path: Path
) -> None:
    assert roster.read(written(tmp_path, TEXT)).id_of(column, value) == expected


def test_what_a_program_calls_a_student_is_found_by_the_id(tmp_path: Path) -> None:
    found = roster.read(written(tmp_path, TEXT))
    assert [one.id for one in found] == ["anna", "ben", "josé"]
    assert "BEN" in found
    assert "carl" not in found
    assert found.value_of("ANNA", "moodle") == "Participant 1234"
    assert found.value_of("jose\u0301", "name") == "Ben Young"
    assert found.value_of("josé", "email") is None
    assert found.value_of("carl", "email") is None
    assert found.columns == ("canvas", "moodle", "gradescope", "email", "name")


SAME = {  # other ways in which programs write the same table
    "as it is": "id,canvas\nanna,101\nben,102\n",
    "a BOM": "\ufeffid,canvas\nanna,101\nben,102\n",
    "a BOM and quotes": '\ufeff"id","canvas"\n"anna","101"\n"ben","102"\n',
    "lines of Windows": "id,canvas\r\nanna,101\r\nben,102\r\n",
    "lines of an old Mac": "id,canvas\ranna,101\rben,102\r",
    "semicolons": "id;canvas\nanna;101\nben;102\n",
    "tabs": "id\tcanvas\nanna\t101\nben\t102\n",
    "capitals and spaces": " ID , Canvas \n anna , 101 \nben,102\n",
    "another order": "canvas,id\n101,anna\n102,ben\n",
    "empty rows": "\nid,canvas\n\nanna,101\n,\n\nben,102",
}


@pytest.mark.parametrize("way", SAME)
def test_spreadsheets_write_it_in_several_ways(way: str, tmp_path: Path) -> None:
    found = roster.read(written(tmp_path, SAME[way]))
    assert [(one.id, {**one.values}) for one in found] == [
        ("anna", {"canvas": "101"}),
        ("ben", {"canvas": "102"}),
    ]


def test_cells_hold_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'id,name,email\nanna,"Gray, ""Ann""\nMaria",\nben\n'
    found = roster.read(written(tmp_path, text))
    assert [(one.id, one.line) for one in found] == [("anna", 2), ("ben", 4)]
    assert found.id_of("name", 'Gray, "Ann" Maria') == "anna"
    assert found.value_of("anna", "email") is None


REFUSED = {
    "": "is empty. Its first row names the columns: id, canvas, moodle, gradescope, email, name.",
    "\ufeff\n,\n": "is empty.",
    "name,canvas\nAnna,1\n": "has no column id. The columns are id, canvas,",
    "id,canvas id\nanna,1\n": "has a column 'canvas id', which is not known. Delete or rename it.",
    "id,,canvas\nanna,,1\n": "has a column '', which is not known.",
    "id,Canvas,canvas\nanna,1,2\n": "has two columns canvas. Delete one of them.",
    "id,canvas\nanna,1\nben,1\n": "has the canvas '1' twice, in lines 2 and 3. Correct one of",
    "id,moodle\nanna,Participant 7\nben,7\n": "has the moodle '7' twice, in lines 2 and 3.",
    "id,email\nanna,a@b\nben,A@B\n": "has the email 'A@B' twice, in lines 2 and 3.",
    "id\nanna\n\nANNA\n": "has the id 'ANNA' twice, in lines 2 and 4.",
    "id\njosé\njose\u0301\n": "twice, in lines 2 and 3.",
    "id,canvas\n,1\n": ", line 2: the id is missing. Fill it in, or delete the row.",
    "id,canvas\nanna,1,2\n": ", line 2: there are more cells than columns.",
    "id\n../anna\n": ", line 2: ..\ufffdanna cannot be a student's id. Rename it.",
    "id\n=1+1\n": "cannot be a student's id.",
    "id\ncon\n": "Windows keeps this name for a device",
    'id,name\nanna,"Anna\n': "cannot be read: in line 2, unexpected end of data.",
    'id,name\nanna,"An"na\n': "cannot be read: in line 2,",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_list_that_is_wrong_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    assert REFUSED[text] in refusal(tmp_path, text)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    said = "cannot be read: it is not UTF-8 text. Save it as CSV in UTF-8 again."
    assert said in refusal(tmp_path, "id\njosé\n".encode("latin-1"))
    assert said in refusal(tmp_path, "id\nanna\n".encode("utf-16"))


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        roster.read(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="it is a folder, not a file"):
        roster.read(tmp_path)
