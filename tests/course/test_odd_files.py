"""Whatever lies in the place of a file of the course or the kit, one sentence says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import course
from autograder.audit.corpus import cases
from autograder.checking.collect import collect
from autograder.cli.saves import Saves
from autograder.course import secret_file
from autograder.course.misconceptions import misconceptions
from autograder.errors import AutograderError
from autograder.kit import reset, update
from autograder.nbgrader import course_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="has no such files")
LARGE = 5_000_000_000
SOLUTION = "# ---\n# order: 1\n# ---\n\n\nclass Head:\n    pass\n"


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGE)  # a sparse file takes no space on disk


ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "a folder": (make_folder, "it is a folder, not a file"),
    "a pipe": (make_pipe, "it is a named pipe, not a file"),
    "a device": (make_device, "it is a device, not a file"),
    "a dangling link": (make_dangling, "No such file or directory"),
    "a link to itself": (make_loop, "link"),
    "5 GB": (make_large, f"it has {LARGE} bytes, more than "),
}
# Places relative to the folder around the course, and what reads them.
READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "secret": (".course-secret", lambda path: course.secret()),
    "declaration": ("solutions/course.toml", lambda path: course.declared()),
    "misconceptions": ("solutions/base/misconceptions.toml", lambda path: misconceptions("base")),
    "reference": ("solutions/base/base.py", lambda path: course.assignments()),
    "checks": ("solutions/base/test_base.py", lambda path: collect()),
    "right solution": (
        "solutions/base/right/Head__other.py", lambda path: [*cases("base", "Head")]
    ),
    "digest": ("solutions/base/table.toml", lambda path: course.fingerprint()),
    "source notebook": ("source/base/base.ipynb", lambda path: course_folder._existing(path)),
    "work to reset": ("assignments/base.py", lambda path: reset.reset("Head", path)),
    "notebook to reset": ("assignments/base.ipynb", lambda path: reset.reset("Head", path)),
    "original to update": ("recorded/base.py", lambda path: update._text(path)),
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder around a small course, which this process uses."""
    folder = tmp_path / "solutions" / "base"
    folder.mkdir(parents=True)
    (folder.parent / "course.toml").write_text('title = "T"\nid = "i"\n', encoding="utf-8")
    (folder / "base.py").write_text(SOLUTION, encoding="utf-8")
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test
    course.use(folder.parent)
    secret_file._read.cache_clear()
    return tmp_path


CASES = [(reader, kind) for reader in READERS for kind in ODD]
CASES.remove(("digest", "a folder"))  # whose files count


@pytest.mark.parametrize(("reader", "kind"), CASES)
def test_what_is_in_the_place_of_a_file_is_said(reader: str, kind: str, place: Path) -> None:
    (name, read), (make, reason) = READERS[reader], ODD[kind]
    path = place / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)
    with pytest.raises(AutograderError) as refused:
        read(path)
    said = str(refused.value)
    assert said.startswith(f"{path} ")
    assert reason in said
    assert "\n" not in said
    assert said.endswith((".", "a line of text."))


@pytest.mark.parametrize("kind", ODD)
def test_watching_waits_for_no_odd_file(kind: str, tmp_path: Path) -> None:
    ODD[kind][0](tmp_path / "a.py")
    (tmp_path / "b.py").write_text("x = 1\n", encoding="utf-8")
    assert [*Saves(tmp_path).contents()] == ["b.py"]


def test_what_editors_leave_beside_files_of_the_course_is_no_part_of_it(place: Path) -> None:
    """While a file is changed, Emacs keeps a link beside it that leads nowhere."""
    before = course.fingerprint()
    right = place / "solutions" / "base" / "right"
    right.mkdir()
    for folder in (right.parent, right):
        (folder / ".#base.py").symlink_to("user@machine.1234:567")
        (folder / ".#Head__other.py").symlink_to("user@machine.1234:567")
    assert course.fingerprint() == before
    assert course.corpus("base", "right") == []
    assert course.assignments() == ("base",)


def test_a_link_to_a_file_is_followed(place: Path) -> None:
    """The owner of a course may keep a file elsewhere."""
    kept = place / "kept"
    kept.write_text("of this course\n", encoding="utf-8")
    (place / ".course-secret").symlink_to(kept)
    assert course.secret() == "of this course"


@pytest.mark.parametrize("name", ["secret", "declaration"])
def test_an_empty_file_is_said(name: str, place: Path) -> None:
    path, read = READERS[name]
    (place / path).write_bytes(b"")
    with pytest.raises(AutograderError, match=r"is empty|has no title"):
        read(place / path)
