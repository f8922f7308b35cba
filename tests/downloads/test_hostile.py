"""What students may have put into a download costs at most themselves, and nothing is followed."""

from __future__ import annotations

import io
import os
import stat
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from website_downloads import Intake, download, inside, zipped

from autograder.downloads import contents, entries

METADATA = """\
submission_1:
  :submitters:
  - :sid: mallory
submission_2:
  :submitters:
  - :sid: zoe
"""
FINE = {"submission_metadata.yml": METADATA, "submission_2/x.py": "x = 1\n"}
Packing = Callable[[zipfile.ZipFile], None]


def link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("submission_1/secret.py")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


def device(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("submission_1/null.py")
    entry.external_attr = (stat.S_IFCHR | 0o777) << 16
    archive.writestr(entry, "")


def named(name: str) -> Packing:
    def pack(archive: zipfile.ZipFile) -> None:
        archive.writestr(f"submission_1/{name}", "evil = 1\n")

    return pack


def twice(one: str, other: str) -> Packing:
    def pack(archive: zipfile.ZipFile) -> None:
        named(one)(archive)
        named(other)(archive)

    return pack


def bomb(archive: zipfile.ZipFile) -> None:
    archive.writestr("submission_1/zeros.bin", bytes(contents.MAX_CONTENT + 1))


def many(archive: zipfile.ZipFile) -> None:
    for number in range(contents.MOST + 1):
        archive.writestr(f"submission_1/{number}.py", "")


def unusual(archive: zipfile.ZipFile) -> None:
    archive.writestr("submission_1/x.py", "x = 1\n", zipfile.ZIP_LZMA)


HOSTILE: dict[str, tuple[Packing, str]] = {
    "a link": (link, "there is a link, 'submission_1/secret.py'."),
    "a device": (device, "there is a device, 'submission_1/null.py'."),
    "a way out": (named("../../evil.py"), "there is a file named 'submission_1/../../evil.py', "
                  "which leads out of it."),
    "a way out for Windows": (named("..\\..\\evil.py"), "which leads out of it."),
    "a way to a classmate": (named("../submission_2/x.py"), "which leads out of it."),
    "a long name": (named("l" * 300), "there is a file with too long a name,"),
    "a long name in bytes": (named("\u0800" * 120), "cannot be written: File name too long."),
    "a long name beside another": (twice("x.py", "\u0800" * 120), "File name too long."),
    "a tower": (named("e" + "\u0301" * 50), "there is a file with too long a name,"),
    "two of one name": (twice("x.py", "x.py"), "there are two files 'x.py'."),
    "two in capitals": (twice("x.py", "X.PY"), "there are two files with nearly the same name"),
    "two spellings": (twice("\u00e9.py", "e\u0301.py"), "with nearly the same name"),
    "a file as a folder": (twice("x", "x/y.py"), "there are a file and a folder 'x'."),
    "a bomb": (bomb, "the files have more than 200 MB."),
    "many files": (many, f"there are more than {contents.MOST} files."),
    "an unusual packing": (unusual, "there is a file that is packed in an unusual way"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_entry_costs_its_student_alone(case: str, tmp_path: Path, intake: Intake) -> None:
    pack, said = HOSTILE[case]
    path = download(tmp_path, FINE)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        pack(archive)
    intake(path, "--out", tmp_path / "out" / "class")
    assert intake.code == 0
    assert inside(tmp_path / "out" / "class") == {"mallory/": "", "zoe/x.py": "x = 1\n"}
    assert intake.err.startswith("Not taken in, so that the folder is empty: mallory: ")
    assert said in intake.err
    assert sorted(one.name for one in tmp_path.iterdir()) == ["download.zip", "out"]


def test_documents_of_nearly_the_same_name_are_kept(tmp_path: Path, intake: Intake) -> None:
    files = {**FINE, "submission_1/README": "a", "submission_1/readme": "b"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    found = inside(tmp_path / "class")
    assert (found["mallory/README"], found["mallory/readme"]) == ("a", "b")


def test_a_damaged_file_costs_its_student_alone(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, {"submission_1/x.py": "damaged" * 99, **FINE})
    data = path.read_bytes()
    at = data.index(b"submission_1/x.py") + len("submission_1/x.py")
    path.write_bytes(data[:at] + b"\0\0\0\0" + data[at + 4 :])
    intake(path, "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"mallory/": "", "zoe/x.py": "x = 1\n"}
    assert "mallory: there is a file that cannot be read (" in intake.err


def test_an_encrypted_file_costs_its_student_alone(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, {"submission_1/x.py": "x", **FINE})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")  # of the first member
    data[at + 8] |= 1
    path.write_bytes(data)
    intake(path, "--out", tmp_path / "class")
    assert "mallory: there is a file that is encrypted, 'submission_1/x.py'." in intake.err
    assert inside(tmp_path / "class")["zoe/x.py"] == "x = 1\n"


def test_an_archive_of_a_student_stays_packed(tmp_path: Path, intake: Intake) -> None:
    """Grading reads it, within its limits."""
    inner = zipped({"../../evil.py": "evil = 1\n"})
    intake(download(tmp_path, {**FINE, "submission_1/w.zip": inner}), "--out", tmp_path / "class")
    assert (tmp_path / "class" / "mallory" / "w.zip").read_bytes() == inner


def test_an_archive_whose_members_overlap_is_refused(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, {"submission_1/x.py": "x" * 99, **FINE})
    data = bytearray(path.read_bytes())
    _, second, *_ = (at for at in range(len(data)) if data[at : at + 4] == b"PK\x01\x02")
    data[second + 42 : second + 46] = (0).to_bytes(4, "little")  # where the member begins
    path.write_bytes(data)
    said = intake.refused(path, "--out", tmp_path / "class")
    assert "has members that overlap. Download it again." in said


def test_a_list_of_members_that_is_too_long_is_refused(
    tmp_path: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MAX_DIRECTORY", 100)
    said = intake.refused(download(tmp_path, FINE), "--out", tmp_path / "class")
    assert "is packed in an unusual way. Download it again." in said


def test_too_many_files_are_refused(
    tmp_path: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST", 1)
    said = intake.refused(download(tmp_path, FINE), "--out", tmp_path / "class")
    assert "holds more than 1 files. Download fewer students at once." in said


def test_files_that_are_left_out_are_not_too_many(
    tmp_path: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST", 3)
    hidden = {f"submission_1/.git/{number}": "x" for number in range(9)}
    intake(download(tmp_path, {**FINE, **hidden}), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"mallory/": "", "zoe/x.py": "x = 1\n"}


@pytest.mark.parametrize("own", ["C:evil.py", "l" * 200 + "\u0301" * 9 + ".py"])
def test_the_name_within_one_of_canvas_is_looked_at(
    own: str, tmp_path: Path, intake: Intake
) -> None:
    files = {f"mallory_101_9001_{own}": "x", "zoe_102_9002_x.py": "x = 1\n"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"101/": "", "102/x.py": "x = 1\n"}
    assert "so that the folder is empty: mallory (101): there is a file " in intake.err


def test_code_that_takes_too_long_to_read_costs_its_student_alone(
    tmp_path: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(files: dict[str, bytes], *_: object) -> dict[str, str]:
        end = time.process_time() + 3.0
        while any(name.startswith("mallory") for name in files) and time.process_time() < end:
            pass
        return dict.fromkeys(files, "x.py")

    monkeypatch.setattr(contents, "own_names", slow)
    monkeypatch.setattr("autograder.submissions.files.SECONDS", 0.2)
    files = {"mallory_101_9001_x.py": "x", "zoe_102_9002_x.py": "x = 1\n"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"101/": "", "102/x.py": "x = 1\n"}
    assert "takes more than 0.2 s to read. Keep only your own work in it." in intake.err


FOLDER = "Mallory_12_assignsubmission_file_"
ZOE = {"Zoe_13_assignsubmission_file_/x.py": "x = 1\n"}


def planted(path: Path, kind: str) -> None:
    """Put something else into a student's folder than a plain file."""
    secret = path.parents[1].parent / "secret"
    secret.mkdir()
    (secret / "key.py").write_text("key = 1\n")
    if kind == "link":
        path.symlink_to(secret / "key.py")
    elif kind == "folder":
        path.symlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        os.mkdir(path.with_name(os.fsdecode(b"\xff")))


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no text, and pipes")
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("link", "there is a link, 'x.py'."),
        ("folder", "there is a link, 'x.py'."),
        ("pipe", "there is a named pipe, 'x.py'."),
        ("name", "there is a file whose name is not UTF-8, "),
    ],
)
def test_what_is_no_plain_file_costs_its_student_alone(
    kind: str, said: str, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, {f"{FOLDER}/notes.txt": "n", **ZOE}, unpacked=True)
    planted(path / FOLDER / "x.py", kind)
    intake(path, "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/": "", "13/x.py": "x = 1\n"}
    assert f"so that the folder is empty: Mallory (12): {said}" in intake.err


def test_a_link_in_place_of_a_students_folder_is_not_followed(
    tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, ZOE, unpacked=True)
    (path / FOLDER).symlink_to(path / "Zoe_13_assignsubmission_file_")
    intake(path, "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/": "", "13/x.py": "x = 1\n"}
    said = f"the folder is empty: Mallory (12): there is a link, '{FOLDER}'."
    assert intake.err == f"Not taken in, so that {said}\n"


@pytest.mark.parametrize(
    "name", [FOLDER, FOLDER[:-1], f"download/{FOLDER}", FOLDER.replace("file", "onlinetext")]
)
def test_a_link_in_an_archive_in_place_of_a_students_folder_costs_its_student_alone(
    name: str, tmp_path: Path, intake: Intake
) -> None:
    around = "download/" if name.startswith("download/") else ""
    path = download(tmp_path, {f"{around}{own}": text for own, text in ZOE.items()})
    with zipfile.ZipFile(path, "a") as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "Zoe_13_assignsubmission_file_")
    intake(path, "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/": "", "13/x.py": "x = 1\n"}
    assert f"the folder is empty: Mallory (12): there is a link, '{name}'." in intake.err
    assert "says nothing of a student" not in intake.err


NOTHING = "there are no files, or only hidden ones."


def test_a_students_empty_folder_is_there(tmp_path: Path, intake: Intake) -> None:
    path = download(tmp_path, ZOE, unpacked=True)
    (path / FOLDER).mkdir()
    intake(path, "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/": "", "13/x.py": "x = 1\n"}
    assert intake.err == f"Not taken in, so that the folder is empty: Mallory (12): {NOTHING}\n"


HIDDEN = {
    "moodle": {**ZOE, f"{FOLDER}/.x.py": "x", f"{FOLDER}/__pycache__/x.pyc": "x"},
    "moodle, in a folder": {**ZOE, f"{FOLDER}/.git/x.py": "x"},
    "canvas": {"mallory_12_9001_.x.py": "x", "zoe_13_9002_x.py": "x = 1\n"},
    "gradescope": {
        "submission_metadata.yml": METADATA.replace("mallory", "12").replace("zoe", "13"),
        "submission_1/.x.py": "x",
        "submission_2/x.py": "x = 1\n",
    },
    "gradescope, without a folder": {
        "submission_metadata.yml": METADATA.replace("mallory", "12").replace("zoe", "13"),
        "submission_2/x.py": "x = 1\n",
    },
}


@pytest.mark.parametrize("unpacked", [False, True])
@pytest.mark.parametrize("around", ["", "download/"])
@pytest.mark.parametrize("case", HIDDEN)
def test_a_student_without_any_file_that_counts_is_named(
    case: str, around: str, unpacked: bool, tmp_path: Path, intake: Intake
) -> None:
    files = {f"{around}{name}": text for name, text in HIDDEN[case].items()}
    intake(download(tmp_path, files, unpacked), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/": "", "13/x.py": "x = 1\n"}
    (line,) = intake.err.splitlines()
    assert line.startswith("Not taken in, so that the folder is empty: ")
    assert line.endswith(NOTHING) and "12" in line


def test_escapes_in_names_do_not_reach_the_terminal(tmp_path: Path, intake: Intake) -> None:
    files = {**ZOE, "\x1b[2Jx.txt": "x", f"{FOLDER}/\x1b[2J.py": "a", f"{FOLDER}/\x1b[2J.PY": "b"}
    intake(download(tmp_path, files), "--out", tmp_path / "class")
    assert intake.code == 0
    assert "\x1b" not in intake.err + intake.out
    assert "with nearly the same name" in intake.err


def test_nothing_that_students_wrote_is_run(tmp_path: Path, intake: Intake) -> None:
    mark = tmp_path / "ran"
    code = f"open({str(mark)!r}, 'w')\n"
    own = {f"grayann_101_900{i}_{name}": code for i, name in enumerate(
        ("sitecustomize.py", "conftest.py", "torch.py", "yaml.py", "lab-1.py")
    )}  # fmt: skip
    intake(download(tmp_path, own), "--out", tmp_path / "class")
    assert intake.code == 0 and not mark.exists()


def test_a_class_of_a_zip_with_backslashes_has_folders(tmp_path: Path, intake: Intake) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(zipfile.ZipInfo(f"{FOLDER}\\work\\x.py"), "x = 1\n")
    (tmp_path / "d.zip").write_bytes(made.getvalue())
    intake(tmp_path / "d.zip", "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"12/work/x.py": "x = 1\n"}
