"""Read one person's files, in a folder or in an archive, within a budget."""

from __future__ import annotations

import itertools
import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import skeleton
from autograder.runtime.own_files import PACKAGE, composed
from autograder.submissions import kits_own
from autograder.submissions.archives import Contents, is_archive
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import DEPTH, listed
from autograder.submissions.names import is_about, is_copy, is_exactly, shallowest
from autograder.submissions.own_modules import ENDING, MODULE, dotted, precedence
from autograder.submissions.source_text import (
    FORMS,
    cells_of,
    code_lines,
    decode,
    decode_source,
    form,
    read_data,
    stem,
)

if TYPE_CHECKING:
    from autograder.runtime.source import Code

MOST_FORMS = 20  # files of one assignment that are compared with the skeleton
MOST_PLACES = 8  # in which they are looked for
MAX_CODE = 2_000_000  # characters of all the code of one person that is read
MAX_DATA = 500_000_000  # bytes of all files of one person that are read, some of them twice


class PersonFiles:
    """The files of one person, in a folder or an archive.

    files: the contents or paths of the files by their names; by default those in the folder. own:
    True if nobody else's files can be there, so that files with nearly the right name count, and
    files in subfolders. The kit's own files, as in a whole copy of it, are left out of them.
    """

    def __init__(
        self, place: Path, files: Mapping[str, bytes | Path] | None = None, own: bool = False
    ) -> None:
        self.place = place
        self.own = own or files is not None
        there = listed(place, DEPTH if own else 1) if files is None else files
        self._files = _without_kits_own(there) if self.own else there
        self._read: dict[str, Code | Unreadable] = {}
        self._modules: dict[str, dict[str, str]] = {}  # that files in a folder could import
        self._cells: dict[str, list[list[str]]] = {}
        self._texts: dict[str, str] = {}
        self._replaced: list[str] = []
        self._sources: dict[str, str] = {}
        self._remaining = {"code": MAX_CODE, "data": MAX_DATA}
        self._instead: dict[str, str] = {}  # by assignment, the other form, while that is imported

    @cached_property
    def top(self) -> str:
        """The folder that holds all modules, notebooks and archives, such as the only one.

        Other files do not count, since those in an archive are not listed.
        """
        files = (name for name in self._files if form(name) or is_archive(name))
        return common_folder(files) if self.own else ""

    def has_opened(self, archive: str) -> bool:
        """Return whether this is an archive among files in another, which has been opened."""
        files = self._files
        return isinstance(files, Contents) and files.inner.get(archive, archive) is None

    def replace(self, name: str, code: Code | Unreadable) -> None:
        """Take this code for that in a file, which need not exist, or say why it has none."""
        self._read[name] = code
        self._cells.pop(name, None)
        self._texts.pop(name, None)
        self._replaced.append(name)

    def names(self, holds: Callable[[str], bool] = lambda name: bool(form(name))) -> list[str]:
        """Return the names of the modules and notebooks, or of the files that `holds` accepts."""
        return [name for name in self._files if holds(name)]

    def code(self, name: str) -> Code:
        """Return the code in a file. Raises Unreadable."""
        if name not in self._read:
            try:
                self._read[name] = self._decoded(name)
            except Unreadable as problem:
                self._read[name] = Unreadable(str(problem))  # without frames, which hold the file
        found = self._read[name]
        if isinstance(found, Unreadable):
            raise found
        return found

    def cells(self, name: str) -> list[list[str]]:
        """Return the lines of code of each cell in a file, see `cells_of`. Raises Unreadable."""
        code = self.code(name)
        if name not in self._cells:
            self._cells[name] = cells_of(code)
        return self._cells[name]

    def text(self, name: str) -> str:
        """Return the lines of code in a file, see `code_lines`, as one text. Raises Unreadable."""
        cells = self.cells(name)
        if name not in self._texts:
            self._texts[name] = "\n".join(itertools.chain.from_iterable(cells))
        return self._texts[name]

    def _decoded(self, name: str) -> Code:
        self._spend("code", 0)
        code = decode(self.data(name), self.whereabouts(name))
        self._spend("code", len(code) if isinstance(code, str) else _length(code))
        return code

    def source(self, name: str) -> str:
        """Return the text of a file as it is, without any change. Raises Unreadable."""
        if name not in self._sources:
            self._spend("code", 0)
            text = decode_source(self.data(name), self.whereabouts(name))
            self._spend("code", len(text))
            self._sources[name] = text
        return self._sources[name]

    def path(self, name: str) -> Path | None:
        """Return where a file lies; None if it is in an archive."""
        files = self._files
        found = None if isinstance(files, Contents) else files.get(name)
        return found if isinstance(found, Path) else None

    def whereabouts(self, name: str) -> Path:
        """Return where a file lies, for messages: in an archive, it is no path of the disk."""
        files = self._files
        inside = files.place(name) if isinstance(files, Contents) else name
        return self.path(name) or self.place / inside

    def data(self, name: str) -> bytes:
        """Return the bytes of a file. Raises Unreadable."""
        found = self._files.get(name, self.place / name)
        data = read_data(found) if isinstance(found, Path) else found
        self._spend("data", len(data))
        return data

    def _spend(self, kind: str, size: int) -> None:
        """Count what was read. Raises Unreadable if one person's files have too much in them."""
        self._remaining[kind] -= size
        if self._remaining[kind] < 0:
            raise Unreadable(f"{self.place} has too much {kind} in it. Keep only your own work.")

    def named(self, assignment: str) -> dict[str, list[str]]:
        """Return the files of exactly the assignment's name by folder, the fewest folders first."""
        there = [name for name in self.names() if is_exactly(name.rpartition("/")[2], assignment)]
        found: dict[str, list[str]] = {}
        for name in sorted(there, key=_order(assignment)):
            found.setdefault(folder_of(name), []).append(name)
        return dict(sorted(found.items(), key=lambda one: (_depth(one[0]), one[0])))

    def exact(self, assignment: str) -> list[str]:
        """Return the files of exactly the assignment's name, those in the fewest folders."""
        first = next(self.places(assignment, ""), [])
        there = [name for name in first if is_exactly(name.rpartition("/")[2], assignment)]
        return sorted(there, key=_order(assignment))

    def forms(self, assignment: str, near: str = "") -> list[str]:
        """Return the names of an assignment's module and notebook that are there.

        Those with the exact name in the fewest folders count; if they are as they were released,
        those that were edited in other folders or under longer names. near: one of the files, whose
        folder is searched first.
        """
        places = [*itertools.islice(self.places(assignment, near), MOST_PLACES)]
        first = places[0] if places else []
        edited: list[str] = []
        if len(places) > 1 and not self.edited_of(first, assignment):
            edited = next(filter(None, (self.edited_of(p, assignment) for p in places[1:])), [])
        return sorted(edited or first, key=_order(assignment))

    def places(self, assignment: str, near: str) -> Iterator[list[str]]:
        """Yield the names of the files that may be meant, the likeliest place first.

        Where other people's files may lie, a longer name is meant only by a file beside it, and
        only if it is that of a copy.
        """
        for is_meant in (is_exactly, is_about) if self.own else (is_exactly,):
            found = [name for name in self._files if is_meant(name.rpartition("/")[2], assignment)]
            close = [name for name in found if folder_of(name) == folder_of(near)] if near else []
            while found:
                place = close or shallowest(found, assignment)
                yield place
                found, close = [name for name in found if name not in place], []
        if near and not self.own:
            copies = [one for one in self._files if is_copy(one.rpartition("/")[2], assignment)]
            if beside := [name for name in copies if folder_of(name) == folder_of(near)]:
                yield beside

    def edited(self, assignment: str) -> list[str]:
        """Return the forms of an assignment whose code differs from the skeleton's.

        A file that cannot be read counts as edited. Of files with the same code, only one counts.
        """
        return self.edited_of(self.forms(assignment), assignment)

    def edited_of(self, names: list[str], assignment: str) -> list[str]:
        """Return those of these forms whose code differs from the skeleton's, see `edited`."""
        if len(names) > MOST_FORMS:
            return names
        released = _lines_of(skeleton(assignment))
        found: dict[str, str] = {}
        for name in names:
            try:
                text = self.text(name)
            except Unreadable as problem:
                text = str(problem)
            if text != released and text not in found.values():
                found[name] = text
        return [*found]

    def modules(self, name: str) -> dict[str, str]:
        """Return the files that a file could import or run.

        Modules are known by their names, notebooks by those of their files. Of several with one
        name, it is the one in the folder that is searched first; folders that only sys.path may
        have come last.
        """
        folder = folder_of(name)
        if folder not in self._modules:
            self._modules[folder] = self._modules_from(self._folders(name))
        return self._modules[folder]

    def _modules_from(self, first: list[str]) -> dict[str, str]:
        """Return the files that can be imported or run, see `modules`. first: see `_folders`."""
        found: list[tuple[int, int, tuple[bool, str], str, str]] = []
        for one in filter(ENDING.search, self._all()):
            for place in {"", *_folders_around(one)}:
                rank = first.index(place) if place in first else len(first)
                rest = one.removeprefix(f"{place}/")
                known = dotted(rest) if MODULE.fullmatch(rest) else composed(rest)
                found.append((rank, place.count("/"), precedence(rest), known, one))
        modules: dict[str, str] = {}
        for *_, known, one in sorted(found):
            modules.setdefault(known, one)
        return modules

    def _folders(self, near: str) -> list[str]:
        """Return the folder of a file, the one that holds all files, and those around that.

        If the file is in a package, the folder in which the package lies follows its own.
        """
        own = around = folder_of(near)
        while f"{around}/{PACKAGE}" in self._files:
            around = folder_of(around)
        parts = self.top.split("/")
        above = ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]
        return [*dict.fromkeys([own, around, *above])]

    def _all(self, folder: str = "") -> list[str]:
        """Return the names of the files in a folder and its subfolders; "" is the top folder."""
        there = self._files if self.own else listed(self.place, DEPTH)
        names = dict.fromkeys([*there, *self._replaced])
        return [name for name in names if name.startswith(f"{folder}/" if folder else "")]


def _without_kits_own(files: Mapping[str, bytes | Path]) -> Mapping[str, bytes | Path]:
    """Return a person's files without those of the kit, see `kits_own`."""
    kits = kits_own.found_in(files)
    if not kits:
        return files
    own = [name for name in files if name not in kits]
    return files.only(own) if isinstance(files, Contents) else {name: files[name] for name in own}


@lru_cache(maxsize=32)
def _lines_of(skeleton: str) -> str:
    """Return the lines of code of a module as it was released, as PersonFiles.text has them."""
    return "\n".join(code_lines(skeleton))


def _length(cells: list[list[str]]) -> int:
    return sum(len(text) for _, text in cells)


def _folders_around(name: str) -> list[str]:
    """Return the folders in which a file lies, one in the other."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _order(assignment: str) -> Callable[[str], tuple[bool, int, str]]:
    """Return a sort key: the exact name first, then modules before notebooks."""
    return lambda name: (
        stem(name.rpartition("/")[2]) != assignment,
        FORMS.index(form(name)),
        name,
    )


def _depth(folder: str) -> int:
    """Return in how many folders a folder lies, with itself; 0 for the top, ""."""
    return folder.count("/") + bool(folder)


def folder_of(name: str) -> str:
    """Return the folders in the name of a file, or ""."""
    return name.rpartition("/")[0]


def common_folder(names: Iterable[str]) -> str:
    """Return the folders in which all these files lie, or ""."""
    folders = [*map(folder_of, names)]
    return os.path.commonpath(folders) if folders else ""
