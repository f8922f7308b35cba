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
from autograder.submissions.names import CHECKPOINT, is_about, is_exactly, normalised
from autograder.submissions.origins import Origins
from autograder.submissions.own_modules import dotted
from autograder.submissions.person_files import MOST_FORMS, folder_of
from autograder.submissions.source_text import FORMS, code_lines, form, stem
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

MOST = 40  # files that are read to find out which of them hold work or import the others


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open a folder for one assignment, or the archive in it that counts. Raises Unreadable."""
    check_folder(folder)
    return unpacked(SubmissionFiles(folder, own=True), assignment)


def unpacked(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Return the files of one person, or those in the archive that counts. Raises Unreadable.

    An archive counts if it alone holds work, or if nothing does and it is named after the
    assignment, or nothing else can be meant. One that cannot be read may hold work.
    """
    packs = packed(files, assignment) or files.names(archives.is_archive)
    origins = Origins(files, assignment)
    if not packs or _is_settled(files, origins):
        return files
    found: dict[str, SubmissionFiles | Unreadable]
    found = dict.fromkeys(_working(files, origins)[:1], files)
    empty: dict[str, SubmissionFiles] = {}  # no more than one archive is kept of these
    for name in packs:
        inside = _opened(files.whereabouts(name), assignment)
        if isinstance(inside, Unreadable) or has_work(inside, assignment):
            if not any(_is_same(one, inside, assignment) for one in found.values()):
                found[name] = inside
        elif not empty:
            empty[name] = inside
        if len(found) > 1:
            raise _undecided(files.place, found, assignment)
    there = files.names(lambda one: may_be_handed_in(one) and not is_document(one))
    if not found and files.forms(assignment):
        return files
    if not found and (len(packs) > 1 or not (packed(files, assignment) or len(there) == 1)):
        raise _undecided(files.place, there, assignment)
    [chosen] = (found or empty).values()
    if isinstance(chosen, Unreadable):
        raise chosen
    return chosen


def _opened(path: Path, assignment: str) -> SubmissionFiles | Unreadable:
    """Return the files in an archive, see `opened_archive`, or why it cannot be read."""
    try:
        return opened_archive(path, assignment)
    except Unreadable as problem:
        return problem


def opened_archive(path: Path, assignment: str) -> SubmissionFiles:
    """Return the files in an archive, with those in archives within it, such as earlier work.

    What cannot be read within it is no part of it. Raises Unreadable.
    """
    files = SubmissionFiles.unpacked(path)
    try:
        deeper = SubmissionFiles.unpacked(path, within=True)
    except Unreadable:
        return files
    if not has_work(files, assignment):
        return deeper if has_work(deeper, assignment) else files
    counts, others = forms(files, assignment), forms(deeper, assignment)
    if counts != others:
        raise _undecided(path, {*counts, *others}, assignment)
    return deeper


def has_work(files: SubmissionFiles, assignment: str) -> bool:
    """Return whether a file defines or changes an exercise of an assignment."""
    origins = Origins(files, assignment)
    return _is_settled(files, origins) or bool(_working(files, origins))


def check_same(files: SubmissionFiles, others: SubmissionFiles, assignment: str) -> None:
    """Raise Undecided unless the work that counts among some files is that among others.

    Both hold work for the assignment.
    """
    if not _is_same(files, others, assignment):
        first, second = (one.whereabouts(forms(one, assignment)[0]) for one in (files, others))
        raise _both_hold_work(first, second, assignment)


def _is_same(
    files: SubmissionFiles | Unreadable, others: SubmissionFiles | Unreadable, assignment: str
) -> bool:
    """Return whether each file that counts among others is one of these; not if one is unreadable.

    Raises Undecided.
    """
    if isinstance(files, Unreadable) or isinstance(others, Unreadable):
        return False
    counts, more = forms(files, assignment), forms(others, assignment)
    if not all(map(files.is_readable, counts)) or not all(map(others.is_readable, more)):
        return False
    known = [code_lines(files.code(name)) for name in counts]
    return all(code_lines(others.code(name)) in known for name in more)


