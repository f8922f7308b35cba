"""Notice when a file is saved that grading reads: a module or a notebook, in folders too."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from autograder import plain_file
from autograder.cli.half_written import may_be_half
from autograder.plain_file import NotPlain, TooLarge
from autograder.submissions.folders import DEPTH, listed
from autograder.submissions.source_text import MAX_NOTEBOOK, form

PAUSE = 0.1  # seconds between two looks where the system tells nothing
STEP = 10  # milliseconds without a change after which a save is over: editors write in steps
DEBOUNCE = 200  # milliseconds after which it counts as over in any case
QUIET = 0.4  # seconds without a change after which a file counts that may be half-written
LONGEST = 5.0  # seconds after which it counts in any case
AGAIN = 0.05  # seconds between two looks at it
LOOKS = 50  # before the system is asked again
LOOK = 1000  # milliseconds: after them a look is taken though the system has told nothing
RECENT = 3.0  # seconds: some disks note the time of a change to two of them
Stamp = tuple[int, int, int]


class Saves:
    """The saves in a folder since this was made, which are waited for one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._digests: dict[str, tuple[Stamp, bytes]] = {}
        self._seen = self.contents()
        self._looks = self._look()

    def wait(self) -> None:
        """Wait for the end of a save that changes what is in the files."""
        while (found := self.contents()) == self._seen:
            next(self._looks)
        self._seen = self._at_rest(found)

    def wait_for_the_last(self) -> None:
        """Wait for the end of a save before this was made, if it may be going on still."""
        begun = time.time() - RECENT
        old = {name for name, (stamp, _) in self._digests.items() if stamp[0] < begun * 1e9}
        self._seen = {name: digest for name, digest in self._seen.items() if name in old}
        self._seen = self._at_rest(self.contents())

    def _at_rest(self, found: dict[str, bytes]) -> dict[str, bytes]:
        """Return the contents, once no file that has changed is half-written, as far as one sees.

        One that stays as it is for a while is as its author wants it; others may change meanwhile.
        """
        begun = now = time.monotonic()
        since: dict[tuple[str, bytes | None], float] = {}  # what is in each half file
        while now - begun < LONGEST:
            half = [one for one in self._changed(found) if may_be_half(self._folder / one)]
            since = {one: since.get(one, now) for one in ((name, found.get(name)) for name in half)}
            if all(now - first > QUIET for first in since.values()):
                break
            time.sleep(AGAIN)
            found, now = self.contents(), time.monotonic()
        return found

    def _changed(self, found: dict[str, bytes]) -> set[str]:
        return {name for name, _ in found.items() ^ self._seen.items()}

    def _look(self) -> Iterator[None]:
        """Yield when something may have changed, and now and then.

        What the system tells of fails on disks of a network and under a limit, as on the number of
        watched folders. Then it is asked again only after some looks.
        """
        while True:
            with contextlib.suppress(OSError, RuntimeError, ImportError):  # or it is not installed
                yield from self._told()
                continue
            for _ in range(LOOKS):
                time.sleep(PAUSE)
                yield

    def _told(self) -> Iterator[None]:
        """Yield when the system tells of a change, and now and then, until the folders are others.

        Raises OSError and RuntimeError, and ImportError without watchfiles.
        """
        from watchfiles import watch

        folders = self._folders()
        for _ in watch(
            *(path for path, _ in folders),
            recursive=False,  # it would look through links and libraries too
            debounce=DEBOUNCE,
            step=STEP,
            rust_timeout=LOOK,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            yield
            if self._folders() != folders:
                return

    def _folders(self) -> set[tuple[Path, int]]:
        """Return the folders of what is graded, with their numbers on the disk. Raises OSError."""
        files = [path for path in listed(self._folder, DEPTH).values() if form(path.name)]
        return {(one, os.stat(one).st_ino) for one in {self._folder, *(f.parent for f in files)}}

    def contents(self) -> dict[str, bytes]:
        """Return a digest of each file by its name; one that is being replaced is left out."""
        found: dict[str, bytes] = {}
        with contextlib.suppress(OSError):  # the folder is being replaced
            for name, path in listed(self._folder, DEPTH).items():
                if form(path.name):
                    with contextlib.suppress(NotPlain, TooLarge, OSError):  # its grade will say so
                        found[name] = self._digest(name, path)
        return found

    def _digest(self, name: str, path: Path) -> bytes:
        """Return the digest of a file, which is read again only if it may have changed.

        It is empty if the file may not be read now.
        """
        status = os.lstat(path)
        stamp = status.st_mtime_ns, status.st_size, status.st_ino
        known = self._digests.get(name)
        if known and known[0] == stamp and abs(time.time() - status.st_mtime) > RECENT:
            return known[1]
        try:
            data = plain_file.read(path, MAX_NOTEBOOK)
        except PermissionError:  # on Windows, an editor may have locked it
            return b""
        digest = hashlib.blake2b(data, digest_size=16).digest()
        self._digests[name] = stamp, digest
        return digest
