"""Let code see a submission's files where it asks for its folder, for a path or for a file.

What it cannot see is which files there are: nothing is listed.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import posixpath
import stat
import sys
from importlib.machinery import SourceFileLoader
from typing import Any

from autograder.runtime.commands import Commands
from autograder.runtime.own_files import OwnFiles, is_own
from autograder.runtime.standin import WORKING, ZMQInteractiveShell, stand_in

FOLDER, FILE = stat.S_IFDIR | 0o755, stat.S_IFREG | 0o644  # modes
really_stat, really_look, really_change, really_open = os.stat, os.lstat, os.chdir, builtins.open
really_open_code, really_read = io.open_code, SourceFileLoader.get_data


def really_exists(path: str) -> bool:
    """Return whether there is a file on this machine's disk."""
    try:
        really_stat(path)
    except OSError:
        return False
    return True


def show(files: OwnFiles, is_notebook: bool) -> None:
    """Show this process the files of a submission, the only one that it ever runs.

    A notebook's modules are looked for in the working folder, and a module's in its own. A notebook
    sees that it runs in Jupyter.
    """
    real_folder = os.getcwd()
    sys.path_importer_cache[real_folder] = None  # what lies there is not the student's
    sys.path.insert(0, "" if is_notebook else files.here)

    def look(path: Any, *args: Any, **options: Any) -> os.stat_result:
        place = files.place_of(path)
        if place in files.there:
            return os.stat_result((FOLDER, *[0] * 9))
        if place and (text := files.text(path)) is not None:
            return os.stat_result((FILE, 0, 0, 1, 0, 0, len(text.encode()), 0, 0, 0))
        if is_own(place):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return really_stat(path, *args, **options)

    def change(path: Any) -> None:
        place = files.place_of(path)
        folder = files.known(place) if place else ""
        if folder in files.there or (folder == "/" and not posixpath.isabs(os.fspath(path))):
            files.here = folder
        else:
            really_change(path)

    def open_own(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if file == os.devnull:  # as in redirect_stdout(open(os.devnull, "w"))
            return io.BytesIO() if "b" in mode else io.StringIO()
        is_read = mode in ("r", "rt", "rb")
        if not is_read and is_own(files.place_of(file)):  # what is graded is not changed
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), file)
        text = files.text(file) if is_read else None
        if text is None:
            return really_open(file, mode, *args, **options)
        return io.BytesIO(text.encode()) if "b" in mode else io.StringIO(text)

    def open_code(path: str) -> Any:
        text = files.text(path)
        return really_open_code(path) if text is None else io.BytesIO(text.encode())

    def get_data(self: Any, path: str) -> bytes:
        text = files.text(path)
        if text is None and not really_exists(path):  # importlib has put its own folder before it
            text = files.text(path.removeprefix(real_folder).lstrip(os.sep))
        return really_read(self, path) if text is None else text.encode()

    def look_at_link(path: Any, *args: Any, **options: Any) -> os.stat_result:
        inside = is_own(files.place_of(path))
        return look(path) if inside else really_look(path, *args, **options)

    os.stat, os.lstat, os.chdir, os.getcwd = look, look_at_link, change, lambda: files.here
    builtins.open = io.open = open_own
    io.open_code = open_code
    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    WORKING["get_ipython", "run_line_magic"] = Commands(files)
    if is_notebook:
        WORKING["", "get_ipython"] = WORKING["IPython", "get_ipython"] = ZMQInteractiveShell
        sys.modules["ipykernel"] = stand_in("ipykernel")  # type: ignore[assignment]
