"""Tests of collecting: an exchange or archive that a student wrote affects no other student."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
import zipfile
import zoneinfo
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest
from course_in_nbgrader import Nbgrader, nbgrader_in
from nbgrader.apps.api import NbGraderAPI
from own_files import as_notebook

from autograder.course import skeleton
from autograder.cpu_limit import OutOfTime
from autograder.nbgrader import downloaded as downloaded_files
from autograder.nbgrader import downloads
from autograder.nbgrader.application import application
from autograder.nbgrader.copying import may_be_anothers, temporary
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.times import parsed, submission_name, time_of

pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(os.name != "posix", reason="has no links, and no exchange"),
]
NAME = "running_averages"
TIME = "2026-11-20 12:00:00.000000 UTC"
CODE = "def running_mean_loop(x):\n    return x\n"


def left(folder: Path) -> list[Path]:
    """Return the temporary folders in the kit's folder of a course."""
    return list((folder / ".kit").glob("collecting-*"))


@pytest.fixture
def folder(tmp_path: Path, built_course: Path) -> Path:
    """Make a course."""
    return shutil.copytree(built_course, tmp_path / "course")


@pytest.fixture
def nbgrader(folder: Path) -> Nbgrader:
    return nbgrader_in(folder)


def inbound(folder: Path, student: str, time: str = TIME, text: str = CODE) -> Path:
    """Make a folder in the exchange like nbgrader submit."""
    made = folder / "exchange" / "attention" / "inbound" / f"{student}+{NAME}+{time}+abc"
    made.mkdir(parents=True)
    (made / f"{NAME}.py").write_text(text, encoding="utf-8")
    (made / "timestamp.txt").write_text(time, encoding="utf-8")
    (made / "submission_secret.txt").write_text("secret", encoding="utf-8")
    return made


def collected(folder: Path, student: str) -> Path:
    return folder / "submitted" / student / NAME


def is_honest(folder: Path, student: str = "anna") -> bool:
    """Return whether this student's files were collected, and nothing else."""
    return (collected(folder, student) / f"{NAME}.py").read_text("utf-8") == CODE


def link_to_solution(made: Path, folder: Path) -> None:
    path = made / f"{NAME}.py"
    path.unlink()
    path.symlink_to(folder / "source" / NAME / f"{NAME}.ipynb")


def link_folder(made: Path, folder: Path) -> None:
    (made / "more").symlink_to(folder / "source")


def be_a_link(made: Path, folder: Path) -> None:
    shutil.rmtree(made)
    made.symlink_to(folder / "source" / NAME)


def second_name(made: Path, folder: Path) -> None:
    os.link(folder / "source" / NAME / f"{NAME}.ipynb", made / f"{NAME}.ipynb")


def pipe(made: Path, folder: Path) -> None:
    os.mkfifo(made / f"{NAME}.ipynb")


def deep(made: Path, folder: Path) -> None:
    Path(made, *["d"] * 30).mkdir(parents=True)


def many(made: Path, folder: Path) -> None:
    for i in range(3001):
        (made / f"{i}.txt").touch()


def huge(made: Path, folder: Path) -> None:
    for i in range(3):
        with (made / f"{i}.bin").open("wb") as file:
            file.truncate(90_000_000)


def folder_for_a_time(made: Path, folder: Path) -> None:
    (made / "timestamp.txt").unlink()
    (made / "timestamp.txt").mkdir()


def plain_file(made: Path, folder: Path) -> None:
    shutil.rmtree(made)
    made.write_text(CODE, encoding="utf-8")


def test_the_time_is_what_the_student_wrote(folder: Path, nbgrader: Nbgrader) -> None:
    inbound(folder, "anna", "2020-01-01 00:00:00.000000 UTC")
    nbgrader("collect", NAME)
    assert time_of(collected(folder, "anna")).startswith("2020-01-01 00:00:00")


def test_what_a_killed_command_left_is_removed_by_the_next(folder: Path) -> None:
    (folder / ".kit" / "collecting-killed" / "anna").mkdir(parents=True)
    with temporary(folder) as made:
        assert left(folder) == [made]
        with temporary(folder) as other:  # of a second command at the same time
            assert set(left(folder)) == {made, other}
        assert left(folder) == [made]
    assert left(folder) == []


def test_another_owner_is_warned_of(folder: Path, nbgrader: Nbgrader) -> None:
    inbound(folder, "anna")
    assert "claims to be from anna, but its owner is" in nbgrader("collect", NAME)
    assert is_honest(folder)


@pytest.mark.parametrize(
    "attack",
    [
        link_to_solution,
        link_folder,
        be_a_link,
        second_name,
        pipe,
        deep,
        many,
        huge,
        folder_for_a_time,
        plain_file,
    ],
)
def test_what_is_no_plain_file_is_refused_for_its_student_alone(
    attack: object, folder: Path, nbgrader: Nbgrader
) -> None:
    assert callable(attack)
    inbound(folder, "anna")
    attack(inbound(folder, "mallory"), folder)
    inbound(folder, "zoe")
    said = nbgrader("collect", NAME)
    [refused] = re.findall("mallory is not collected: .*", said)
    assert refused.endswith(" Nothing was changed.")
    assert ("timestamp.txt is a folder" in refused) is (attack is folder_for_a_time)
    assert "Traceback" not in said
    assert is_honest(folder, "anna") and is_honest(folder, "zoe")
    assert not collected(folder, "mallory").exists()
    assert not left(folder)


def longest_name(made: Path, folder: Path) -> None:
    made.rename(made.with_name(made.name.ljust(250, "A")))


