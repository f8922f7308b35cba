"""Files and folders that are not what they seem."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "running_averages"
STOLEN = f"{NAME}.py"


def link_to_a_solution(place: Path, secret: Path) -> None:
    """Hands in a link to the solution."""
    (place / "mallory.py").symlink_to(secret / STOLEN)


def link_in_a_folder(place: Path, secret: Path) -> None:
    """Hands in a folder whose file is a link to the solution."""
    (place / "mallory").mkdir()
    (place / "mallory" / STOLEN).symlink_to(secret / STOLEN)


def folder_that_is_a_link(place: Path, secret: Path) -> None:
    """Hands in a link to the folder of the solution."""
    (place / "mallory").symlink_to(secret)


def second_name(place: Path, secret: Path) -> None:
    """Imports from beside its file a module that is a link to the solution."""
    (place / "mallory").mkdir()
    (place / "mallory" / "mine.py").symlink_to(secret / STOLEN)
    (place / "mallory" / STOLEN).write_text("from mine import running_mean_loop\n", "utf-8")


def named_after_the_assignment(place: Path, secret: Path) -> None:
    """Hands in a file of the assignment's name, so that the class is taken for one person's."""
    (place / STOLEN).write_text("raise SystemExit\n", "utf-8")


def folder_of_the_assignment(place: Path, secret: Path) -> None:
    """Hands in a folder of the assignment's name with such a file, and one of a neighbour's."""
    (place / NAME).mkdir()
    for name in (STOLEN, "anna.py"):
        (place / NAME / name).write_text("raise SystemExit\n", "utf-8")


def link_to_a_neighbour(place: Path, secret: Path) -> None:
    """Imports what another student has handed in."""
    (place / "mallory.py").write_text("from anna import running_mean_loop\n", "utf-8")


def pipe_without_end(place: Path, secret: Path) -> None:
    """Hands in a pipe, from which nothing ever comes."""
    os.mkfifo(place / "mallory.py")


def pipe_in_a_folder(place: Path, secret: Path) -> None:
    """Hands in a folder in which a pipe bears the name of an own module."""
    (place / "mallory").mkdir()
    os.mkfifo(place / "mallory" / "mine.py")
    (place / "mallory" / STOLEN).write_text("from mine import running_mean_loop\n", "utf-8")


def device(place: Path, secret: Path) -> None:
    """Hands in a link to a device that gives zeros without end."""
    (place / "mallory.py").symlink_to("/dev/zero")


def loop_of_links(place: Path, secret: Path) -> None:
    """Hands in folders that lead into one another without end."""
    (place / "mallory").mkdir()
    (place / "mallory" / "again").symlink_to(place / "mallory")
    (place / "mallory" / STOLEN).symlink_to(STOLEN)


def deep_folders(place: Path, secret: Path) -> None:
    """Hands in a hundred folders in one another."""
    Path(place, "mallory", *["d"] * 100).mkdir(parents=True)


def hole_of_a_terabyte(place: Path, secret: Path) -> None:
    """Hands in a file of a terabyte that takes no room on its disk."""
    with (place / "mallory.py").open("wb") as file:
        file.truncate(1 << 40 if sys.platform == "linux" else 1 << 32)


def names_of_markup(place: Path, secret: Path) -> None:
    """Hands in files whose names are markup, formulas, commands, and move a cursor."""
    for name in ("<img src=x>", "=1+1", "$(id)", "`id`", "\x1b[2J", "\u202egnp", "a\nb", "-rf"):
        (place / f"{name}.py").write_text("x = 1\n", "utf-8")


def names_that_look_alike(place: Path, secret: Path) -> None:
    """Hands in under names that look like another student's."""
    for name in ("\uff41nna", "\u0430nna", "anna\u200b", "anna ", "anna\u0301\u0301\u0301\u0301"):
        (place / f"{name}.py").write_text("raise SystemExit\n", "utf-8")