def _working(files: SubmissionFiles, origins: Origins) -> list[str]:
    """Return the files that hold work of their own, those of the assignment's name first.

    One of that name that cannot be read may hold it. Of files with the same code, only one counts.
    """
    found = [name for name in _may_hold(files, origins.assignment) if _holds(files, origins, name)]
    return files.edited_of(found, origins.assignment)


def _holds(files: SubmissionFiles, origins: Origins, name: str) -> bool:
    """Return whether a file holds work itself, or has the assignment's name and is unreadable."""
    own = name.rpartition("/")[2]
    is_named = is_exactly(own, origins.assignment) or is_about(own, origins.assignment)
    return bool(origins.own(name)) or (is_named and not files.is_readable(name))


def _is_settled(files: SubmissionFiles, origins: Origins) -> bool:
    """Return whether the files of exactly the assignment's name hold work, in the likeliest place.

    That is the top folder, or one of the assignment's name in it.
    """
    exact = files.exact(origins.assignment)
    if len(exact) > MOST_FORMS:  # which are not all read: they are refused
        return True
    if not any(_holds(files, origins, name) for name in exact):
        return False
    above, _, own = folder_of(exact[0]).rpartition("/")
    is_its = above == files.top and is_exactly(f"{own}.py", origins.assignment)
    return is_its or folder_of(exact[0]) == files.top


def _check_own_folder(files: SubmissionFiles, origins: Origins) -> None:
    """Raise Undecided if the folder of an assignment's name has another file that may count.

    It has exactly the assignment's name and other work than the files that count.
    """
    counts, assignment = files.exact(origins.assignment), origins.assignment
    folder = f"{files.top}/{assignment}".lstrip("/")
    there = [name for name in files.names() if folder_of(name) == folder and name not in counts]
    for name in (one for one in there if is_exactly(one.rpartition("/")[2], assignment)):
        is_other = _holds(files, origins, name) and not origins.cover(counts, [name])
        if is_other and name in files.edited_of([*counts, name], assignment):
            raise _both_hold_work(files.whereabouts(counts[0]), files.whereabouts(name), assignment)


