"""The folder backups/ of a copy, which keeps what a command replaces."""

from __future__ import annotations

from pathlib import Path

FOLDER = "backups"


def free(place: Path, stem: str, ending: str = "") -> Path:
    """Return a path in the backups of the copy at `place` that is not taken: stem-1, stem-2, …

    On some disks, names that differ only in capitals are one. Makes the folder if there is none.
    Raises OSError.
    """
    folder = place / FOLDER
    folder.mkdir(exist_ok=True)
    taken = {one.name.casefold() for one in folder.iterdir()}
    numbered = (f"{stem}-{number}{ending}" for number in range(1, len(taken) + 2))
    return folder / next(name for name in numbered if name.casefold() not in taken)


def tidy(place: Path) -> None:
    """Remove the folder of backups if nothing is in it. Raises OSError."""
    folder = place / FOLDER
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
