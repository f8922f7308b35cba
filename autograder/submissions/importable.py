"""Find the files that a student's code may import, judging by the words in it.

Which of them an import finds is decided where the code runs, by runtime.own_files.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from autograder.course import assignments
from autograder.runtime.own_files import PACKAGE, composed
from autograder.submissions.bindings import WORD
from autograder.submissions.own_modules import MODULE, NOTEBOOK, is_taken, precedence
from autograder.submissions.source_text import stem

if TYPE_CHECKING:
    from autograder.runtime.source import Code

DYNAMIC = {
    "import_module", "__import__", "spec_from_file_location", "run_path", "run_line_magic", "exec",
    "open",
}  # fmt: skip
RUNS_NOTEBOOKS = {"run_line_magic", "ipynb"}
RELATIVE = re.compile(r"\bfrom[ \t]+\.")


class Importable:
    """The files among some that code may import.

    A file may be imported if its name is a word of the code, or consists of such words, as that of
    its folder is for __init__.py; accents may be composed in one and not in the other. If a library
    or an assignment has that name, the folder around it must be named too, or imports be relative.
    So may the other files in a folder that the code names. A notebook is only run.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._by_folder: dict[str, list[str]] = {}
        self._packages: set[str] = set()
        self._of_words: list[tuple[set[str], str]] = []
        names = [*names]
        self._notebooks = sorted(filter(NOTEBOOK.fullmatch, names))
        self._all = sorted(filter(MODULE.fullmatch, names), key=precedence)
        for name in self._all:
            *folders, own = composed(name).split("/")
            if own == PACKAGE:
                self._packages.add(name)
                own = folders.pop() if folders else ""
            self._by_name.setdefault(stem(own), []).append(name)
            for one in {stem(own), unicodedata.normalize("NFD", stem(own))}:
                if not WORD.fullmatch(one):  # of several words: my-helpers, or with an accent apart
                    self._of_words.append((set(WORD.findall(one)), name))
            for folder in {*folders} if not is_taken(stem(own)) else ():
                self._by_folder.setdefault(folder, []).append(name)

    def named(self, words: set[str]) -> list[str]:
        """Return the files that are named, those in named folders first, and their packages."""
        found = [
            name
            for word in words & self._by_name.keys()
            for name in self._by_name[word]
            if not is_taken(word) or words & {".", _around(name)} or _is_assignment(name, word)
        ]
        found += [name for parts, name in self._of_words if parts and parts <= words]
        found += self._packages if "." in words else ()
        found.sort(
            key=lambda name: (not words & {*composed(name).split("/")[:-1]}, name.count("/"), name)
        )
        return [*dict.fromkeys(one for name in found for one in (*self._packages_of(name), name))]

    def notebooks(self, words: set[str]) -> list[str]:
        """Return the notebooks that are named, if the code runs notebooks.

        Those that are named after an assignment are none of them: they are run as that.
        """
        if not words >= RUNS_NOTEBOOKS:
            return []
        own = {name: stem(posixpath.basename(composed(name))) for name in self._notebooks}
        parts = {name: {*WORD.findall(own[name])} for name in own if own[name] not in assignments()}
        return [name for name in parts if parts[name] and parts[name] <= words]

    def in_named_folders(self, words: set[str]) -> list[str]:
        """Return the files in folders that are named."""
        return sorted(
            {one for word in words & self._by_folder.keys() for one in self._by_folder[word]}
        )

    def by_any_name(self, words: set[str], folder: str) -> list[str]:
        """Return all files in a folder, if the code imports or runs some by names that it makes."""
        return [one for one in self._all if words & DYNAMIC and posixpath.dirname(one) == folder]

    def _packages_of(self, name: str) -> Iterator[str]:
        """Yield the __init__.py of the packages that a file is in."""
        parts = name.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            if (package := "/".join([*parts[:count], PACKAGE])) in self._packages:
                yield package


def words_of(code: Code) -> set[str]:
    """Return all names and other words in code, and "." if it has relative imports."""
    texts = [code] if isinstance(code, str) else [text for _, text in code]
    return {word for text in texts for word in _words(text)}


@lru_cache(maxsize=64)  # a text is searched for each exercise that may import it
def _words(text: str) -> frozenset[str]:
    found = frozenset(WORD.findall(text))
    return found | {"."} if RELATIVE.search(text) else found


def _is_assignment(name: str, word: str) -> bool:
    """Return whether a file is a package of the name of an assignment."""
    return name.endswith(f"/{PACKAGE}") and word in assignments()


def _around(name: str) -> str:
    """Return the name of the folder that a module, or the package of an __init__.py, is in."""
    folder, _, own = composed(name).rpartition("/")
    return posixpath.basename(posixpath.dirname(folder) if own == PACKAGE else folder)
