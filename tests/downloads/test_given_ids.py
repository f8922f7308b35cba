"""Ids come from the roster, or from the website; nobody is lost, and no two share a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from website_downloads import Intake, download, inside

CANVAS = {
    "grayann_101_9001_x.py": "a",
    "youngben_102_9002_x.py": "b",
    "reedcarl_103_9003_x.py": "c",
}
MOODLE = {
    "Ann Gray_1234_assignsubmission_file_/x.py": "a",
    "Ben Young_1235_assignsubmission_file_/x.py": "b",
}
ROSTER = """\
\ufeffID;Canvas;Moodle;Gradescope;Email;Name
anna;101;Participant 1234;S1;ann@uni.example;Ann Gray
ben;102;1235;;ben@uni.example;Ben Young
emil;109;;;;Emil, who is away
"""


def roster(folder: Path, text: str = ROSTER) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode())
    return path


def metadata(*submitters: tuple[str, str, str]) -> str:
    """The metadata of Gradescope for submissions of one student each: sid, email and name."""
    lines = []
    for number, (sid, email, name) in enumerate(submitters, 1):
        lines += [f"submission_{number}:", "  :submitters:", f"  - :name: {name}"]
        lines += [f"    :sid: '{sid}'", f"    :email: {email}"]
    return "\n".join(lines)


def exported(*submitters: tuple[str, str, str]) -> dict[str, str]:
    """An export from Gradescope, in which each student has a file x.py."""
    files = {f"submission_{number}/x.py": "x" for number in range(1, len(submitters) + 1)}
    return {"submission_metadata.yml": metadata(*submitters), **files}


def test_the_roster_gives_the_ids(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, CANVAS)
    intake(path, "--out", tmp_path / "class", "--roster", roster(tmp_path))
    assert inside(tmp_path / "class") == {"103/x.py": "c", "anna/x.py": "a", "ben/x.py": "b"}
    assert "Not in the roster, and kept under what the website calls them: 103." in intake.err
    assert "In the roster, but not in the download: emil." in intake.err


def test_each_website_has_a_column(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, MOODLE)
    intake(path, "--out", tmp_path / "class", "--roster", roster(tmp_path))
    assert inside(tmp_path / "class") == {"anna/x.py": "a", "ben/x.py": "b"}
    assert "Not in the roster" not in intake.err


def test_gradescope_knows_students_by_id_or_else_by_address(tmp_path: Path, intake: Intake) -> None:
    of = (
        ("s1", "other@uni.example", "Ann"),
        ("S2", "BEN@uni.example", "Ben"),
        ("S3", "carl@uni.example", "Carl"),
    )
    path = download(tmp_path, exported(*of))
    intake(path, "--out", tmp_path / "class", "--roster", roster(tmp_path))
    assert [*inside(tmp_path / "class")] == ["S3/x.py", "anna/x.py", "ben/x.py"]


NAMED = """\
id,name,moodle,gradescope
ann1,ann  GRAY,,
jose1,Jose\u0301 Young,,
carl1,Carl Reed,77,S7
dora1,Dora Hill,,
dora2,Dora Hill,,
eva1,Eva Lang,,
"""
NAMES = ("Ann Gray", "Jos\u00e9 Young", "Carl Reed", "Dora Hill", "Eva Lang", "Eva Lang")


@pytest.mark.parametrize("website", ["moodle", "gradescope"])
def test_a_name_that_one_student_has_is_found_if_nothing_else_is_known(
    website: str, tmp_path: Path, intake: Intake
) -> None:
    files = {
        "moodle": {f"{n}_{i}_assignsubmission_file_/x.py": "x" for i, n in enumerate(NAMES, 1)},
        "gradescope": exported(*((str(i), "", n) for i, n in enumerate(NAMES, 1))),
    }
    path = download(tmp_path, files[website])
    intake(path, "--out", tmp_path / "class", "--roster", roster(tmp_path, NAMED))
    found = [name.split("/")[0] for name in inside(tmp_path / "class")]
    assert found == ["3", "4", "5", "6", "ann1", "jose1"]
    assert "kept under what the website calls them: 3, 4, 5, 6." in intake.err
    assert "In the roster, but not in the download: carl1, dora1, dora2, eva1." in intake.err


@pytest.mark.parametrize(
    ("files", "columns", "said"),
    [
        (CANVAS, "id,name,email", "no column canvas, by which students in a download from Canvas"),
        (MOODLE, "id,email", "no column moodle or name, by which students in a download from"),
        (exported(("s1", "a@b", "Ann")), "id,canvas", "no column gradescope or email or name, by"),
        (MOODLE, "id", "no column moodle or name, by which"),
    ],
)
def test_a_roster_without_a_column_for_the_website_is_refused(
    files: dict[str, str], columns: str, said: str, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, files)
    given = roster(tmp_path, f"{columns}\nann1\n")
    found = intake.refused(path, "--out", tmp_path / "class", "--roster", given)
    assert said in found and found.endswith("are found. Add it to the roster.\n")
    assert not (tmp_path / "class").exists()


def test_a_roster_that_is_wrong_is_refused_before_anything_is_written(
    tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, CANVAS)
    wrong = roster(tmp_path, "id,canvas\nanna,101\nben,101\n")
    said = intake.refused(path, "--out", tmp_path / "class", "--roster", wrong)
    assert "has the canvas '101' twice, in lines 2 and 3." in said
    assert not (tmp_path / "class").exists()


@pytest.mark.parametrize(
    ("one", "other", "folder"),
    [("A1", "a1", "a1"), ("jos\u00e9", "jose\u0301", "jos\u00e9"), ("x", "X", "X")],
)
def test_students_who_would_share_a_folder_are_named(
    one: str, other: str, folder: str, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, exported((one, "", "Ann Gray"), (other, "", "Ben Young")))
    said = intake.refused(path, "--out", tmp_path / "class")
    assert said.startswith("Ann Gray (") and ") and Ben Young (" in said
    assert f"would share the folder {folder}. Give each an id of their own" in said
    assert [*tmp_path.iterdir()] == [path]


def test_a_student_outside_the_roster_gets_nobody_elses_id(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, CANVAS)
    wrong = roster(tmp_path, "id,canvas\n103,109\nanna,101\nben,102\n")
    said = intake.refused(path, "--out", tmp_path / "class", "--roster", wrong)
    assert "reedcarl (103) is not in the roster, and would have the folder 103" in said


def test_a_student_without_a_name_that_a_folder_can_have_is_named(
    tmp_path: Path, intake: Intake
) -> None:
    """What Gradescope calls the submission is the id then."""
    path = download(tmp_path, exported(("../x", "no address/", "Ann"), ("~", "null", "Ben")))
    intake(path, "--out", tmp_path / "class")
    assert [*inside(tmp_path / "class")] == ["submission_1/x.py", "submission_2/x.py"]


def test_a_student_in_two_submissions_is_refused_alone(tmp_path: Path, intake: Intake) -> None:
    of = (("s1", "a@b", "Ann"), ("s1", "a@b", "Ann"), ("s2", "b@b", "Ben"))
    intake(download(tmp_path, exported(*of)), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"s1/": "", "s2/x.py": "x"}
    said = "Ann (s1): there are two submissions, submission_1 and submission_2."
    assert said in intake.err


def test_what_belongs_to_nobody_is_named(tmp_path: Path, intake: Intake) -> None:
    files = {**exported(("s1", "", "Ann")), "submission_9/x.py": "x", "list.csv": "x"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    assert "the name says nothing of a student: submission_9, list.csv." in intake.err
    assert [*inside(tmp_path / "class")] == ["s1/x.py"]


def test_digits_that_no_website_writes_are_no_number(tmp_path: Path, intake: Intake) -> None:
    wide = "Ann_\uff11\uff12_assignsubmission_file_"
    intake(download(tmp_path, {**MOODLE, f"{wide}/x.py": "x"}), "--out", tmp_path / "class")
    assert [*inside(tmp_path / "class")] == ["1234/x.py", "1235/x.py"]
    assert f"the name says nothing of a student: {wide}." in intake.err
