"""A class's folder is written whole or not at all, and replaced only if it is as we wrote it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import contents
from website_downloads import Intake, download, inside

from autograder.downloads import taking

ANN, BEN, CARL = (f"{name}_10{n}_900{n}_x.py" for n, name in enumerate(("ann", "ben", "carl"), 1))
FIRST = {ANN: "a", BEN: "b"}


@pytest.fixture
def taken(tmp_path: Path, intake: Intake) -> Path:
    """A class's folder of two students."""
    intake(download(tmp_path, FIRST), "--out", tmp_path / "class")
    assert inside(tmp_path / "class") == {"101/x.py": "a", "102/x.py": "b"}
    return tmp_path / "class"


def test_a_newer_download_replaces_it_and_says_what_changed(taken: Path, intake: Intake) -> None:
    path = download(taken.parent, {BEN: "b, better", CARL: "c"})
    intake(path, "--out", taken)
    assert inside(taken) == {"102/x.py": "b, better", "103/x.py": "c"}
    assert intake.out.splitlines()[1:] == [
        "  new: 103", "  changed: 102", "  gone: 101", "  unchanged: 0"
    ]  # fmt: skip
    intake(path, "--out", taken)
    assert intake.out.splitlines()[1:] == ["  unchanged: 2"]
    assert sorted(one.name for one in taken.parent.iterdir()) == ["class", "download.zip"]


def change(folder: Path) -> None:
    (folder / "101" / "x.py").write_text("by hand")


def add(folder: Path) -> None:
    (folder / "101" / "notes.txt").write_text("by hand")


def add_hidden(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("by hand")


def delete(folder: Path) -> None:
    (folder / "101" / "x.py").unlink()


def put_link(folder: Path) -> None:
    (folder / "101" / "x.py").unlink()
    (folder / "101" / "x.py").symlink_to(folder / "102" / "x.py")


def link_folder(folder: Path) -> None:
    (folder / "103").symlink_to(folder / "102")


BY_HAND = {
    change: "101/x.py",
    add: "101/notes.txt",
    add_hidden: ".git/config",
    delete: "101/x.py",
    put_link: "101/x.py",
    link_folder: "103",
}


@pytest.mark.parametrize("by_hand", BY_HAND, ids=lambda one: one.__name__)
def test_what_was_done_by_hand_is_not_lost(by_hand: object, taken: Path, intake: Intake) -> None:
    assert callable(by_hand)
    by_hand(taken)
    before = contents(taken)
    said = intake.refused(download(taken.parent, {CARL: "c"}), "--out", taken)
    name = BY_HAND[by_hand]
    assert f"{taken} is not replaced, since '{name}' in it is not as it was taken in." in said
    assert contents(taken) == before


def test_what_a_system_adds_does_not_count(taken: Path, intake: Intake) -> None:
    (taken / ".DS_Store").write_text("")
    (taken / "101" / "Thumbs.db").write_text("")
    intake(download(taken.parent, FIRST), "--out", taken)
    assert intake.out.splitlines()[1:] == ["  unchanged: 2"]


def file(place: Path) -> None:
    place.write_text("mine")


def folder(place: Path) -> None:
    place.mkdir()
    (place / "mine.txt").write_text("mine")


def empty_folder(place: Path) -> None:
    place.mkdir()


def other_mark(place: Path) -> None:
    folder(place)
    (place / ".taken-in.json").write_text('{"generator": "x", "format": 1}')


def later_mark(place: Path) -> None:
    """One of a later version of this program, which may say more of what is there."""
    place.mkdir()
    kept = {"generator": "attention exercise kit", "format": 2, "platform": "", "students": {}}
    (place / ".taken-in.json").write_text(json.dumps(kept))


def link(place: Path) -> None:
    folder(place.with_name("other"))
    place.symlink_to(place.with_name("other"))


@pytest.mark.parametrize("make", [file, folder, empty_folder, other_mark, later_mark, link])
def test_what_others_have_written_is_never_touched(
    make: object, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, FIRST)
    assert callable(make)
    make(tmp_path / "class")
    before = contents(tmp_path)
    said = intake.refused(path, "--out", tmp_path / "class")
    assert f"{tmp_path / 'class'} would be lost: this program did not write it." in said
    assert contents(tmp_path) == before


def test_a_link_to_a_class_is_not_followed(taken: Path, intake: Intake) -> None:
    (taken.parent / "link").symlink_to(taken)
    said = intake.refused(download(taken.parent, {CARL: "c"}), "--out", taken.parent / "link")
    assert "link would be lost: this program did not write it." in said


@pytest.mark.parametrize("unpacked", [False, True])
def test_a_class_does_not_lie_in_its_download(
    unpacked: bool, tmp_path: Path, intake: Intake
) -> None:
    path = download(tmp_path, FIRST, unpacked)
    places = [path / "class", path, tmp_path] if unpacked else [path, tmp_path]
    for place in places:
        assert "lie in each other. Name another place" in intake.refused(path, "--out", place)
    assert not (path / "class").exists()


def test_a_place_below_a_file_is_refused(tmp_path: Path, intake: Intake) -> None:
    (tmp_path / "mine").write_text("mine")
    said = intake.refused(download(tmp_path, FIRST), "--out", tmp_path / "mine" / "class")
    assert "mine is no folder. Name another place." in said


def test_without_a_place_nothing_is_done(tmp_path: Path, intake: Intake) -> None:
    assert "the following arguments are required: --out" in intake.refused(tmp_path)
    assert "the path is empty" in intake.refused(tmp_path, "--out", "")


def full(*_: object) -> None:
    raise OSError(28, os.strerror(28))


@pytest.mark.parametrize("fails", ["open", "_replace"])
def test_a_full_disk_leaves_all_as_it_was(
    fails: str, taken: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = download(taken.parent, {CARL: "c"})
    before = contents(taken.parent)
    monkeypatch.setattr(taking, fails, full, raising=False)
    intake(path, "--out", taken)
    assert (intake.code, intake.out) == (3, "")
    assert f"{taken} cannot be written: No space left on device. Free some space" in intake.err
    assert contents(taken.parent) == before


def test_the_earlier_class_comes_back_if_the_new_one_cannot_take_its_place(
    taken: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = download(taken.parent, {CARL: "c"})
    before = contents(taken.parent)
    renamed, calls = Path.rename, []

    def rename(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(5, os.strerror(5))
        return renamed(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    intake(path, "--out", taken)
    assert intake.code == 3 and len(calls) == 3
    assert contents(taken.parent) == before


def test_an_interrupt_leaves_all_as_it_was(
    taken: Path, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = download(taken.parent, {CARL: "c"})
    before = contents(taken.parent)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(taking, "_write_files", stop)
    intake(path, "--out", taken)
    assert (intake.code, intake.out) == (2, "")
    assert contents(taken.parent) == before


def test_only_its_owner_can_read_a_class(taken: Path) -> None:
    assert taken.stat().st_mode & 0o077 == 0
