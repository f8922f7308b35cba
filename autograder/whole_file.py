"""Write a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write(path: Path, data: str | bytes, mode: int = 0o600, folder: Path | None = None) -> None:
    """Replace a file in one step: readers find the old contents or the new. Raises OSError.

    The data is on the disk before the old contents go. Text is written as UTF-8, its line ends as
    they are. mode: permissions. folder: where the unfinished file is, on the same file system; next
    to the file by default.
    """
    handle, unfinished = tempfile.mkstemp(dir=folder or path.parent, prefix=".", suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
