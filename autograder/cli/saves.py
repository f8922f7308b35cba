"""Notice when a file is saved that grading reads: a module or a notebook, in folders too."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

from autograder import plain_file
from autograder.plain_file import NotPlain, TooLarge
from autograder.submissions.folders import DEPTH, listed
from autograder.submissions.source_text import MAX_NOTEBOOK, form

PAUSE = 0.05  # seconds between two looks at the folder
SHARE = 20  # on a slow disk, looking takes at most this part of the time
STEP = 0.01  # seconds without a change after which a save is over: editors write in steps
LONGEST = 0.2  # seconds after which it counts as over in any case
RECENT = 3.0  # seconds: some disks note the time of a change to two of them
Stamp = tuple[int, int, int]


class Saves:
    """The saves in a folder since this was made, which are waited for one after the other.

    It looks at the files again and again: what a system tells of changes fails on disks of a
    network, under a limit, and when the folder itself is replaced.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[str, tuple[Stamp, bytes]] = {}
        self._seen = self.contents()

    def wait(self) -> None:
        """Wait for the end of a save that changes what is in the files."""
        while True:
            begin = time.monotonic()
            if (found := self.contents()) != self._seen:
                break
            time.sleep(max(PAUSE, SHARE * (time.monotonic() - begin)))
        end = time.monotonic() + LONGEST
        while found != self._seen and time.monotonic() < end:
            self._seen = found
            time.sleep(STEP)
            found = self.contents()

    def contents(self) -> dict[str, bytes]:
        """Return a digest of each file by its name; one that is being replaced is left out."""
        found: dict[str, bytes] = {}
        with contextlib.suppress(OSError):  # the folder is being replaced
            for name, path in listed(self._folder, DEPTH).items():
                with contextlib.suppress(NotPlain, TooLarge, OSError):  # its grade will say so
                    if form(path.name):
                        found[name] = self._digest(name, path)
        return found

    def _digest(self, name: str, path: Path) -> bytes:
        """Return the digest of a file, which is read again only if it may have changed."""
        status = os.lstat(path)
        stamp = status.st_mtime_ns, status.st_size, status.st_ino
        known = self._digests.get(name)
        if known and known[0] == stamp and abs(time.time() - status.st_mtime) > RECENT:
            return known[1]
        digest = hashlib.blake2b(plain_file.read(path, MAX_NOTEBOOK), digest_size=16).digest()
        self._digests[name] = stamp, digest
        return digest
