"""The files of one person in an archive that has others in it, each of which may be the work."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from autograder.submissions import archives
from autograder.submissions.submission_files import SubmissionFiles, archived_limit


class Packs:
    """An archive with the files of those within it. Raises Unreadable.

    outside: the files in none of them. inside: those in each, by its name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._contents = archives.contents(path, archived_limit, within=True)
        self._packs = {name: _pack(name, self._contents.place(name)) for name in self._contents}
        names: dict[str, list[str]] = {}
        for name, pack in self._packs.items():
            names.setdefault(pack, []).append(name)
        self.outside = self._of(names.pop("", []))
        self.outside.top = SubmissionFiles(path, self._contents).top
        self.inside = {pack: self._of(own) for pack, own in names.items()}

    def without(self, packs: Collection[str], top: str) -> SubmissionFiles:
        """Return all files that are not in these. top: see `PersonFiles.top`."""
        files = self._of([name for name, pack in self._packs.items() if pack not in packs])
        files.top = top
        return files

    def _of(self, names: Collection[str]) -> SubmissionFiles:
        return SubmissionFiles(self._path, self._contents.only(names))


def _pack(name: str, place: str) -> str:
    """Return the archive in which a file lies, or "". place: its name with the archive's ending."""
    parts = place.split("/")
    begins = ["/".join(parts[:count]) for count in range(1, len(parts))]
    return next((one for one in begins if name != place and archives.is_archive(one)), "")
