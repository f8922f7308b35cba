"""List the files in one person's folder, without following links."""

from __future__ import annotations

import os
import re
from pathlib import Path

MOST = 3000  # files and folders that are listed
# Files and folders that programs add, in any folder.
IGNORED = re.compile(
    r"\..*|__MACOSX|__pycache__|node_modules|site-packages|venv|desktop\.ini|Thumbs\.db|.*\$RECYCLE.*",
    re.IGNORECASE,
)


def listed(place: Path, depth: int) -> dict[str, Path]:
    """Return the files in a folder by their names, `folder/name` for those in folders of it.

    depth: 1 for the folder alone. Links, pipes and the like are listed too: reading them raises an
    error that says what they are. A folder that cannot be read counts as empty.
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