def largest(made: Path, folder: Path) -> None:
    """Nothing is left for the time, which is added where the student wrote none."""
    (made / "timestamp.txt").unlink()
    size = sum(path.stat().st_size for path in made.iterdir())
    (made / "more.txt").write_bytes(b"x" * (1000 * 10 - size))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="changes owners")
def test_a_second_name_costs_only_whoever_made_it(folder: Path, nbgrader: Nbgrader) -> None:
    anna, mallory = inbound(folder, "anna"), inbound(folder, "mallory")
    (mallory / f"{NAME}.py").unlink()
    for made, owner in ((anna, 12345), (mallory, 12346)):
        for path in (made, *made.iterdir()):
            os.chown(path, owner, -1)
    os.link(anna / f"{NAME}.py", mallory / f"{NAME}.py")
    said = nbgrader("collect", NAME)
    assert is_honest(folder)
    assert f"mallory is not collected: '{NAME}.py' is a link, or not a file." in said
    assert students(folder) == {"anna"}


@pytest.mark.parametrize(
    ("names", "of_file", "refused"),
    [(1, 5, False), (2, 5, False), (2, 6, True), (2, 7, True), (1, 6, False)],
)
def test_a_file_with_two_names_is_of_the_submissions_owner(
    names: int, of_file: int, refused: bool
) -> None:
    found = os.stat_result((0o100600, 0, 0, names, of_file, 0, 0, 0, 0, 0))
    assert may_be_anothers(found, owner=5, reader=7) is refused
    assert may_be_anothers(found, owner=of_file, reader=of_file) is (names == 2)


@pytest.mark.parametrize("attack", [longest_name, largest])
def test_what_is_at_a_limit_stops_nobody_else(
    attack: Callable[[Path, Path], None], folder: Path, nbgrader: Nbgrader
) -> None:
    for student in ("anna", "mallory", "zoe"):
        made = inbound(folder, student)
        if student == "mallory":
            attack(made, folder)
    said = nbgrader("collect", NAME, "--CourseDirectory.max_dir_size=10")
    assert is_honest(folder, "anna") and is_honest(folder, "zoe"), said
    assert collected(folder, "mallory").exists() is (attack is longest_name)


def test_what_was_collected_before_stays_where_the_next_is_refused(
    folder: Path, nbgrader: Nbgrader
) -> None:
    inbound(folder, "anna")
    nbgrader("collect", NAME)
    later = "2026-11-21 12:00:00.000000 UTC"
    link_to_solution(inbound(folder, "anna", later, "changed"), folder)
    assert "anna is not collected" in nbgrader("collect", NAME, "--update")
    assert is_honest(folder)
    inbound(folder, "anna", "2026-11-22 12:00:00.000000 UTC", "changed")
    assert "Updating submission: anna" in nbgrader("collect", NAME, "--update")
    assert not is_honest(folder)


TIMES = [
    "2026-11-20T12:00:00+99:99",
    "2026-11-20 12:00 -1500",
    "1" * 40 + "h",
    "2026-11-20 12:00:00 " + "x" * 300,
    "2026-11-20 12:00:00 ../../../etc/passwd",
    "9" * 400,
    "2026-13-45 99:99:99 UTC",
    "\0",
    "sNaN",
    "1e999",
    "2026-11-20 12:00 \N{ARABIC-INDIC DIGIT ONE}",
    "9999-12-31 23:59:59 -2359",
    "9999-12-31 23:59:59 UTC",
    "0001-01-01 00:00:00 UTC",
    "",
]


@pytest.mark.parametrize("time", TIMES)
def test_a_time_that_is_none_stops_nobody(time: str, folder: Path, nbgrader: Nbgrader) -> None:
    """Test odd times in the file, and in the folder's name where they can be part of one."""
    assert parsed(time) is None
    inbound(folder, "anna")
    (inbound(folder, "ben") / "timestamp.txt").write_text(time, encoding="utf-8")
    if "/" not in time and "\0" not in time and len(time) < 200:
        inbound(folder, "cleo", time)
    said = nbgrader("collect", NAME)
    assert "Traceback" not in said
    assert is_honest(folder, "anna") and is_honest(folder, "ben")
    assert not collected(folder, "cleo").exists()
    assert time_of(collected(folder, "ben")) == TIME  # that of the folder
    assert "ben: timestamp.txt contains no valid time. The time in the folder's name" in said
    (collected(folder, "ben") / "timestamp.txt").write_text(time, encoding="utf-8")
    said = nbgrader("collect", NAME, "--update")
    assert "Traceback" not in said
    assert is_honest(folder, "anna")


def test_the_formgrader_shows_every_time_in_every_zone(folder: Path) -> None:
    """The first and last times of datetime cannot be converted to other zones."""
    app = application(folder)
    for number, time in enumerate((*TIMES, TIME, "1970-01-01 00:00", "2999-12-31 23:59:59")):
        work = folder / "submitted" / f"student{number}" / NAME
        work.mkdir(parents=True)
        (work / "timestamp.txt").write_text(time, encoding="utf-8")
    for zone in ("UTC", "America/New_York", "Pacific/Kiritimati"):
        shown = NbGraderAPI(app.coursedir, parent=app, timezone=zone).get_submissions(NAME)
        assert len(shown) == len(TIMES) + 3
        assert sum(one["display_timestamp"] is not None for one in shown) == 3


@pytest.mark.parametrize("ending", ["+V9w51gw2zmSi", "+a-_+b", ""])
def test_a_submission_is_collected_whatever_the_time_zone(ending: str) -> None:
    """Some zones have no letters, and a plus sign, which also stands between the parts of a name.

    No zone is that of a file: ZoneInfo knows these, and strftime writes what nbgrader submit does.
    """
    for zone in zoneinfo.available_timezones():
        for month in (1, 7):
            here = datetime(2026, month, 24, 19, 17, 45, 943245, zoneinfo.ZoneInfo(zone))
            text = here.strftime("%Y-%m-%d %H:%M:%S.%f %Z")
            found = submission_name(f"a+b+{NAME}+{text}{ending}", NAME)
            assert found and found[0] == "a+b", text
            assert parsed(text) == found[1]
            if not here.strftime("%Z").isalpha():
                assert found[1] == here.astimezone(timezone.utc).replace(tzinfo=None)


def test_a_submission_from_a_zone_without_letters_is_collected(
    folder: Path, nbgrader: Nbgrader
) -> None:
    inbound(folder, "anna", "2026-11-24 19:17:45.943245 -03")
    inbound(folder, "zoe", "2026-11-24 19:17:45.943245 +04")
    inbound(folder, "_ben")
    said = nbgrader("collect", NAME)
    assert is_honest(folder, "anna") and is_honest(folder, "zoe")
    assert "cannot be a student's id" in said and "gives no such name" not in said


def test_times_that_clocks_write_are_read() -> None:
    for time in (TIME, "2026-11-20 13:00:00 CET", "2026-11-20T12:00:00+00:00", "2026-11-20 12:00"):
        assert parsed(time)


TWO = "'jose\\u0301' and 'jos\\xe9' differ only in how their letters are written"


@pytest.mark.skipif(sys.platform != "linux", reason="file systems that compose accents")
def test_two_in_the_exchange_who_look_the_same_are_both_refused(
    folder: Path, nbgrader: Nbgrader
) -> None:
    """No table could tell them apart."""
    for student in ("anna", "jos\xe9", "jose\u0301", "zoe"):
        inbound(folder, student)
    inbound(folder, "_ben")
    said = " ".join(nbgrader("collect", NAME).split())
    assert said.count("jos\xe9 is not collected: ") == 1 and TWO in said
    assert students(folder) == {"anna", "zoe"}
    assert is_honest(folder, "anna") and is_honest(folder, "zoe")


@pytest.mark.skipif(sys.platform != "linux", reason="file systems that compose accents")
@pytest.mark.parametrize("way", ["collect", "zip_collect"])
def test_whoever_looks_like_one_who_was_collected_is_refused(
    way: str, folder: Path, nbgrader: Nbgrader
) -> None:
    """A name of the exchange stays as it is: it is that of a user of the system."""
    inbound(folder, "jose\u0301")
    nbgrader("collect", NAME)
    assert students(folder) == {"jose\u0301"}
    if way == "collect":
        shutil.rmtree(folder / "exchange" / "attention" / "inbound")
        inbound(folder, "jos\xe9", "2026-11-22 12:00:00.000000 UTC", "changed")
    else:
        downloaded(folder, f"jos\xe9/{NAME}.py")
    said = " ".join(nbgrader(way, NAME).split())
    assert "jos\xe9 is not collected: " in said and TWO in said
    assert students(folder) == {"jose\u0301"}
    assert is_honest(folder, "jose\u0301")


def full(source: int, size: int, path: Path) -> None:
    if "zoe" in str(path):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))
    path.write_bytes(os.read(source, size))


