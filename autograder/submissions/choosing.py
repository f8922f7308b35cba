"""Choose which of a student's files counts, in a folder for one assignment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import (
    check_folder,
    may_be_handed_in,
    too_deep,
    why_too_deep,
)
from autograder.submissions.imports import imports
from autograder.submissions.kinds import is_document, unread
from autograder.submissions.names import CHECKPOINT, is_exactly, normalised
from autograder.submissions.own_modules import dotted
from autograder.submissions.source_text import FORMS, form, stem
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

MOST = 40  # files that are read to find out which of them imports the others


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open a folder for one assignment, or the archive in it that counts. Raises Unreadable."""
    check_folder(folder)
    return unpacked(SubmissionFiles(folder, own=True), assignment)


def unpacked(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Return the files of one person, or those in the archive that counts. Raises Unreadable.

    An archive counts if it is named after the assignment, or if nothing else can hold work; but not
    if it holds no work and the files beside it do, or another archive beside the assignment's own
    files as they were released.
    """
    named = packed(files, assignment)
    chosen = named or files.names(archives.is_archive)
    if not chosen or files.edited(assignment):
        return files
    if files.forms(assignment):
        return _with_work(files, chosen, assignment)
    there = files.names(lambda one: may_be_handed_in(one) and not is_document(one))
    if len(chosen) > 1 or not (named or len(there) == 1):
        raise _undecided(files.place, there, assignment)
    inside = opened_archive(files.whereabouts(chosen[0]), assignment)
    return files if has_work(files, assignment) and not has_work(inside, assignment) else inside


def _with_work(files: SubmissionFiles, packs: list[str], assignment: str) -> SubmissionFiles:
    """Return the files in the one of these archives that holds work, or the files beside them.

    Raises Unreadable if there is work in several places, or in none and one cannot be read.
    """
    other = instead(files, assignment)
    found = dict.fromkeys(other[:1], files)
    problems: list[Unreadable] = []
    for name in packs:
        try:
            inside = opened_archive(files.whereabouts(name), assignment)
        except Unreadable as problem:
            problems.append(problem)
            continue
        if has_work(inside, assignment):
            found[name] = inside
        if len(found) > 1:
            raise _undecided(files.place, found, assignment)
    if problems and not found:
        raise problems[0]
    return next(iter(found.values()), files)


def opened_archive(path: Path, assignment: str) -> SubmissionFiles:
    """Return the files in an archive, also in archives within it if only these hold work.

    Raises Unreadable.
    """
    files = SubmissionFiles.unpacked(path)
    if has_work(files, assignment):
        return files
    with contextlib.suppress(Unreadable):  # what cannot be read within it is no part of it
        deeper = SubmissionFiles.unpacked(path, within=True)
        if has_work(deeper, assignment):
            return deeper
    return files


def has_work(files: SubmissionFiles, assignment: str) -> bool:
    """Return whether files hold more of an assignment than what was released of it."""
    return bool(files.edited(assignment) or _answers(files, assignment))


def _answers(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files of other names that define an exercise, and are not as released."""
    names = [name for name in files.names() if _may_count(name)][:MOST]
    return files.edited_of(_defining(files, names, assignment), assignment)


def packed(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the archives that are named after an assignment."""
    there = files.names(archives.is_archive)
    stems = {name: archives.stem(name.rpartition("/")[2]) for name in there}
    return [name for name in there if normalised(stems[name]) == assignment]


def forms(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files of an assignment's name, or else those that count. Raises Unreadable."""
    return instead(files, assignment) or files.forms(assignment) or candidates(files, assignment)


def instead(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return what counts in place of the assignment's own files as they were released, if anything.

    It defines one of the exercises. Raises Unreadable if several files may be meant.
    """
    if not files.forms(assignment) or files.edited(assignment):
        return []
    return candidates(files, assignment) if _answers(files, assignment) else []


def candidates(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts although none has the assignment's name. Raises Unreadable.

    It is the only one that no other imports, or the only notebook. Files that define none of the
    exercises, such as tests of the one that does, count only if none does. A module and a notebook
    both count if both define exercises and the notebook does not import the module.
    """
    names = [name for name in files.names() if _may_count(name)]
    if len(names) > MOST:
        names = [name for name in names if form(name) == ".ipynb"] or names
    if len(names) > MOST:
        raise _undecided(files.place, names, assignment)
    defining = _defining(files, names, assignment)
    names = files.edited_of(defining or names, assignment) or defining or names
    names.sort(key=lambda name: FORMS.index(form(name)))
    if defining and _are_forms(names) and not _imports(files, *names):
        return names
    imported = {own for name in names for own in imported_by(files, name)}
    names = [name for name in names if name not in imported] or names  # all may import each other
    notebooks = [name for name in names if form(name) == ".ipynb"]
    if len(names) == 1 or (defining and _are_forms(names)):
        return names
    if len(notebooks) == 1 and not defining:  # modules may belong to a notebook
        return notebooks
    raise _undecided(files.place, names, assignment) if names else _nothing(files, assignment)


def _are_forms(names: list[str]) -> bool:
    """Return whether these are one module and one notebook, in this order."""
    return tuple(map(form, names)) == FORMS


def _imports(files: SubmissionFiles, *names: str) -> bool:
    """Return whether one of these files has a line that imports another, not only its name."""
    stems = {stem(name.rpartition("/")[2]) for name in names}
    return any(stems & imports(files.code(name)) for name in names)


def _defining(files: SubmissionFiles, names: Iterable[str], assignment: str) -> list[str]:
    """Return those of the files that define an exercise of an assignment."""
    return [name for name in names if files.binds(name, exercises_of(assignment))]


def modules_of(files: SubmissionFiles, forms: Sequence[str]) -> dict[str, str]:
    """Return the own modules that the files of an assignment import, see `own_modules`.

    A module of another name than the assignment's is among them if the notebook may import it.
    """
    found = {one.rpartition("/")[2]: one for one in forms if form(one) == ".py" and len(forms) > 1}
    for name in forms:
        found = {**own_modules(files, name), **found}
    return {own: name for own, name in found.items() if stem(own) not in assignments()}


def own_modules(files: SubmissionFiles, name: str) -> dict[str, str]:
    """Return the own modules that a file imports; none if it cannot be read."""
    with contextlib.suppress(Unreadable):
        return files.own_modules(name)
    return {}


def imported_by(files: SubmissionFiles, name: str) -> list[str]:
    """Return the own modules that a file imports by a line of code, and those that these import."""
    own, found, to_search = own_modules(files, name), [], [name]
    while own and to_search:
        with contextlib.suppress(Unreadable):  # then it is not known what it imports
            words = imports(files.code(to_search.pop()))
            new = [one for one in own.values() if dotted(one).rpartition(".")[2] in words]
            to_search += [one for one in new if one not in found]
            found += [one for one in new if one not in found]
    return found


def _may_count(name: str) -> bool:
    """Return whether a file is no checkpoint and not named after any assignment."""
    own = name.rpartition("/")[2]
    is_named = any(is_exactly(own, other) for other in assignments())
    return not is_named and not stem(name).endswith(CHECKPOINT)


class Undecided(Unreadable):
    """Several files may be meant."""


def _undecided(place: Path, names: Iterable[str], assignment: str) -> Undecided:
    shown = ", ".join(sorted(names)[:3])
    return Undecided(
        f"{place} holds several files ({shown}). Name the one that counts {assignment}.py, or "
        f"{assignment}.ipynb if it is a notebook."
    )


def _nothing(files: SubmissionFiles, assignment: str) -> Unreadable:
    for name in files.names(lambda name: bool(unread(name))):
        return Unreadable(f"{files.place / name} {unread(name)}")
    if checkpoints := [name for name in files.names() if stem(name).endswith(CHECKPOINT)]:
        return Unreadable(
            f"{files.place / checkpoints[0]} is a checkpoint, which Jupyter saves automatically. "
            "Hand in the notebook itself."
        )
    for name in _defining(files, files.names()[:MOST], assignment):  # named after another one
        return Unreadable(
            f"{files.place / name} defines exercises of {assignment}, but has another name. Name "
            f"it {assignment}{form(name)}."
        )
    if deep := too_deep(files.place):
        return Unreadable(why_too_deep(deep))
    return Unreadable(
        f"{files.place} holds no submission: expected {assignment}.py, or a notebook of that name."
    )
