"""Choose which of a student's files counts, in a folder for one assignment."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, holding
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import check_folder, may_be_handed_in
from autograder.submissions.imports import imports
from autograder.submissions.kinds import is_document
from autograder.submissions.names import is_exactly
from autograder.submissions.origins import Origins
from autograder.submissions.own_modules import dotted
from autograder.submissions.packs import Packs
from autograder.submissions.person_files import folder_of
from autograder.submissions.source_text import FORMS, form
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.undecided import both_hold_work, nothing, several
from autograder.submissions.work import exercises_of

Opening = Callable[[str], SubmissionFiles | Unreadable]  # of an archive, by its name


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open a folder for one assignment, or the archive in it that counts. Raises Unreadable."""
    check_folder(folder)
    return unpacked(SubmissionFiles(folder, own=True), assignment)


def unpacked(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Return the files of one person, or those in the archive that counts. Raises Unreadable.

    An archive counts if it alone holds work, see `_with_work`, or if nothing does and it is named
    after the assignment, or nothing else can be meant.
    """
    packs = files.names(archives.is_archive)
    is_alone = len(packs) == 1 and not files.names()

    def opening(name: str) -> SubmissionFiles | Unreadable:
        return _opened(files.whereabouts(name), assignment, is_alone)

    found = _with_work(files, packs, opening, assignment)
    return found or _without_work(files, packs, opening, assignment)


def _with_work(
    files: SubmissionFiles, packs: Sequence[str], opening: Opening, assignment: str
) -> SubmissionFiles | None:
    """Return the files of one person if they hold work, or those in an archive that does, or None.

    An archive that cannot be read may hold work. None is opened if a file counts wherever other
    work lies, see `holding.settled`, nor one in the folder of a file that counts with other work in
    it, see `_around`; those that are meant for the assignment, see `packed`, are opened alone;
    those that are named after another one, only if nothing else holds work. packs: the archives
    beside the files. opening: opens one of them. Raises Unreadable.
    """
    origins = Origins(files, assignment)
    if not packs or holding.settled(files, origins):
        return files
    if around := _around(files, origins, holding.working(files, origins)):
        own = f"{folder_of(around[0])}/"
        packs = [name for name in packs if not name.startswith(own)]
        if not packs:
            return files
    named = _meant(files, packs, assignment)
    others = [name for name in packs if _is_of_another(name, assignment)]
    wanted = [named] if named else [[name for name in packs if name not in others], others]
    for count, names in enumerate(wanted, 1):
        if sum(map(len, wanted[:count])) > archives.MAX_INNER:
            raise Unreadable(archives.TOO_MANY.format(files.place))
        if found := _holding(files, packs, names, opening, assignment):
            return _readable(*found.values())
    return None


def _without_work(
    files: SubmissionFiles, packs: Sequence[str], opening: Opening, assignment: str
) -> SubmissionFiles:
    """Return the files of one person, or those in an archive, where nothing holds work.

    packs, opening: see `_with_work`. Raises Unreadable.
    """
    named = _meant(files, packs, assignment)
    is_none_meant = len(packs) > 1 and all(_is_of_another(one, assignment) for one in packs)
    if files.forms(assignment) or (is_none_meant and not named):
        return files
    others = files.names(lambda one: may_be_handed_in(one) and not is_document(one))
    there = {*others, *packs}
    if len(named or packs) > 1 or not (named or len(there) == 1):
        raise several(files, there, assignment)
    return _readable(opening([*named, *packs][0]))


def _readable(files: SubmissionFiles | Unreadable) -> SubmissionFiles:
    """Return the files in an archive, or raise why it cannot be read."""
    if isinstance(files, Unreadable):
        raise files
    return files


def _holding(
    files: SubmissionFiles,
    packs: Sequence[str],
    wanted: Sequence[str],
    opening: Opening,
    assignment: str,
) -> dict[str, SubmissionFiles | Unreadable]:
    """Return what holds work, by its name: one file and all others, or one archive; or nothing.

    packs, opening: see `_with_work`. wanted: those of them that are opened; one that cannot be read
    may hold work, unless only another assignment has its name or that of its folder. What has no
    other work than something else does not count beside it. Raises Undecided if several hold
    different work.
    """
    found: dict[str, SubmissionFiles | Unreadable]
    found = dict.fromkeys(holding.working(files, Origins(files, assignment))[:1], files)
    for name in wanted:
        inside = opening(name)
        if isinstance(inside, Unreadable):
            is_anothers = _is_meant_for_another(files, packs, name, assignment)
            may_count = _is_named(name, assignment) or not is_anothers
        else:
            may_count = has_work(inside, assignment)
        if may_count and not any(_has_all(one, inside, assignment) for one in found.values()):
            more = {
                known: one for known, one in found.items() if not _has_all(inside, one, assignment)
            }
            found = {**more, name: inside}
        if len(found) > 1:
            raise several(files, found, assignment)
    return found


def _opened(path: Path, assignment: str, is_alone: bool) -> SubmissionFiles | Unreadable:
    """Return the files in an archive, see `opened_archive`, or why it cannot be read."""
    try:
        return opened_archive(path, assignment, is_alone)
    except Unreadable as problem:
        return problem


def opened_archive(path: Path, assignment: str, is_alone: bool = True) -> SubmissionFiles:
    """Return the files in an archive, with those in archives within it, such as earlier work.

    What counts is decided as in a folder, see `unpacked`. Other archives within it are left out if
    they are meant for this assignment alone, or may hold work for it. is_alone: False if other
    things were handed in too; then what cannot be read within it is no part of it. Raises
    Unreadable.
    """
    packs = Packs(path, lambda name: _order(name, assignment))
    files, inside = packs.outside, packs.inside
    if not inside:
        return files
    there = [name for name, one in inside.items() if is_alone or not isinstance(one, Unreadable)]
    counts = _with_work(files, there, inside.__getitem__, assignment)
    if not counts:
        open_one = inside.__getitem__
        counts = _without_work(files, there, open_one, assignment) if is_alone else files
    meant = _meant(files, [*inside], assignment)
    alone = [one for one in meant if not _is_meant_for_another(files, [*inside], one, assignment)]
    others = [
        name
        for name, one in inside.items()
        if one is not counts and (name in alone or _may_have_work(one, assignment))
    ]
    return packs.without(others, counts.top)


def _may_have_work(files: SubmissionFiles | Unreadable, assignment: str) -> bool:
    """Return whether the files in an archive hold work for an assignment, or nobody can tell."""
    try:
        return isinstance(files, Unreadable) or has_work(files, assignment)
    except Unreadable:
        return True


def has_work(files: SubmissionFiles, assignment: str) -> bool:
    """Return whether a file defines or changes an exercise of an assignment. Raises Unreadable."""
    origins = Origins(files, assignment)
    return bool(holding.settled(files, origins) or holding.working(files, origins))


def _has_all(
    files: SubmissionFiles | Unreadable, others: SubmissionFiles | Unreadable, assignment: str
) -> bool:
    """Return whether the work that counts among others is among that of these files.

    Not if a file is unreadable. Raises Undecided.
    """
    if isinstance(files, Unreadable) or isinstance(others, Unreadable):
        return False
    counts, more = (one.edited_of(forms(one, assignment), assignment) for one in (files, others))
    if not all(map(files.is_readable, counts)) or not all(map(others.is_readable, more)):
        return False
    known = [files.text(name) for name in counts]
    return all(others.text(name) in known for name in more)


def _check_own_folder(files: SubmissionFiles, origins: Origins, counts: list[str]) -> None:
    """Raise Undecided if the folder of an assignment's name has another file that may count.

    It has exactly the assignment's name and other work than the files that count, its own or what
    it imports, or cannot be read.
    """
    assignment = origins.assignment
    there = [name for names in holding.likeliest(files, assignment) for name in names]
    for name in (one for one in there if one not in counts):
        is_read = files.is_readable(name)
        if not is_read or (origins.of(name) and not origins.cover(counts, [name])):
            is_sure = is_read and files.is_readable(counts[0])
            both = files.whereabouts(counts[0]), files.whereabouts(name)
            raise both_hold_work(*both, assignment, is_sure)


def _around(files: SubmissionFiles, origins: Origins, working: Sequence[str]) -> list[str]:
    """Return the files of exactly the assignment's name in the folder that holds all work."""
    for folder, names in files.named(origins.assignment).items():
        is_around = all(one.startswith(f"{folder}/".lstrip("/")) for one in working)
        if is_around and any(holding.holds(files, origins, name) for name in names):
            return names
    return []


def packed(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the archives that are named after an assignment, or lie in a folder named so."""
    return _meant(files, files.names(archives.is_archive), assignment)


def _meant(files: SubmissionFiles, packs: Sequence[str], assignment: str) -> list[str]:
    """Return those of the archives beside files that are meant for an assignment, see `packed`."""

    def is_in_own(name: str) -> bool:
        return holding.is_own_folder(folder_of(name), assignment, files.top)

    return [name for name in packs if _is_named(name, assignment) or is_in_own(name)]


def _is_named(archive: str, assignment: str) -> bool:
    """Return whether an archive is named after an assignment."""
    return is_exactly(f"{archives.stem(archive.rpartition('/')[2])}.py", assignment)


def _order(archive: str, assignment: str) -> int:
    """Return when an archive is read: what may be meant for the assignment first, see `packed`."""
    folder = folder_of(archive)
    is_in_own = holding.is_own_folder(folder, assignment, folder_of(folder))
    may_be_meant = _is_named(archive, assignment) or is_in_own
    return 0 if may_be_meant else 2 if _is_of_another(archive, assignment) else 1


def _is_of_another(archive: str, assignment: str) -> bool:
    """Return whether an archive is named after another assignment."""
    return any(_is_named(archive, one) for one in assignments() if one != assignment)


def _is_meant_for_another(
    files: SubmissionFiles, packs: Sequence[str], archive: str, assignment: str
) -> bool:
    """Return whether an archive beside files is meant for another assignment, see `packed`."""
    others = (one for one in assignments() if one != assignment)
    return any(archive in _meant(files, packs, one) for one in others)


def forms(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts for an assignment, or its two forms. Raises Unreadable.

    It has exactly the assignment's name and holds work, with no other work in folders above or
    beside its own; or it alone holds work, or imports all that other files hold. A module and a
    notebook both count if both hold work.
    """
    origins = Origins(files, assignment)
    if settled := holding.settled(files, origins):
        _check_own_folder(files, origins, settled)
        return settled
    working = holding.working(files, origins)
    if not working:
        return files.forms(assignment) or candidates(files, assignment)
    if around := _around(files, origins, working):
        return around
    for names in files.named(assignment).values():
        if covering := [name for name in names if origins.cover([name], working)]:
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
    all_of = [
        name for name in holding.may_hold(files, assignment) if origins.cover([name], working)
    ]
    if len(all_of) == 1:
        return all_of
    raise several(files, first or working, assignment)


def candidates(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts although none holds work or has the name. Raises Unreadable.

    It is the only one that no other imports, or the only notebook. Files that define none of the
    exercises, such as tests of the one that does, count only if none does.
    """
    names = [name for name in files.names() if holding.may_count(name, assignment)]
    defining = [name for name in names if files.binds(name, exercises_of(assignment))]
    names = files.edited_of(defining or names, assignment) or defining or names
    names.sort(key=lambda name: FORMS.index(form(name)))
    imported = {own for name in names for own in imported_by(files, name)}
    names = [name for name in names if name not in imported] or names  # all may import each other
    notebooks = [name for name in names if form(name) == ".ipynb"]
    if len(names) == 1 or (defining and _are_forms(names)):
        return names
    if len(notebooks) == 1 and not defining:  # modules may belong to a notebook
        return notebooks
    raise several(files, names, assignment) if names else nothing(files, assignment)


def _are_forms(names: list[str]) -> bool:
    """Return whether these are one module and one notebook in one folder, in this order."""
    return tuple(map(form, names)) == FORMS and len(set(map(folder_of, names))) == 1


def own_modules(files: SubmissionFiles, name: str) -> list[str]:
    """Return the own modules that a file may import; none if it cannot be read."""
    with contextlib.suppress(Unreadable):
        return files.own_modules(name)
    return []


def imported_by(files: SubmissionFiles, name: str) -> list[str]:
    """Return the own modules that a file imports by a line of code, and those that these import."""
    left: dict[str, list[str]] = {}  # own modules that are not found yet, by their names
    for one in own_modules(files, name):
        left.setdefault(dotted(one).rpartition(".")[2], []).append(one)
    found: list[str] = []
    to_search = [name]
    while left and to_search:
        with contextlib.suppress(Unreadable):  # then it is not known what it imports
            words = imports(files.code(to_search.pop()))
            new = [one for word in [*left] if word in words for one in left.pop(word)]
            to_search += new
            found += new
    return found
