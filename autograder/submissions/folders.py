"""List what lies in one person's folder, without following a link."""

from __future__ import annotations

import os
import re
from pathlib import Path

MOST = 3000  # files and folders that are looked at
# What programs put beside one's work, in any folder.
IGNORED = re.compile(
    r"\..*|__MACOSX|__pycache__|node_modules|site-packages|venv|desktop\.ini|Thumbs\.db|.*\$RECYCLE.*",
    re.IGNORECASE,
)


def listed(place: Path, depth: int) -> dict[str, Path]:
    """The files in a folder by their names in it, `folder/name` in a folder of it.

    depth: 1 for the folder alone. What is neither a file nor a folder is listed as well: whoever
    reads it is told. None where the folder cannot be read: what is looked for is not there then.
    """
    found: dict[str, Path] = {}
    folders = [("", place, 1)]
    count = 0
    while folders:
        prefix, folder, level = folders.pop(0)
        for entry in _entries(folder):
            count += 1
            if count > MOST:
                return found
            if IGNORED.fullmatch(entry.name):
                continue
            is_named_as_file = entry.name.lower().endswith((".py", ".ipynb"))
            if level < depth and entry.is_dir(follow_symlinks=False) and not is_named_as_file:
                folders.append((f"{prefix}{entry.name}/", Path(entry.path), level + 1))
            else:
                found[prefix + entry.name] = Path(entry.path)
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []
