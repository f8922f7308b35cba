"""Find a student's own modules as Python would if their files lay on the disk.

Their places lead from ROOT, which is on no disk. Accents in names are composed, so that a file is
found in whatever form a system wrote its name, as on macOS. The real sys.path is searched when
something is imported, whatever code has made of it.
"""

from __future__ import annotations

import importlib
import linecache
import os
import posixpath
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import ExecutionLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from autograder.runtime.packages import LISTED

ROOT = "/class/student/submission"  # deep enough for Path(__file__).parents[2]
PACKAGE = "__init__.py"  # of a folder
ABOVE = ROOT[: ROOT.index("/", 1) + 1]  # begins the paths of what is on no disk
TOP = "(submission)"  # the package that holds all folders; no code can import it by itself
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\.|\w+)", re.MULTILINE)  # of which module
DRIVE = re.compile(r"[A-Za-z]:(?=[\\/])")  # begins an absolute path of Windows


class OwnFiles(MetaPathFinder):
    """The files of a submission as an import hook, and as the disk that its code sees.

    modules: places of the student's own modules, such as `src/helpers.py`, and of own notebooks,
    which can only be run. homes: places of the modules that have names of their own, by these
    names: in a package they are the same modules. folders: those that hold the modules; the first
    is the working folder at the start, and the others are searched after sys.path. execute: runs
    the own module of a place in a namespace. read: returns its text, or that of a module with a
    name. begin: runs a module with a name, if it has not begun to run.
    here: the working folder. there: all folders.
    """

    def __init__(
        self,
        modules: Iterable[str],
        homes: Mapping[str, str],
        folders: Iterable[str],
        execute: Callable[[str, dict[str, Any]], None],
        read: Callable[[str], str],
        begin: Callable[[str], None],
    ) -> None:
        self.modules = {_inside(place): place for place in modules}
        self.homes = {_inside(_as_module(place)): name for name, place in homes.items()}
        self._folders = [*map(_inside, folders)] or [ROOT]
        self._first: list[str] = []  # folders that are searched before all others
        self._execute, self._read, self.begin = execute, read, begin
        self.there: set[str] = set()
        for place in (*(f"{one}/" for one in self._folders), *self.modules, *self.homes):
            while (place := posixpath.dirname(place)) not in (*self.there, "/"):
                self.there.add(place)
        self._installed = {*sys.path}
        self.here = self._folders[0]
        self.loaded: list[str] = []  # names of the modules that were found

    def forget(self) -> None:
        """Let what was found be imported again."""
        for name in self.loaded:
            sys.modules.pop(name, None)

    @contextmanager
    def looking_first_in(self, folder: str) -> Iterator[None]:
        """Let imports look in a folder before the others, as where a file in it runs by itself.

        Modules of the same name in other folders are put aside meanwhile. folder: its place.
        """
        before, self._first = self._first, [_inside(folder)]
        aside = self._take_out()
        try:
            yield
        finally:
            self._first = before
            self._take_out()
            sys.modules.update(aside)

    def _take_out(self) -> dict[str, ModuleType]:
        """Remove the modules that imports would now find elsewhere, and return them."""
        known = {name: sys.modules[name] for name in self.loaded if name in sys.modules}
        tops = [name for name in known if "." not in name and not name.startswith("(")]  # as TOP
        moved = {name for name in tops if self._is_elsewhere(name, known[name])}
        out = {name: one for name, one in known.items() if name.partition(".")[0] in moved}
        for name in out:
            del sys.modules[name]
        return out

    def _is_elsewhere(self, name: str, module: ModuleType) -> bool:
        """Return whether an import would find a module or package of a name in another place."""
        found, before = self._found(name, None), getattr(module, "__spec__", None)
        if found is None or before is None or isinstance(found.loader, _Alias):
            return False
        places = [(one.origin, one.submodule_search_locations) for one in (found, before)]
        return places[0] != places[1]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = self._found(name, path)
        self.loaded += [name] if found else []
        return found

    def _found(self, name: str, path: Iterable[str] | None) -> ModuleSpec | None:
        """Return what importing a name finds. path: the folders of the package that it is in."""
        package, _, own = composed(name).rpartition(".")
        if not package and own in LISTED:
            return None
        portions = []
        for folder in self._searched() if path is None else path:
            inner = f"{folder}/{own}"
            if (place := f"{inner}/{PACKAGE}") in self.modules:
                return self._spec(name, place, [inner])
            if (place := f"{inner}.py") in self.modules:
                return self._spec(name, place)
            if self.homes.get(place, name) != name:
                return ModuleSpec(name, _Alias(self.homes[place], self.begin))
            portions += [inner] if inner in self.there else []
        if not portions:
            return None
        found = ModuleSpec(name, None, is_package=True)  # a folder without an __init__.py
        found.submodule_search_locations = portions
        return found

    def folders_of(self, name: str) -> list[str]:
        """Return the folders of a name that imports would find."""
        found = dict.fromkeys(f"{folder}/{composed(name)}" for folder in self._searched())
        return [inner for inner in found if inner in self.there]

    def has_module(self, name: str) -> bool:
        """Return whether an own module has the name of a file, in any folder."""
        own = posixpath.basename(_inside(_as_module(name)))
        return any(posixpath.basename(place) == own for place in self.modules)

    def has_package(self, folders: Iterable[str]) -> bool:
        """Return whether one of these folders is a package with an __init__.py."""
        return any(f"{folder}/{PACKAGE}" in self.modules for folder in folders)

    def _spec(self, name: str, place: str, inner: list[str] | None = None) -> ModuleSpec:
        loader = _Own(self._execute, self._read, self.modules[place])
        spec = ModuleSpec(name, loader, origin=place, is_package=inner is not None)
        spec.submodule_search_locations = inner
        spec.has_location = True  # so that the module has a __file__
        return spec

    def _searched(self) -> Iterable[str]:
        """Yield the folders in which modules are looked for."""
        yield from self._first
        for entry in [*sys.path] if isinstance(sys.path, list) else []:
            if isinstance(entry, str) and (entry == "" or entry not in self._installed):
                yield self.known(entry)
        yield from self._folders

    def known(self, path: str) -> str:
        """Return the folder that is meant by a path, which may come from another machine.

        What is not in the working folder may be in the others. Of a path that leads elsewhere, its
        last parts may be.
        """
        place = self.place(path)
        if place in self.there:
            return place
        parts = place.removeprefix(f"{self.here}/").strip("/").split("/")
        is_inside = place.startswith(f"{self.here}/")
        for first in range(1 if is_inside else len(parts)):
            ending = "/".join(parts[first:])
            for folder in self._folders:
                if f"{folder}/{ending}" in self.there:
                    return f"{folder}/{ending}"
        return place

    def place(self, path: str) -> str:
        """Return where a path leads, from the working folder."""
        plain = composed(DRIVE.sub("", path).replace("\\", "/"))
        return posixpath.normpath(posixpath.join(self.here, plain))

    def enter_package(self, module: Mapping[str, Any], text: str) -> None:
        """Import the package of a module that imports from it, before the module runs.

        So does Python: the __init__.py may import the whole module.
        """
        folder, roots = posixpath.dirname(str(module.get("__file__"))), {*IMPORT.findall(text)}
        parts = folder.removeprefix(ROOT).split("/")[1:]
        around = ["/".join([ROOT, *parts[:count]]) for count in range(len(parts) + 1)]
        named = [place for place, part in enumerate(parts) if part in roots]
        if not self.has_package(around):
            return
        if "." in roots:
            self.package_of(module)
        elif named:
            importlib.import_module(".".join(parts[named[0] :]))

    def package_of(self, module: Mapping[str, Any]) -> str:
        """Return the name of the package that the folder of a module is, for relative imports.

        The module itself is in none, since it is run by itself.
        """
        folder = posixpath.dirname(str(module.get("__file__")))
        parts = folder.removeprefix(ROOT).split("/")[1:]
        is_plain = not any("." in part for part in parts)
        top = TOP if is_plain else f"({folder.replace('.', '_')})"
        if top not in sys.modules:
            package = ModuleType(top)
            [inner] = package.__path__ = [ROOT if is_plain else folder]
            sys.modules[top] = package
            self.loaded.append(top)
            if own := self.modules.get(f"{inner}/{PACKAGE}"):
                package.__file__ = f"{inner}/{PACKAGE}"
                try:
                    self._execute(own, vars(package))
                except BaseException:
                    del sys.modules[top]
                    raise
        name = ".".join([top, *parts]) if is_plain else top
        importlib.import_module(name)
        return name

    def text(self, path: Any) -> str | None:
        """Return the text of the submission's file that a path leads to, or None; see `file_at`."""
        place = self.file_at(path)
        known = self.modules.get(place) or self.homes.get(place)
        return self._read(known) if known and not is_notebook(place) else None

    def file_at(self, path: Any) -> str:
        """Return where the file of a path is; "" if it is none of these.

        One that is not where the path leads may be in another folder, as for an import, unless the
        path may be that of a file on this machine's disk.
        """
        place = self.place_of(path)
        if not place or place in self.modules or place in self.homes:
            return place
        plain = composed(DRIVE.sub("", os.fspath(path)).replace("\\", "/"))
        if posixpath.isabs(plain) and not place.startswith(ABOVE):
            return ""
        folder, file = posixpath.split(plain)
        places = [f"{one}/{file}" for one in (self.known(folder), *self._folders)]
        return next((one for one in places if one in self.modules or one in self.homes), "")

    def to_run(self, path: str) -> str:
        """Return where the file of a path is, see `file_at`; it may be a notebook."""
        place = self.file_at(path)
        if place or not is_notebook(path):
            return place
        home = self.file_at(_as_module(path))
        return home if home in self.homes else ""

    def run(self, place: str, names: dict[str, Any]) -> None:
        """Run the own module or notebook of a place in a namespace."""
        self._execute(self.modules[place], names)

    def place_of(self, path: Any) -> str:
        """Return where an argument for a path leads; "" if it is none, or a descriptor."""
        path = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
        return self.place(path) if isinstance(path, str) and path else ""


