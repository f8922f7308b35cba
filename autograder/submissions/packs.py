"""The files of one person in an archive that has others in it, each of which may be the work."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from autograder.submissions import archives
from autograder.submissions.person_files import common_folder
from autograder.submissions.submission_files import SubmissionFiles, archived_limit


class Packs:
    """An archive with the files of those within it. Raises Unreadable.

    order: archives within it are read in the order of what this returns for their names; there may
    be too many.
    outside: the files in none of them. inside: those in each, by its name, or why it is not read.
    """

    def __init__(self, path: Path, order: Callable[[str], int]) -> None:
        self._path = path
        self._contents = archives.contents(path, archived_limit, within=order)
        inner = self._contents.inner
        self._packs = {name: self._pack(name) for name in self._contents}
        names: dict[str, list[str]] = {"": [], **{pack: [] for pack in inner}}
        for name, pack in self._packs.items():
            names[pack].append(name)
        self.outside = self._of(names.pop(""))
        self.outside.top = common_folder([*self.outside.names(), *inner])
        self.inside = {pack: inner[pack] or self._of(own) for pack, own in names.items()}

    def without(self, packs: Collection[str], top: str) -> SubmissionFiles:
        """Return all files that are not in these. top: see `PersonFiles.top`."""
        files = self._of([name for name, pack in self._packs.items() if pack not in packs])
        files.top = top
        return files

    def _pack(self, name: str) -> str:
        """Return the archive within this one in which a file lies, or ""."""
        parts = self._contents.place(name).split("/")
        begins = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return next((one for one in begins if one in self._contents.inner), "")

    def _of(self, names: Collection[str]) -> SubmissionFiles:
        return SubmissionFiles(self._path, self._contents.only(names))