def _lie_around(names: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether some of the others are among these files, and all lie in their folder."""
    return any(name in others for name in names) and all(
        one in names or one.startswith(f"{folder_of(names[0])}/") for one in others
    )


def _may_hold(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files that are read to find work, first those of exactly the assignment's name.

    Checkpoints, and files that are named after another assignment, are left out.
    """
    exact = files.exact(assignment)
    others = [name for name in files.names() if name not in exact and _may_count(name, assignment)]
    return [*exact, *sorted(others, key=lambda name: name.count("/"))][:MOST]


def packed(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the archives that are named after an assignment."""
    there = files.names(archives.is_archive)
    stems = {name: archives.stem(name.rpartition("/")[2]) for name in there}
    return [name for name in there if normalised(stems[name]) == assignment]


def forms(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts for an assignment, or its two forms. Raises Unreadable.

    It has exactly the assignment's name and holds work, with no other work in folders above or
    beside its own; or it alone holds work, or imports all that other files hold. A module and a
    notebook both count if both hold work.
    """
    origins, exact = Origins(files, assignment), files.exact(assignment)
    if _is_settled(files, origins):
        _check_own_folder(files, origins)
        return exact
    working = _working(files, origins)
    if not working:
        return files.forms(assignment) or candidates(files, assignment)
    if _lie_around(exact, working):
        return exact
    if covering := [name for name in exact if origins.cover([name], working)]:
        return covering
    if len(working) == 1:
        return working
    first = [
        one
        for one in working
        if not any(origins.cover([other], [one]) for other in working if other != one)
    ]
    first.sort(key=lambda name: FORMS.index(form(name)))
    if (len(first) == 1 or _are_forms(first)) and origins.cover(first, working):
        return first
    all_of = [name for name in _may_hold(files, assignment) if origins.cover([name], working)]
    if len(all_of) == 1:
        return all_of
    raise _undecided(files.place, first or working, assignment)


def candidates(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts although none holds work or has the name. Raises Unreadable.

    It is the only one that no other imports, or the only notebook. Files that define none of the
    exercises, such as tests of the one that does, count only if none does.
    """
    names = [name for name in files.names() if _may_count(name, assignment)]
    if len(names) > MOST:
        names = [name for name in names if form(name) == ".ipynb"] or names
    if len(names) > MOST:
        raise _undecided(files.place, names, assignment)
    defining = _defining(files, names, assignment)
    names = files.edited_of(defining or names, assignment) or defining or names
    names.sort(key=lambda name: FORMS.index(form(name)))
    imported = {own for name in names for own in imported_by(files, name)}
    names = [name for name in names if name not in imported] or names  # all may import each other
    notebooks = [name for name in names if form(name) == ".ipynb"]
    if len(names) == 1 or (defining and _are_forms(names)):
        return names
    if len(notebooks) == 1 and not defining:  # modules may belong to a notebook
        return notebooks
    raise _undecided(files.place, names, assignment) if names else _nothing(files, assignment)


def _are_forms(names: list[str]) -> bool:
    """Return whether these are one module and one notebook in one folder, in this order."""
    return tuple(map(form, names)) == FORMS and len(set(map(folder_of, names))) == 1


def _defining(files: SubmissionFiles, names: Iterable[str], assignment: str) -> list[str]:
    """Return those of the files that define an exercise of an assignment."""
    return [name for name in names if files.binds(name, exercises_of(assignment))]


def own_modules(files: SubmissionFiles, name: str) -> list[str]:
    """Return the own modules that a file may import; none if it cannot be read."""
    with contextlib.suppress(Unreadable):
        return files.own_modules(name)
    return []


def imported_by(files: SubmissionFiles, name: str) -> list[str]:
    """Return the own modules that a file imports by a line of code, and those that these import."""
    own, found, to_search = own_modules(files, name), [], [name]
    while own and to_search:
        with contextlib.suppress(Unreadable):  # then it is not known what it imports
            words = imports(files.code(to_search.pop()))
            new = [one for one in own if dotted(one).rpartition(".")[2] in words]
            to_search += [one for one in new if one not in found]
            found += [one for one in new if one not in found]
    return found


def _may_count(name: str, assignment: str) -> bool:
    """Return whether a file is no checkpoint and not named after another assignment."""
    own = name.rpartition("/")[2]
    is_anothers = any(is_exactly(own, other) for other in assignments() if other != assignment)
    return not is_anothers and not stem(name).endswith(CHECKPOINT)


class Undecided(Unreadable):
    """Several files may be meant."""


class NothingThere(Unreadable):
    """There is no module, notebook or archive that could be meant."""


def _undecided(place: Path, names: Iterable[str], assignment: str) -> Undecided:
    listed = sorted(names)
    shown = ", ".join(listed[:3])
    if any(is_exactly(name.rpartition("/")[2], assignment) for name in listed):
        return Undecided(
            f"{place} holds several files of {assignment} ({shown}). Keep the one that counts."
        )
    return Undecided(
        f"{place} holds several files ({shown}). Name the one that counts {assignment}.py, or "
        f"{assignment}.ipynb if it is a notebook."
    )


def _both_hold_work(first: Path, second: Path, assignment: str) -> Undecided:
    return Undecided(
        f"{first} and {second} both hold work for {assignment}. Keep the one that counts."
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
    return NothingThere(
        f"{files.place} holds no submission: expected {assignment}.py, or a notebook of that name."
    )
