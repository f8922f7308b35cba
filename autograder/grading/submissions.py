"""Find submissions on disk: modules, notebooks, and folders of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments, skeleton
from autograder.grading.source_text import FORMS, Unreadable, essence, read_source

if TYPE_CHECKING:
    from autograder.child.source import Code


@dataclass(frozen=True)
class Submission:
    """A module or notebook that was handed in, and the modules beside it that it may import.

    assignment is None while nothing says which one it is. work: where it was found; what was
    found there belongs to one person. problem: why it cannot be read.
    """

    name: str
    path: Path
    assignment: str | None
    texts: Mapping[str, Code] = field(default_factory=dict)
    problem: str = ""
    work: Path | None = None

    @property
    def stem(self) -> str:
        return self.path.stem


def find(path: Path, assignment: str | None) -> list[Submission]:
    """The submissions at a path: a module or notebook, or those of a folder, one by one.

    In a folder, those named after assignments are taken; where there are none, and the
    assignment is given, each is. One that cannot be read has a problem instead of text.
    """
    if not path.is_dir():
        return [_read(path, assignment, path)]
    here = [name for name in assignments() if forms(path, name)]
    if here:
        wanted = [name for name in here if assignment in (None, name)]
        return [_chosen(path, name) for name in wanted] or [_nothing(path, assignment)]
    if assignment:
        files = sorted(file for file in path.iterdir() if file.suffix in FORMS)
        return [_read(file, assignment, path) for file in files] or [_nothing(path, assignment)]
    return [_nothing(path, assignment)]


def _nothing(path: Path, assignment: str | None) -> Submission:
    names = [assignment] if assignment else assignments()
    text = (
        f"{path} holds no submission: expected {' or '.join(f'{name}.py' for name in names)}, "
        "or a notebook of that name."
    )
    return Submission(path.name, path, assignment, problem=text)


def forms(folder: Path, name: str) -> list[Path]:
    """The module and the notebook of an assignment, as far as they are there."""
    return [path for form in FORMS if (path := folder / f"{name}{form}").exists()]


def _chosen(folder: Path, name: str) -> Submission:
    """Of module and notebook the one in which work was begun; both is a problem."""
    there = forms(folder, name)
    begun = _begun(there, name)
    if len(begun) > 1:
        text = (
            f"Both {begun[0]} and {begun[1].name} were begun, and only one can count. Grade one "
            f"of them (make grade SUBMISSION={begun[0]}), and move the other out of the folder."
        )
        return Submission(folder.absolute().name, there[0], name, problem=text, work=folder)
    return _read((begun or there)[0], name, folder)


def _begun(there: list[Path], name: str) -> list[Path]:
    """Of several forms of one assignment those in which there is work."""
    return [path for path in there if is_begun(path, name)] if len(there) > 1 else there


def is_begun(path: Path, name: str) -> bool:
    """Is there other code in it than in what students are given? What is unreadable is begun."""
    try:
        return essence(read_source(path)) != essence(skeleton(name))
    except Unreadable:
        return True


def _read(path: Path, assignment: str | None, work: Path) -> Submission:
    known = path.stem in assignments()
    name = path.absolute().parent.name if known else path.stem
    assignment = assignment or (path.stem if known else None)
    try:
        texts = {path.stem: read_source(path)}
    except Unreadable as problem:
        return Submission(name, path, assignment, problem=str(problem), work=work)
    asked: set[str] = {path.stem}
    while named := _named(texts) - asked:
        for sibling in named:
            _add(texts, path, sibling)
        asked |= named
    return Submission(name, path, assignment, texts, work=work)


def _named(texts: dict[str, Code]) -> set[str]:
    """The assignments of which texts speak: only these can they import."""
    codes = [[["", code]] if isinstance(code, str) else code for code in texts.values()]
    return {n for n in assignments() for code in codes if any(n in text for _, text in code)}


def _add(texts: dict[str, Code], path: Path, sibling: str) -> None:
    """Add the module beside a path, or the notebook if work was begun in that one only.

    Of one that cannot be read its own grade says so; here it counts as not handed in.
    """
    there = sorted(forms(path.parent, sibling), key=_same_form_first(path))
    for form in (_begun(there, sibling) or there)[:1]:
        try:
            texts[sibling] = read_source(form)
        except Unreadable:
            return


def _same_form_first(path: Path) -> Callable[[Path], bool]:
    return lambda other: other.suffix != path.suffix
