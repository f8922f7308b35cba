"""Contents of folders: other names, other kinds of files, more files, none."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from damage.released import LEAF, Damage, Released, answer, on_folder, written_out

LINK = "is a link, not a file"
NOTHING = "holds no submission"
HIDDEN = "may hold the work"
SECOND = "2026-11-21 18:00:00.000000 UTC"


def renamed(name: str, to: str, phrase: str = "", graded: bool = True) -> Damage:
    """Return a case in which the notebook has another name."""

    @on_folder(name, phrase, graded)
    def other_name(folder: Path, released: Released) -> None:
        (folder / released.file).rename(folder / to)

    return other_name


def of_student(name: str, student: str, *, refused: bool = False) -> Damage:
    """Return a case in which the student's folder has an odd name."""
    phrase = "cannot be a student's id" if refused else ""

    @on_folder(name, phrase, not refused, student=student)
    def odd_name(folder: Path, released: Released) -> None: ...

    return odd_name


def extra_file(name: str, file: str, data: bytes, lost: tuple[str, ...] = ()) -> Damage:
    """Return a case with another file."""

    @on_folder(name, lost=lost)
    def with_a_file(folder: Path, released: Released) -> None:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(data)

    return with_a_file


# Names

copy_1 = renamed("a browser has numbered the notebook", "attention_layer (1).ipynb")
own_name = renamed("the notebook is renamed", "Anna's homework 5.ipynb")
other_case = renamed("the notebook's name is in capitals", "Attention_Layer.ipynb")
newline = renamed("there is a newline in the notebook's name", "attention_layer\n.ipynb")
escapes = renamed("there are colours in the notebook's name", "\x1b[31mattention_layer.ipynb")
not_utf_8 = renamed("the notebook's name is not UTF-8", "aufgabe\udcfc.ipynb")
text_ending = renamed("the notebook ends with .txt", "attention_layer.ipynb.txt")
json_ending = renamed(
    "the notebook ends with .json", "attention_layer.json", "may hold the work", False
)
capital_ending = renamed("the notebook's ending is in capitals", "attention_layer.IPYNB")
out_of_sight = renamed("the notebook is out of sight", ".attention_layer.ipynb", NOTHING, False)
as_module = renamed("the notebook ends with .py", "attention_layer.py")

quoted_id = of_student("a student's id with an apostrophe", "O'Brien, Mary_12345_")
foreign_id = of_student("a student's id of other letters", "张伟 Müller")
long_id = of_student("a student's id of 200 letters", "a" * 200, refused=True)
dashed_id = of_student("a student's id like an option", "-rf", refused=True)
newline_id = of_student("a newline in a student's id", "anna\nbob", refused=True)
formula_id = of_student("a student's id like a formula", "=cmd|'x'!A0", refused=True)
markup_id = of_student("a student's id like markup", "<b>anna", refused=True)
half_id = of_student("a student's id that is not UTF-8", "m\udcfcller", refused=True)

# Kinds


@on_folder("the notebook is a folder", "is a folder, not a file", False)
def is_a_folder(folder: Path, released: Released) -> None:
    (folder / released.file).unlink()
    (folder / released.file).mkdir()


def linked(name: str, target: str, phrase: str = LINK) -> Damage:
    """Return a case in which the notebook is a link."""

    @on_folder(name, phrase, False)
    def is_a_link(folder: Path, released: Released) -> None:
        (folder / released.file).rename(folder / "other.ipynb")
        (folder / released.file).symlink_to(target)

    return is_a_link


link_to_copy = linked("the notebook is a link to another one", "other.ipynb")
link_out = linked("the notebook is a link to a file of the instructor's", "/etc/passwd")
link_nowhere = linked("the notebook is a link to nowhere", "/nowhere/at/all")
link_round = linked("the notebook is a link to itself", "attention_layer.ipynb")
link_device = linked("the notebook is a link to a device", "/dev/zero")


@on_folder("another file is a link to one of the instructor's")
def data_is_a_link(folder: Path, released: Released) -> None:
    (folder / "data.csv").symlink_to("/etc/passwd")


@on_folder("another module is a link to one of the instructor's", LINK)
def module_is_a_link(folder: Path, released: Released) -> None:
    """The module could be the file that counts."""
    (folder / "attention_layer.py").symlink_to("/etc/passwd")


@on_folder("another folder is a link to all files there are")
def folder_is_a_link(folder: Path, released: Released) -> None:
    (folder / "pictures").symlink_to("/")


@on_folder("the student's folder is a link", "is a link", False)
def whole_is_a_link(folder: Path, released: Released) -> None:
    kept = folder.parent.parent / f"{folder.name} kept"
    folder.rename(kept)
    folder.symlink_to(kept)


@on_folder("the notebook is a named pipe", "is a named pipe, not a file", False)
def named_pipe(folder: Path, released: Released) -> None:
    (folder / released.file).unlink()
    os.mkfifo(folder / released.file)


IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0  # who may read anything
FORBIDDEN = "" if IS_ROOT else "cannot be read"


@on_folder("the notebook may not be read", FORBIDDEN, IS_ROOT)
def forbidden(folder: Path, released: Released) -> None:
    (folder / released.file).chmod(0)


@on_folder("the student's folder may not be read", FORBIDDEN, IS_ROOT)
def folder_forbidden(folder: Path, released: Released) -> None:
    folder.chmod(0)


# More and fewer


@on_folder("there is nothing in the folder", NOTHING, False)
def nothing(folder: Path, released: Released) -> None:
    (folder / released.file).unlink()


@on_folder("there is only a time stamp", NOTHING, False)
def only_a_stamp(folder: Path, released: Released) -> None:
    (folder / released.file).unlink()
    (folder / "timestamp.txt").write_text(SECOND)


bad_stamp = extra_file("the time stamp is not a time", "timestamp.txt", b"yesterday, I think\n")
empty_stamp = extra_file("the time stamp is empty", "timestamp.txt", b"")
foreign_stamp = extra_file("the time stamp is not UTF-8", "timestamp.txt", b"\xff\xfe2\x000\x00")
early_stamp = extra_file("the time stamp says year 1", "timestamp.txt", b"0001-01-01 00:00:00 UTC")


@on_folder("the time stamp is a link")
def stamp_is_a_link(folder: Path, released: Released) -> None:
    (folder / "timestamp.txt").symlink_to("/etc/passwd")


@on_folder("it is handed in a second time")
def again(folder: Path, released: Released) -> None:
    """The notebook that came first, and may have been graded, was not written yet."""
    (folder / released.file).write_bytes(written_out(released.notebook))
    (folder / "timestamp.txt").write_text("2026-11-20 18:00:00.000000 UTC")
    (folder / released.file).write_bytes(written_out(released.filled()))
    (folder / "timestamp.txt").write_text(SECOND)


@on_folder("there is an older copy under another name")
def older_copy(folder: Path, released: Released) -> None:
    (folder / "attention_layer-Copy1.ipynb").write_bytes(written_out(released.notebook))


@on_folder("there are two notebooks, none of the right name", "holds several files", False)
def two_notebooks(folder: Path, released: Released) -> None:
    (folder / released.file).rename(folder / "first.ipynb")
    book = released.filled()
    answer(book, LEAF)["source"] += ["    # another version\n"]
    (folder / "second.ipynb").write_bytes(written_out(book))


@on_folder("a notebook that was not begun lies beside one of another name")
def not_begun_beside(folder: Path, released: Released) -> None:
    (folder / released.file).rename(folder / "first.ipynb")
    (folder / "second.ipynb").write_bytes(written_out(released.notebook))


@on_folder("there is Jupyter's own copy")
def checkpoints(folder: Path, released: Released) -> None:
    (folder / ".ipynb_checkpoints").mkdir()
    copy = folder / ".ipynb_checkpoints" / "attention_layer-checkpoint.ipynb"
    copy.write_bytes(written_out(released.notebook))


@on_folder("there is a module that was not begun")
def module_not_begun(folder: Path, released: Released) -> None:
    from autograder.course import skeleton

    (folder / "attention_layer.py").write_text(skeleton("attention_layer"), encoding="utf-8")


@on_folder("there is a module that was begun")
def module_begun(folder: Path, released: Released) -> None:
    (folder / "attention_layer.py").write_text("class TestModule:\n    pass\n", encoding="utf-8")


@on_folder("the notebook is one folder deeper")
def one_deeper(folder: Path, released: Released) -> None:
    (folder / "attention_layer").mkdir()
    (folder / released.file).rename(folder / "attention_layer" / released.file)


@on_folder("an archive lies there and no notebook")
def archive(folder: Path, released: Released) -> None:
    with zipfile.ZipFile(folder / "attention_layer.zip", "w") as target:
        target.write(folder / released.file, released.file)
    (folder / released.file).unlink()


@on_folder("there are thousands of files")
def thousands(folder: Path, released: Released) -> None:
    (folder / "frames").mkdir()
    for i in range(2000):
        (folder / "frames" / f"{i}.txt").touch()


@on_folder("there is a huge file")
def huge(folder: Path, released: Released) -> None:
    with (folder / "model.pt").open("wb") as file:
        file.truncate(1 << 40)  # takes no room on disk


torch_file = extra_file("there is a torch.py", "torch.py", b"raise SystemExit('not torch')\n")
math_file = extra_file("there is a math.py", "math.py", b"raise SystemExit('not math')\n")
site_file = extra_file("there is a sitecustomize.py", "sitecustomize.py", b"raise SystemExit(1)\n")
grader_file = extra_file("there is a grader", "autograder/__init__.py", b"raise SystemExit(1)\n")
config_file = extra_file("there is a configuration", "nbgrader_config.py", b"raise SystemExit(1)\n")
other_file = extra_file("a damaged notebook of another assignment", "multi_head.ipynb", b"{")
