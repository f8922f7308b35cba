"""What each website puts into a download, from there to the grades."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Command, written
from website_downloads import Files, Intake, download, inside, zipped

from autograder.course import root
from autograder.downloads import gradescope

NAME, EXERCISE = "running_averages", "running_mean_loop"
RIGHT, EMPTY = "<right>", "x = 1\n"
METADATA = """\
---
submission_11:
  :submitters:
  - :name: Ann Gray
    :sid: '0101'
    :email: ann@uni.example
  - :name: José "Pepe" Reed
    :sid: 102
    :email: pepe@uni.example
  :created_at: 2026-11-21 10:00:00.000000000 Z
  :score: 3.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    tests: []
  :history: []
submission_12:
  :submitters:
  - :name: Ben Young
    :sid:
    :email: ben+cs@uni.example
submission_13:
  :submitters:
  - :name: Dora Hill
    :sid: '104'
submission_14:
  :submitters: []
"""

DOWNLOADS: dict[str, tuple[Files, dict[str, str], dict[str, float], str]] = {
    # what is in it; what is taken in; the points of one exercise, if there is a grade; the summary
    "canvas": (
        {
            f"grayann_101_9001_{NAME}-1.py": RIGHT,
            "grayann_101_9002_data.csv": "1,2\n",
            f"youngben_late_102_9003_{NAME}.py": EMPTY,
            "van_der_lee_LATE_103_9004_work.zip": zipped({f"a/{NAME}.py": "<right>"}),
            "hilldora_104_text.html": "<p>mine</p>",
            "reedcarl_105_link.html": "<p>mine</p>",
            f"anon_a1B2c_9005_{NAME}.py": RIGHT,
        },
        {
            f"101/{NAME}.py": RIGHT,
            "101/data.csv": "1,2\n",
            f"102/{NAME}.py": EMPTY,
            "103/work.zip": "PK",
            "104/onlinetext/text.html": "<p>mine</p>",
            "105/onlinetext/link.html": "<p>mine</p>",
            f"a1B2c/{NAME}.py": RIGHT,
        },
        {"101": 4, "102": 0, "103": 4, "a1B2c": 4},
        "took in 6 students with 7 files from Canvas",
    ),
    "moodle": (
        {
            f"Ann Gray_1234_assignsubmission_file_/{NAME}.py": RIGHT,
            "Ann Gray_1234_assignsubmission_file_/more/data.csv": "1,2\n",
            "Ann Gray_1234_assignsubmission_onlinetext_/onlinetext.html": "<p>mine</p>",
            f"José O'Neil_1235_assignsubmission_file/{NAME}.py": EMPTY,
            "Dora Hill_1236_assignsubmission_onlinetext/onlinetext.html": "<p>mine</p>",
            f"Participant_1237_assignsubmission_file_/{NAME}.py": RIGHT,
        },
        {
            f"1234/{NAME}.py": RIGHT,
            "1234/more/data.csv": "1,2\n",
            "1234/onlinetext/onlinetext.html": "<p>mine</p>",
            f"1235/{NAME}.py": EMPTY,
            "1236/onlinetext/onlinetext.html": "<p>mine</p>",
            f"1237/{NAME}.py": RIGHT,
        },
        {"1234": 4, "1235": 0, "1237": 4},
        "took in 4 students with 6 files from Moodle",
    ),
    "moodle, flat": (
        {
            f"Ann Gray_1234_assignsubmission_file_{NAME}.py": RIGHT,
            "Ann Gray_1234_assignsubmission_file_lab-1.py": EMPTY,
            "Ann Gray_1234_assignsubmission_file_anna_101_9001_x.py": EMPTY,
            "Ann Gray_1234_assignsubmission_onlinetext_onlinetext.html": "<p>mine</p>",
            f"Team A-Ben Young_1235_assignsubmission_file_{NAME}.py": EMPTY,
        },
        {
            f"1234/{NAME}.py": RIGHT,
            "1234/lab-1.py": EMPTY,
            "1234/anna_101_9001_x.py": EMPTY,
            "1234/onlinetext/onlinetext.html": "<p>mine</p>",
            f"1235/{NAME}.py": EMPTY,
        },
        {"1234": 4, "1235": 0},
        "took in 2 students with 5 files from Moodle",
    ),
    "gradescope": (
        {
            "submission_metadata.yml": METADATA,
            f"submission_11/{NAME}.py": RIGHT,
            "submission_11/anna_101_9001_x-1.py": EMPTY,
            f"submission_12/work/{NAME}.py": EMPTY,
            f"submission_14/{NAME}.py": RIGHT,
        },
        {
            f"0101/{NAME}.py": RIGHT,
            "0101/anna_101_9001_x-1.py": EMPTY,
            f"102/{NAME}.py": RIGHT,
            "102/anna_101_9001_x-1.py": EMPTY,
            f"ben+cs@uni.example/work/{NAME}.py": EMPTY,
            "104/": "",
            f"submission_14/{NAME}.py": RIGHT,
        },
        {"0101": 4, "102": 4, "ben+cs@uni.example": 0, "submission_14": 4},
        "took in 5 students with 6 files from Gradescope",
    ),
}


def with_work(files: Files, solution: str) -> Files:
    """Return files with a solution in place of its mark."""
    work = written(solution)
    made = {name: work if data == RIGHT else data for name, data in files.items()}
    packed = {name: zipped({f"a/{NAME}.py": work}) for name in files if name.endswith(".zip")}
    return made | packed


@pytest.mark.parametrize("unpacked", [False, True])
@pytest.mark.parametrize("around", ["", "download_77/"])
@pytest.mark.parametrize("case", DOWNLOADS)
def test_each_student_gets_a_folder_with_the_files_as_they_were_named(
    case: str, around: str, unpacked: bool, tmp_path: Path, intake: Intake
) -> None:
    files, expected, _, said = DOWNLOADS[case]
    files = {f"{around}{name}": data for name, data in files.items()}
    files |= {f"{around}.DS_Store": "", f"__MACOSX/{around}._x": ""}
    intake(download(tmp_path, files, unpacked), "--out", tmp_path / "class")
    assert intake.code == 0
    found = inside(tmp_path / "class")
    assert {n: d[:2] if n.endswith(".zip") else d for n, d in found.items()} == expected
    assert intake.out.startswith(f"{said}: {tmp_path / 'class'}\n")
    typed = sorted({name.split("/")[0] for name in expected if "/onlinetext/" in name})
    assert (f"which is not graded, by: {', '.join(typed)}." in intake.err) == bool(typed)
    assert [path.name for path in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("case", DOWNLOADS)
def test_what_was_taken_in_is_graded(
    case: str, tmp_path: Path, intake: Intake, command: Command, solutions: dict[str, str]
) -> None:
    files, expected, points, _ = DOWNLOADS[case]
    intake(download(tmp_path, with_work(files, solutions[NAME])), "--out", tmp_path / "class")
    asked = ("--assignment", NAME, "--exercise", EXERCISE, "--json")
    run = command("grade", tmp_path / "class", *asked)
    assert run.returncode == 0
    graded = json.loads(run.stdout)["submissions"]
    found = {one["submission"]: one for one in graded}
    assert {*found} == {name.split("/")[0] for name in expected}  # nobody is lost
    assert {name: found[name]["score"] for name in points} == points
    others = {found[name]["status"] for name in found.keys() - points.keys()}
    assert others <= {"unreadable"}


def test_what_was_taken_in_is_a_class_without_an_assignment(
    tmp_path: Path, intake: Intake, command: Command, solutions: dict[str, str]
) -> None:
    """A class of one student is one, too."""
    files = with_work({f"grayann_101_9001_{NAME}.py": RIGHT}, solutions[NAME])
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    run = command("grade", tmp_path / "class", "--exercise", EXERCISE, "--json")
    (found,) = json.loads(run.stdout)["submissions"]
    assert (found["submission"], found["assignment"], found["score"]) == ("101", NAME, 4)


SEVERAL = {  # files of one student in Canvas, by the numbers that it may have appended
    "a number that Canvas appended": ({"lab-1.py": "x"}, ["lab.py"]),
    "two of one name, of no assignment": ({"lab.py": "x", "lab-1.py": "y"}, ["lab-1.py", "lab.py"]),
    "a number in the code": ({"lab-2.py": "x", "my.py": "exec(open('lab-2.py').read())"},
                             ["lab-2.py", "my.py"]),
    "a number in the name": ({"2026_lab.py": "x"}, ["2026_lab.py"]),
    "attempts": ({f"{NAME}.py": "x", f"{NAME}-1.py": "y"}, None),
    "attempts of notebooks": ({f"{NAME}-1.ipynb": "x", f"{NAME}-2.ipynb": "y"}, None),
    "a notebook and a module": ({f"{NAME}-1.ipynb": "x", f"{NAME}.py": "y"},
                                [f"{NAME}.ipynb", f"{NAME}.py"]),
    "a hidden file": ({".lab.py": "x", "lab.py": "y"}, ["lab.py"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SEVERAL)
def test_numbers_that_canvas_appends_are_left_out(
    case: str, tmp_path: Path, intake: Intake
) -> None:
    own, expected = SEVERAL[case]
    files = {f"grayann_101_{9001 + i}_{name}": own[name] for i, name in enumerate(own)}
    files |= {"youngben_102_9100_lab.py": "x = 1\n"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    found = inside(tmp_path / "class")
    assert found.pop("102/lab.py") == "x = 1\n"
    assert [*found] == ([f"101/{name}" for name in expected] if expected else ["101/"])
    said = "belong to the same student. Keep the one that counts."
    assert (said in intake.err) == (expected is None)
    assert ("These may be another student's" in intake.err) == ("2026_lab.py" in own)


GUIDE = re.compile(
    r"A file such as `(\S+)` is taken for `(\S+)` of (\d+), and is named, since a classmate called "
    r"`(\S+)` might have handed it in\."
)


def test_what_the_guide_says_of_a_number_at_the_end_of_a_name(
    tmp_path: Path, intake: Intake
) -> None:
    text = (root() / "autograder" / "INSTRUCTORS.md").read_text(encoding="utf-8")
    [(file, own, student, classmate)] = GUIDE.findall(" ".join(text.split()))
    assert file.startswith(f"{classmate}_")
    intake(download(tmp_path, {file: "x = 1\n"}), "--out", tmp_path / "class")
    assert [*inside(tmp_path / "class")] == [f"{student}/{own}"]
    assert f"a name can end with a number: {file}." in intake.err


NUMBERS = {  # files; what is taken in; those of which it is said that they may be another student's
    "a text": (
        ["student_12_107_text.html", "zed_12_9004_lab.py"],
        ["107/onlinetext/text.html", "12/lab.py"],
        [],
    ),
    "a text, and a file of this name": (
        ["student_12_107_text.html", "zed_12_9004_lab.py", "zed_12_9005_text.html"],
        ["107/onlinetext/text.html", "12/lab.py", "12/text.html"],
        ["zed_12_9005_text.html"],
    ),
    "a file": (
        ["student_12_107_9001_lab-1.py", "zed_late_12_9004_lab.py"],
        ["107/lab.py", "12/lab.py"],
        [],
    ),
    "a text and a file of namesakes": (
        ["student_12_107_text.html", "student_12_9004_lab.py", "student_12_9005_text.html"],
        ["107/onlinetext/text.html", "12/lab.py", "9005/onlinetext/text.html"],
        ["student_12_107_text.html", "student_12_9005_text.html"],
    ),
    "a text, and nobody else": (
        ["student_12_107_text.html"],
        ["12/text.html"],
        ["student_12_107_text.html"],
    ),
    "late": (
        ["student_12_LATE_107_link.html", "student_13_LATE_108_9001_lab.py"],
        ["107/onlinetext/link.html", "108/lab.py"],
        [],
    ),
    "late, in an older Canvas": (
        ["student_12_late_107_link.html", "student_13_late_108_9001_lab.py"],
        ["107/onlinetext/link.html", "108/lab.py"],
        [],
    ),
    "a name without letters": (
        ["_101_9001_lab.py", "_LATE_102_9002_lab.py", "_103_text.html", "__104_9003_lab-2.py"],
        ["101/lab.py", "102/lab.py", "103/onlinetext/text.html", "104/lab.py"],
        [],
    ),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_each_file_from_canvas_is_of_the_student_whose_it_can_be(
    case: str, tmp_path: Path, intake: Intake
) -> None:
    files, expected, unsure = NUMBERS[case]
    intake(download(tmp_path, dict.fromkeys(files, "x = 1\n")), "--out", tmp_path / "class")
    assert [*inside(tmp_path / "class")] == expected
    said = [line for line in intake.err.splitlines() if not line.startswith("Typed into a form")]
    about = (
        f"These may be another student's, since a name can end with a number: {', '.join(unsure)}."
    )
    assert [line.partition(" If so,")[0] for line in said] == [about] * bool(unsure)


REFUSED = {
    "nothing": ({}, "and found nothing."),
    "folders of students": (
        {f"{who}/{NAME}.py": "x" for who in ("anna", "ben", "carl", "dora")},
        "and found 'anna', 'ben', 'carl', and 1 more.",
    ),
    "two websites": (
        {"grayann_101_9001_x.py": "x", "Ann_12_assignsubmission_file_/x.py": "x"},
        "may be from Canvas and Moodle. Say which: --platform canvas.",
    ),
}


@pytest.mark.parametrize("unpacked", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_a_download_that_is_not_recognised_is_refused_with_what_is_in_it(
    case: str, unpacked: bool, tmp_path: Path, intake: Intake
) -> None:
    files, said = REFUSED[case]
    path = download(tmp_path, files, unpacked)
    found = intake.refused(path, "--out", tmp_path / "class")
    assert found.startswith(str(path)) and said in found
    if case != "two websites":
        assert "expected files such as grayann_101_9001_lab.py (Canvas), folders such as" in found
    assert not (tmp_path / "class").exists()


def test_the_website_can_be_named(tmp_path: Path, intake: Intake) -> None:
    files = {"grayann_101_9001_x.py": "x", "Ann_12_assignsubmission_file_/x.py": "x"}
    path = download(tmp_path, files)
    intake(path, "--out", tmp_path / "class", "--platform", "moodle")
    assert inside(tmp_path / "class") == {"12/x.py": "x"}
    said = "the name says nothing of a student: grayann_101_9001_x.py."
    assert said in intake.err
    found = intake.refused(path, "--out", tmp_path / "c", "--platform", "gradescope")
    assert "is no download from Gradescope: expected a file submission_metadata.yml, and" in found


def test_what_is_no_download_is_refused(tmp_path: Path, intake: Intake) -> None:
    out = ("--out", tmp_path / "class")
    assert "There is no download" in intake.refused(tmp_path / "none.zip", *out)
    (tmp_path / "x.zip").write_text("no archive")
    said = "is neither a folder nor a zip archive. Download it again."
    assert said in intake.refused(tmp_path / "x.zip", *out)
    (tmp_path / "x.zip").write_bytes(zipped({"grayann_101_9001_x.py": "x" * 999})[:-30])
    assert "cannot be read as a zip archive" in intake.refused(tmp_path / "x.zip", *out)
    assert [*tmp_path.iterdir()] == [tmp_path / "x.zip"]


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("a: [1", "cannot be read: it is no YAML in line "),
        ("- a\n", "cannot be read: it names no submissions."),
        ("a: b\n", "cannot be read: it names no submissions."),
        ("a:\n  :submitters: x\n", "cannot be read: 'a' has no list of submitters."),
        ("a/b:\n  :submitters: []\n", "cannot be read: 'a/b' is no name of a submission."),
        ("..:\n  :submitters: []\n", "cannot be read: '..' is no name of a submission."),
        (b"a: \xff\n", "cannot be read: it is no YAML"),
        (":x: !!python/object/apply:os.abort []\n", "cannot be read: it names no submissions."),
    ],
)
def test_metadata_that_are_damaged_are_refused(
    metadata: str | bytes, said: str, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, {"submission_metadata.yml": metadata, "a/x.py": "x"})
    found = intake.refused(path, "--out", tmp_path / "class")
    assert f"submission_metadata.yml in {path} {said}" in found


def test_metadata_that_are_too_large_are_refused(
    tmp_path: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradescope, "MOST", 10)
    path = download(tmp_path, {"submission_metadata.yml": METADATA})
    said = intake.refused(path, "--out", tmp_path / "class")
    assert "cannot be read: it has more than 0 MB. Export the submissions again." in said