def test_a_full_disk_stops_collecting_with_a_sentence(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("anna", "ben", "zoe"):
        inbound(folder, student)
    with monkeypatch.context() as patched:
        patched.setattr("autograder.nbgrader.copying.write", full)
        said = nbgrader("collect", NAME)
    assert said.count("No space left on device: ") == 1 and said.endswith("ended with 1\n")
    assert "Make space and run this again" in said and "Traceback" not in said
    nbgrader("collect", NAME)
    assert all(is_honest(folder, student) for student in ("anna", "ben", "zoe"))


def test_no_part_of_a_submission_stays_where_the_disk_is_full(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Test where nbgrader itself copies: it would take the part for a whole submission."""
    inbound(folder, "anna")

    def copytree(source: str, to: str, **_: object) -> None:
        Path(to).mkdir()
        raise OSError(errno.ENOSPC, "No space left on device", to)

    with monkeypatch.context() as patched:
        patched.setattr("nbgrader.exchange.default.exchange.shutil.copytree", copytree)
        assert "No space left on device: " in nbgrader("collect", NAME)
    nbgrader("collect", NAME)
    assert is_honest(folder)


def file_in_its_place(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("x")


def dangling_link(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to("nowhere")


def link_to_another(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(f"../anna/{NAME}" if place.name == NAME else "anna")


def closed_folder(place: Path) -> None:
    (place / "x").mkdir(parents=True)


@pytest.mark.parametrize("where", ["mallory", f"mallory/{NAME}"])
@pytest.mark.parametrize(
    "attack", [file_in_its_place, dangling_link, link_to_another, closed_folder]
)
def test_a_place_in_which_nothing_can_be_put_stops_nobody_else(
    attack: Callable[[Path], None],
    where: str,
    folder: Path,
    nbgrader: Nbgrader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A blocked place refuses its own student alone, and leads to no other student's files."""
    place = folder / "submitted" / where
    inbound(folder, "anna")
    nbgrader("collect", NAME)
    attack(place)
    if attack is closed_folder:
        monkeypatch.setattr(os, "access", lambda path, *_: Path(path) != place)
    for student in ("mallory", "zoe"):
        inbound(folder, student, text="theirs\n")
        downloaded(folder, f"{student}/{NAME}.py", "theirs\n")
    for how in (["collect", NAME, "--update"], ["zip_collect", NAME, "--force"]):
        said = nbgrader(*how)
        assert re.search(f"mallory is not collected: .*: {place}[.] ", said), said
        assert is_honest(folder, "anna")
        assert (collected(folder, "zoe") / f"{NAME}.py").read_text() == "theirs\n"
        shutil.rmtree(folder / "submitted" / "zoe")


# Downloads


def packed(folder: Path, name: str, *members: str, code: str = CODE) -> None:
    archive = folder / "downloaded" / NAME / "archive" / name
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as file:
        for member in members:
            file.writestr(member, code)


def students(folder: Path) -> set[str]:
    return {entry.name for entry in (folder / "submitted").iterdir()}


def test_what_cannot_be_copied_stops_nobody(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(source: int, size: int, path: Path) -> None:
        if "mallory" in path.name:
            raise PermissionError(13, "Permission denied", str(path))
        path.write_bytes(os.read(source, size))

    packed(folder, "bob.zip", f"{NAME}.py")
    packed(folder, "mallory.zip", f"{NAME}.py")
    monkeypatch.setattr("autograder.nbgrader.copying.write", write)
    said = nbgrader("zip_collect", NAME)
    assert "mallory is not collected: Permission denied" in said
    assert students(folder) == {"bob"}


def test_an_archive_is_its_students_whatever_is_in_it(folder: Path, nbgrader: Nbgrader) -> None:
    packed(folder, "bob.zip", f"{NAME}.py")
    packed(folder, "mallory.zip", f"extracted/bob/{NAME}.py", f"extracted/carol/{NAME}.py")
    packed(folder, "trent.zip", f"a/extracted/bob/{NAME}.py", f"a\nb/extracted/bob/{NAME}.py")
    said = nbgrader("zip_collect", NAME)
    assert "3 files collected" in said
    assert students(folder) == {"bob", "mallory", "trent"}
    assert [path.name for path in collected(folder, "bob").iterdir()] == ["bob.zip"]


def test_downloads_are_taken_by_the_folder_of_the_course(
    tmp_path: Path, built_course: Path
) -> None:
    folder = shutil.copytree(built_course, tmp_path / "extracted" / "eve" / "course")
    packed(folder, "bob.zip", f"{NAME}.py")
    nbgrader_in(folder)("zip_collect", NAME)
    assert students(folder) == {"bob"}


@pytest.mark.parametrize(
    "names",
    [
        (f"ben_12_34_{NAME}.py", f"ben_12_35_{NAME}.py"),
        (f"ben_12_34_{NAME}.py", f"ben_12_34_{NAME}-1.py"),
        (f"ben_12/{NAME}.py", f"ben_12_34_{NAME}.py"),
        (f"ben_12/{NAME}.py/{NAME}.py", f"ben_12_34_{NAME}.py"),
        (f"ben_12_34_{NAME}.py", f"ben_12/{NAME}.py/x.py"),
    ],
)
def test_what_is_handed_in_twice_stops_nobody(
    names: tuple[str, ...], folder: Path, nbgrader: Nbgrader
) -> None:
    archive = folder / "downloaded" / NAME / "archive"
    for name in (f"anna/{NAME}.py", *names, f"zoe/{NAME}.py"):
        (archive / name).parent.mkdir(parents=True, exist_ok=True)
        (archive / name).write_text(CODE, encoding="utf-8")
    said = nbgrader("zip_collect", NAME)
    assert is_honest(folder, "anna") and is_honest(folder, "zoe")
    one, two = (name.partition("/")[0] for name in sorted(names))
    assert f"ben_12 is not collected: '{one}' and '{two}' are both '{NAME}.py" in said
    assert "ended with" not in said
    assert students(folder) == {"anna", "zoe"}


def test_a_student_is_named_whatever_letters_become_longer_in_lower_case(
    folder: Path, nbgrader: Nbgrader
) -> None:
    for student in ("\u0130brahim", "\u0130pek \u0130nan"):
        downloaded(folder, f"{student}_{NAME}.py")
    nbgrader("zip_collect", NAME)
    assert students(folder) == {"\u0130brahim", "\u0130pek \u0130nan"}


@pytest.mark.skipif(sys.platform != "linux", reason="file systems that compose accents")
@pytest.mark.parametrize("kind", ["another file", "a link", "too much"])
@pytest.mark.parametrize("spelled", [["jos\xe9", "jose\u0301"], ["jose\u0301", "jos\xe9"]])
def test_two_who_differ_in_how_accents_are_written_are_both_refused(
    spelled: list[str], kind: str, folder: Path, nbgrader: Nbgrader
) -> None:
    """Two spellings of one id name one student, whom the files of either could cost all points."""
    one, other = spelled
    downloaded(folder, f"anna/{NAME}.py")
    downloaded(folder, f"{one}/{NAME}.py")
    theirs = downloaded(folder, f"{other}/more.py").parent
    if kind == "a link":
        (theirs / f"{NAME}.py").symlink_to(folder / "gradebook.db")
    elif kind == "too much":
        for i in range(3001):
            (theirs / f"{i}.py").touch()
    said = " ".join(nbgrader("zip_collect", NAME).split())
    assert said.count("jos\xe9 is not collected: ") == 1
    assert "'jose\\u0301' and 'jos\\xe9' differ only in how their letters are written" in said
    assert students(folder) == {"anna"}
    shutil.rmtree(theirs)
    nbgrader("zip_collect", NAME, "--force")
    assert students(folder) == {"anna", "jos\xe9"}


def test_folders_without_end_stop_nobody(folder: Path, nbgrader: Nbgrader) -> None:
    """Folders are nested deeper than recursion can go, as in a zip archive."""
    archive = folder / "downloaded" / NAME / "archive"
    packed(folder, "bob.zip", f"{NAME}.py")
    (archive / "mallory").mkdir()
    descriptor = os.open(archive / "mallory", os.O_RDONLY)
    try:
        for _ in range(1100):
            os.mkdir("d", dir_fd=descriptor)
            inner = os.open("d", os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
    finally:
        os.close(descriptor)
    try:
        said = nbgrader("zip_collect", NAME)
    finally:
        subprocess.run(["rm", "-r", archive / "mallory"], check=True)  # pytest could not
    assert "mallory is not collected: its folders are nested more than 10 deep." in said
    assert students(folder) == {"bob"}


@pytest.mark.parametrize("name", [NAME, "Running Averages", "self_attention"])
def test_what_is_named_after_an_assignment_is_no_students(
    name: str, folder: Path, nbgrader: Nbgrader
) -> None:
    """A download that was unpacked into a folder of its own name is not taken for a student."""
    for student in ("anna", "ben"):
        downloaded(folder, f"{name}/{student}/{NAME}.py")
    downloaded(folder, f"carl/{NAME}.py")
    packed(folder, f"{name}.zip", f"dora/{NAME}.py")
    said = " ".join(nbgrader("zip_collect", NAME).split())
    for one in (name, f"{name}.zip"):
        assert f"/archive/{one} is skipped: expected STUDENT_{NAME}.ipynb, or a folder" in said
    assert students(folder) == {"carl"}


def test_two_files_of_a_name_in_one_folder_stop_nobody(folder: Path, nbgrader: Nbgrader) -> None:
    archive = folder / "downloaded" / NAME / "archive"
    for path in ("anna/a", "anna/b", "zoe"):
        (archive / path).mkdir(parents=True)
        (archive / path / f"{NAME}.py").write_text(CODE, encoding="utf-8")
    (archive / "ben").mkdir()
    (archive / "ben" / f"{NAME}.py").symlink_to(folder / "source" / NAME / f"{NAME}.ipynb")
    (archive / "..x").mkdir()
    (archive / "..x" / f"{NAME}.py").write_text(CODE, encoding="utf-8")
    said = nbgrader("zip_collect", NAME)
    assert "3 files collected" in said
    assert students(folder) == {"anna", "zoe"}
    assert "is a link" in said and "cannot be a student's id" in said


@pytest.mark.parametrize(
    ("name", "student"),
    [
        (f"dora_{NAME}.py", "dora"),
        (f"grayann_12345_67890_{NAME}.ipynb", "grayann_12345"),
        (f"grayann_LATE_12345_67890_{NAME}-2.ipynb", "grayann_12345"),
        (f"dev_anna_LATE_101_9001_{NAME}.ipynb", "dev_anna_101"),
        (f"anon_a1B2c_9001_{NAME}.ipynb", "anon_a1B2c"),
        (f"Jane Doe_123_assignsubmission_file_{NAME}.py", "Jane Doe_123"),
        ("Gina Gray.ipynb", ""),
        (f"{NAME}.py", ""),
        (f"{NAME}.zip", ""),
        ("multi_head.zip", ""),
        (f"multi_head_{NAME}.py", ""),
        (f"multi_head_{NAME}.zip", ""),
        ("notes.txt", ""),
    ],
)
def test_a_file_is_whose_its_name_says(
    name: str, student: str, folder: Path, nbgrader: Nbgrader
) -> None:
    archive = folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    (archive / name).write_text(CODE, encoding="utf-8")
    nbgrader("zip_collect", NAME)
    found = students(folder) if (folder / "submitted").exists() else set()
    assert found == ({student} if student else set())


def test_no_pattern_decides_whose_a_file_is(folder: Path, nbgrader: Nbgrader) -> None:
    """With one, names in mallory's folder would make his file anna's, or stop the command."""
    downloaded(folder, f"anna/{NAME}.py")
    downloaded(folder, f"mallory/anna/{NAME}.py", "theirs\n")
    pattern = r".*/(?P<student_id>\w+)/(?P<file_id>.*)"
    said = nbgrader("zip_collect", NAME, f"--FileNameCollectorPlugin.named_regexp={pattern}")
    assert "named_regexp is not used in this course. Remove it" in said
    assert said.endswith("ended with 1\n") and "Traceback" not in said
    assert not (folder / "submitted").exists()
    nbgrader("zip_collect", NAME)
    assert is_honest(folder)


def test_what_is_left_out_of_a_folder_is_named(folder: Path, nbgrader: Nbgrader) -> None:
    for name in (f"zoe/{NAME}.py", f"ben/{NAME}.py"):
        downloaded(folder, name)
    for name in ("zoe/notes.txt", "zoe/a/w.pdf"):
        downloaded(folder, name, "No code.")
    said = " ".join(nbgrader("zip_collect", NAME).split())
    assert "zoe: skipped, of no kind that is graded: notes.txt, a/w.pdf" in said
    assert said.count("of no kind that is graded") == 1
    assert students(folder) == {"ben", "zoe"}


BESIDE = {  # what lies beside a notebook as it was released: the work, in another kind of file
    "anna/work.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna/a/b/work": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna/work.part": "is not completely downloaded.",
    f"anna/{NAME}.txt": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    "anna/a/page.html": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    "anna_12_35_work.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna_12_35_work.txt": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    "anna_12_text.html": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    "anna_LATE_12_text.html": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    f"anna_{NAME}.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    f"anna_{NAME}.tar.bz2": "is an archive of an unsupported kind. Pack it as .zip.",
    f"anna_{NAME}.txt": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    f"anna_{NAME}.py.bak": "may hold the work. Hand that one in, as a .py or .ipynb file.",
    "anna.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna.txt": "may hold the work. Hand that one in, as a .py or .ipynb file.",
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_may_hold_the_work_beside_a_submission_is_collected(
    name: str, folder: Path, nbgrader: Nbgrader
) -> None:
    """The student is refused for it as in an exchange, not given 0 points."""
    student, released = "anna", f"anna/{NAME}.ipynb"
    if name.startswith("anna_12"):
        student, released = "anna_12", f"anna_12_34_{NAME}.ipynb"
    elif name.startswith("anna_LATE_12"):
        student, released = "anna_12", f"anna_LATE_12_34_{NAME}.ipynb"
    elif "/" not in name:
        released = f"anna_{NAME}.ipynb"
    downloaded(folder, released, as_notebook(skeleton(NAME)))
    downloaded(folder, name, "Rar!" if name.endswith("work") else CODE)
    said = nbgrader("zip_collect", NAME)
    assert "2 files collected" in said and "skipped" not in said
    assert BESIDE[name] in Folders(folder / "submitted").job(student, NAME).refused


@pytest.mark.parametrize("name", ["anna_12_9005_solution.py", "anna_12.py"])
def test_a_module_beside_a_released_notebook_is_collected(
    name: str, folder: Path, nbgrader: Nbgrader
) -> None:
    """As from a folder of the student, where the only file that defines an exercise counts."""
    downloaded(folder, f"anna_12_9004_{NAME}.ipynb", as_notebook(skeleton(NAME)))
    downloaded(folder, name)
    said = nbgrader("zip_collect", NAME)
    assert "2 files collected" in said and "skipped" not in said
    job = Folders(folder / "submitted").job("anna_12", NAME)
    assert not job.refused
    assert job.files[f"{NAME}.py"] == CODE.encode()


@pytest.mark.parametrize("own", ["..", ".x.txt", "timestamp.txt"])
def test_what_a_program_adds_is_no_work_whatever_a_website_calls_it(
    own: str, folder: Path, nbgrader: Nbgrader
) -> None:
    downloaded(folder, f"anna_12_34_{NAME}.py")
    downloaded(folder, f"anna_12_35_{own}")
    said = nbgrader("zip_collect", NAME)
    assert f"anna_12_35_{own} is skipped: " in said
    assert is_honest(folder, "anna_12")


def test_a_course_may_tell_by_itself_what_is_collected(folder: Path, nbgrader: Nbgrader) -> None:
    downloaded(folder, "anna/data.csv")
    said = nbgrader(
        "zip_collect",
        NAME,
        "--ZipCollectApp.collector_plugin=nbgrader.plugins.zipcollect.FileNameCollectorPlugin",
        r"--FileNameCollectorPlugin.named_regexp=.*/(?P<student_id>\w+)/(?P<file_id>.*)",
        "--FileNameCollectorPlugin.valid_ext=.csv",
    )
    assert "skipped" not in said and "not collected" not in said
    assert [path.name for path in collected(folder, "anna").iterdir()] == ["data.csv"]


def test_of_two_places_one_may_hold_the_work(folder: Path, nbgrader: Nbgrader) -> None:
    downloaded(folder, f"anna_{NAME}.ipynb", as_notebook(skeleton(NAME)))
    downloaded(folder, "anna/work.7z")
    assert "2 files collected" in nbgrader("zip_collect", NAME)
    assert "work.7z" in Folders(folder / "submitted").job("anna", NAME).refused


def test_a_link_beside_a_submission_is_refused_as_in_an_exchange(
    folder: Path, nbgrader: Nbgrader
) -> None:
    downloaded(folder, f"zoe/{NAME}.py")
    (downloaded(folder, f"anna/{NAME}.py").parent / "w.txt").symlink_to(folder / "gradebook.db")
    assert "anna is not collected: 'w.txt' is a link" in nbgrader("zip_collect", NAME)
    assert students(folder) == {"zoe"}


def test_files_that_take_long_to_look_into_stop_nobody(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (f"mallory/{NAME}.py", "mallory/x.txt", f"zoe/{NAME}.py"):
        downloaded(folder, name)

    def may_hold_work(path: Path, *_: object) -> bool:
        raise OutOfTime

    monkeypatch.setattr(downloads, "may_hold_work", may_hold_work)
    said = nbgrader("zip_collect", NAME)
    assert "mallory is not collected: " in said and "s to read. Keep only" in said
    assert students(folder) == {"zoe"}


def test_a_classmates_name_with_a_number_costs_no_download(
    folder: Path, nbgrader: Nbgrader
) -> None:
    """What Canvas calls anna_101_102_9002_f.zip is of anna_101, or of 102 with that name."""
    packed(folder, "anna_101_9001_my.zip", f"{NAME}.py")
    packed(folder, "anna_101_102_9002_f.zip", f"{NAME}.py", code=CODE.replace("x", "y"))
    downloaded(folder, f"dora_103_9021_{NAME}.py")
    packed(folder, "dora_103_9022_2024_work.zip", "own.py")
    said = " ".join(nbgrader("zip_collect", NAME).split())
    assert "anna_101_102_9002_f.zip is not collected: it may be of anna_101, or of a" in said
    assert said.count("is not collected") == 1
    assert [path.name for path in collected(folder, "anna_101").iterdir()] == ["my.zip"]
    dora = {path.name for path in collected(folder, "dora_103").iterdir()}
    assert dora == {f"{NAME}.py", "2024_work.zip"}


def test_too_many_files_beside_a_submission_stop_nobody(folder: Path, nbgrader: Nbgrader) -> None:
    for name in (f"ben/{NAME}.py", f"zoe/{NAME}.py"):
        downloaded(folder, name)
    for number in range(3001):
        downloaded(folder, f"ben/{number}.txt", "")
    said = " ".join(nbgrader("zip_collect", NAME).split())
    assert "holds more than 3000 files." in said and "Traceback" not in said
    assert students(folder) == {"ben", "zoe"}


UNSUPPORTED = {  # what a student has handed in, if anything: the file that the sentence names, why
    "anna/work.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna/a/b/c/d/e/Work.RAR": "is an archive of an unsupported kind. Pack it as .zip.",
    "anna/report.docx": "is not what is graded. Hand in the notebook (.ipynb) or",
    "anna/report.pdf": "is not what is graded. Hand in the notebook (.ipynb) or",
    f"anna/{NAME}.ipynb.part": "is not completely downloaded. Download it again,",
    "anna/notes.txt": "holds no module, notebook or archive.",
    "anna/.git/work.py": "holds no module, notebook or archive.",
    "anna": "holds no module, notebook or archive.",
    f"anna_{NAME}.7z": "is an archive of an unsupported kind. Pack it as .zip.",
    f"anna_12_34_{NAME}.pdf": "is not what is graded.",
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_a_student_of_whom_nothing_is_collected_is_named_with_the_reason(
    name: str, folder: Path, nbgrader: Nbgrader
) -> None:
    downloaded(folder, f"zoe/{NAME}.py")
    archive = folder / "downloaded" / NAME / "archive"
    if name == "anna":
        (archive / name).mkdir()
    else:
        downloaded(folder, name)
    said = nbgrader("zip_collect", NAME)
    assert students(folder) == {"zoe"}
    [line] = [one for one in said.splitlines() if " is not collected: " in one]
    assert UNSUPPORTED[name] in line and line.split(" is not collected: ")[0].count("anna") == 1
    is_about_folder = UNSUPPORTED[name].startswith("holds")
    assert str(archive / ("anna" if is_about_folder else name)) in line


def test_a_folder_without_a_submission_costs_nobody_another_file(
    folder: Path, nbgrader: Nbgrader
) -> None:
    downloaded(folder, "anna/report.pdf")
    downloaded(folder, f"anna_{NAME}.py")
    for i in range(3001):
        downloaded(folder, f"ben/{i}.txt", "")
    said = nbgrader("zip_collect", NAME)
    assert "anna is not collected" not in said and is_honest(folder)
    assert "ben is not collected: " in said and "holds more than 3000 files." in said
    assert "Traceback" not in said


def test_a_student_whose_only_file_is_too_large_is_named(folder: Path, nbgrader: Nbgrader) -> None:
    downloaded(folder, f"zoe/{NAME}.py")
    for path in (downloaded(folder, f"anna/{NAME}.py"), downloaded(folder, f"ben_{NAME}.py")):
        with path.open("wb") as file:
            file.truncate(3_000_000_000)
    said = nbgrader("zip_collect", NAME)
    assert "anna is not collected: " in said and "ben is not collected: " in said
    assert students(folder) == {"zoe"}


def downloaded(folder: Path, name: str, text: str = CODE) -> Path:
    path = folder / "downloaded" / NAME / "archive" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def hard_link(archive: Path) -> None:
    source = archive.parents[2] / "source" / NAME / f"{NAME}.ipynb"
    os.link(source, archive / "mallory" / f"{NAME}.ipynb")


def folder_link(archive: Path) -> None:
    (archive / "mallory" / "more").symlink_to(archive / "zoe")


def too_many(archive: Path) -> None:
    for i in range(3000):
        (archive / "mallory" / f"{i}.py").touch()


def too_large(archive: Path) -> None:
    for i in range(3):
        with (archive / "mallory" / f"{i}.py").open("wb") as file:
            file.truncate(90_000_000)


@pytest.mark.parametrize("attack", [hard_link, folder_link, too_many, too_large])
def test_downloads_have_the_limits_of_the_exchange(
    attack: Callable[[Path], None], folder: Path, nbgrader: Nbgrader
) -> None:
    downloaded(folder, f"anna_{NAME}.py")
    downloaded(folder, f"zoe/{NAME}.py")
    attack(downloaded(folder, f"mallory/{NAME}.py").parents[1])
    said = nbgrader("zip_collect", NAME)
    assert "mallory is not collected: " in said and "Traceback" not in said
    assert students(folder) == {"anna", "zoe"}
    assert not (folder / "downloaded" / NAME / "extracted" / "mallory").exists()


@pytest.fixture
def two(folder: Path) -> Callable[[str], Path]:
    """Return a function that names a download of Anna's; anna's is there."""
    downloads = folder / "downloaded" / NAME / "archive"
    downloads.mkdir(parents=True)
    (downloads / f"anna_{NAME}.py").write_text(CODE)
    return lambda name: downloads / name


@pytest.mark.skipif(sys.platform != "linux", reason="file systems that ignore capitals")
@pytest.mark.parametrize("kind", ["a link", "too much"])
def test_names_in_other_capitals_are_two_students(
    kind: str, folder: Path, nbgrader: Nbgrader, two: Callable[[str], Path]
) -> None:
    """What one has handed in, or how much, costs the other nothing."""
    if kind == "a link":
        two(f"Anna_{NAME}.ipynb").symlink_to(folder / "gradebook.db")
    else:
        two("Anna").mkdir()
        for i in range(3001):
            (two("Anna") / f"{i}.py").touch()
    logged = nbgrader("zip_collect", NAME)
    assert "Anna is not collected" in logged
    assert "anna is not collected" not in logged
    assert is_honest(folder)
    assert not collected(folder, "Anna").exists()


def test_two_students_who_are_one_for_the_file_system_are_told_apart(
    folder: Path,
    nbgrader: Nbgrader,
    two: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Anna's files are where anna's would be; macOS and Windows list them under her name only."""
    hers = collected(folder, "anna")
    hers.mkdir(parents=True)
    (hers / f"{NAME}.py").write_text("hers\n")
    inbound(folder, "anna")
    listed = os.listdir

    def named_once(path: str | Path = ".") -> list[str]:
        return ["Anna"] if Path(path) == hers.parents[1] else listed(path)

    monkeypatch.setattr(os, "listdir", named_once)
    for how in (["zip_collect", NAME, "--force"], ["collect", NAME, "--update"]):
        logged = nbgrader(*how)
        assert "anna is not collected: this file system takes 'anna' for 'Anna', which" in logged
        assert (hers / f"{NAME}.py").read_text() == "hers\n"


def test_downloads_that_are_one_for_the_file_system_are_told_apart(
    folder: Path, nbgrader: Nbgrader, two: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of Anna's is removed where anna's file would replace it."""
    place = folder / "downloaded" / NAME / "extracted" / f"anna_{NAME}.py"

    def why_anothers(path: Path) -> str:
        if path != place:
            return ""
        place.write_text("hers")
        return "it may be another student's."

    monkeypatch.setattr(downloaded_files, "why_anothers", why_anothers)
    logged = nbgrader("zip_collect", NAME)
    assert "anna is not collected: it may be another student's." in logged
    assert place.read_text() == "hers"


def test_what_belongs_to_no_submission_is_not_copied(folder: Path, nbgrader: Nbgrader) -> None:
    downloaded(folder, f"anna/{NAME}.py")
    for name in ("anna/junk.bin", "anna/.git/x.py", "anna/.x.7z", "notes.txt"):
        downloaded(folder, name, "")
    with (folder / "downloaded" / NAME / "archive" / "anna" / "x.py").open("wb") as file:
        file.truncate(3_000_000_000)
    said = nbgrader("zip_collect", NAME)
    assert "anna: 'x.py' is too large and left out." in said
    assert "notes.txt is skipped: " in said
    extracted = folder / "downloaded" / NAME / "extracted"
    assert [path.name for path in extracted.rglob("*") if path.is_file()] == [f"{NAME}.py"]
    assert is_honest(folder)


@pytest.mark.parametrize(
    "where", ["autograder.nbgrader.copying.write", "shutil.copyfile", "shutil.copy2"]
)
def test_a_full_disk_stops_zip_collect_and_a_repeat_finishes(
    where: str, folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("anna", "zoe"):
        downloaded(folder, f"{student}/{NAME}.py")
    nbgrader("zip_collect", NAME)
    for student in ("anna", "ben", "zoe"):
        downloaded(folder, f"{student}/{NAME}.py", f"{CODE}# changed\n")

    def fill(source: object, to: object, path: Path | None = None) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path or to))

    with monkeypatch.context() as patched:
        patched.setattr(where, fill)
        said = nbgrader("zip_collect", NAME, "--force")
    assert said.count("No space left on device: ") == 1 and said.endswith("ended with 1\n")
    assert "Traceback" not in said
    assert is_honest(folder, "anna") and is_honest(folder, "zoe")  # what was there before
    nbgrader("zip_collect", NAME, "--force")
    for student in ("anna", "ben", "zoe"):
        assert (
            (collected(folder, student) / f"{NAME}.py").read_text("utf-8").endswith("# changed\n")
        )


def test_a_time_beside_a_download_counts(folder: Path, nbgrader: Nbgrader) -> None:
    for student, time in (("anna", TIME), ("ben", "yesterday"), ("cleo", "2026-11-20 12:00 -03")):
        downloaded(folder, f"{student}/work/{NAME}.py")
        downloaded(folder, f"{student}/work/timestamp.txt", time)
    downloaded(folder, f"dora_{NAME}.py")
    downloaded(folder, "timestamp.txt", TIME)
    said = nbgrader("zip_collect", NAME)
    times = {student: time_of(collected(folder, student)) for student in students(folder)}
    assert times.pop("cleo") == "2026-11-20 15:00:00"
    assert times == {"anna": "2026-11-20 12:00:00", "ben": "", "dora": ""}
    assert said.count("ben: ") == 1 and "contains no valid time; it is ignored." in said
    assert "4 files collected" in said and "skipped" not in said


MOVES = "\x1b[31m\x1b]0;title\x07\n[CollectApp | INFO] anna is collected\r"


@pytest.mark.parametrize("verb", ["collect", "zip_collect"])
def test_no_name_moves_the_cursor_or_begins_a_log_line(
    verb: str, folder: Path, nbgrader: Nbgrader
) -> None:
    made = inbound(folder, "mallory")
    made.rename(f"{made}{MOVES}")
    archive = folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    for name in ("x", f"mallory_{NAME}", f"mallory_1_2_{NAME}"):
        (archive / f"{name}{MOVES}.py").write_text(CODE, encoding="utf-8")
    said = nbgrader(verb, NAME)
    assert "mallory" in said
    assert not [c for c in said if not c.isprintable() and c != "\n"]
    assert "\n[CollectApp | INFO] anna" not in said