class _Own(ExecutionLoader):
    def __init__(
        self,
        execute: Callable[[str, dict[str, Any]], None],
        read: Callable[[str], str],
        place: str,
    ) -> None:
        self._execute, self._read, self._place = execute, read, place

    def get_source(self, fullname: str) -> str:
        return self._read(self._place)

    def get_filename(self, fullname: str) -> str:
        return _inside(self._place)

    def exec_module(self, module: ModuleType) -> None:
        self._execute(self._place, vars(module))


class _Alias(Loader):
    """Gives a module that has a name of its own as part of a package."""

    def __init__(self, own: str, begin: Callable[[str], None]) -> None:
        self._own, self._begin = own, begin

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._own)
        self._begin(self._own)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def absolute(place: str) -> str:
    """Return the path that code sees for a file of this place."""
    return composed(f"{ROOT}/{place}")


def composed(name: str) -> str:
    """Return a name with composed accents, as Python reads the names in code."""
    return unicodedata.normalize("NFC", name)


def is_own(path: str) -> bool:
    """Return whether an absolute path is that of the folder of all files, or leads into it."""
    return f"{path}/".startswith(f"{ROOT}/")


def remember(file: str, text: str) -> None:
    """Let inspect and tracebacks find the lines of a file that is on no disk."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def is_notebook(path: str) -> bool:
    """Return whether a path is that of a notebook."""
    return path.lower().endswith(".ipynb")


def _as_module(path: str) -> str:
    """Return the path of a notebook as if it was a module."""
    return path[: -len(".ipynb")] + ".py" if is_notebook(path) else path


def _inside(place: str) -> str:
    """Return the path of a file or folder."""
    if place.lower().endswith(".py"):
        place = place[: -len(".py")] + ".py"
    return posixpath.normpath(absolute(place))
