"""Choose which of a student's files counts, in a folder for one assignment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import check_folder, may_be_handed_in
from autograder.submissions.imports import imports
from autograder.submissions.kinds import is_document
from autograder.submissions.names import CHECKPOINT, is_about, is_exactly, normalised
from autograder.submissions.origins import Origins
from autograder.submissions.own_modules import dotted
from autograder.submissions.packs import Packs
from autograder.submissions.person_files import MOST_FORMS, folder_of
from autograder.submissions.source_text import FORMS, code_lines, form, stem
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.undecided import MOST, both_hold_work, nothing, several, too_many
from autograder.submissions.work import exercises_of


def opened(folder: Path, assignment: str) -> SubmissionFiles:
    """Open a folder for one assignment, or the archive in it that counts. Raises Unreadable."""
    check_folder(folder)
    return unpacked(SubmissionFiles(folder, own=True), assignment)


def unpacked(files: SubmissionFiles, assignment: str) -> SubmissionFiles:
    """Return the files of one person, or those in the archive that counts. Raises Unreadable.

    An archive counts if it alone holds work, or if nothing does and it is named after the
    assignment, or nothing else can be meant. One that cannot be read may hold work. None is opened
    if a file counts wherever other work lies, see `_settled`; those that are meant for the
    assignment, see `packed`, are opened alone.
    """
    packs = packed(files, assignment) or files.names(archives.is_archive)
    if not packs or _settled(files, Origins(files, assignment)):
        return files
    each = ((name, _opened(files.whereabouts(name), assignment)) for name in packs)
    found = _holding(files, each, assignment)
    there = files.names(lambda one: may_be_handed_in(one) and not is_document(one))
    if not found and files.forms(assignment):
        return files
    if not found and (len(packs) > 1 or not (packed(files, assignment) or len(there) == 1)):
        raise several(files, there, assignment)
    [chosen] = found.values() or [_opened(files.whereabouts(packs[0]), assignment)]
    if isinstance(chosen, Unreadable):
        raise chosen
    return chosen


def _holding(
    files: SubmissionFiles,
    packs: Iterable[tuple[str, SubmissionFiles | Unreadable]],
    assignment: str,
) -> dict[str, SubmissionFiles | Unreadable]:
    """Return what holds work, by its name: one file and all others, or one archive; or nothing.

    packs: the archives beside the files, one after the other; one that cannot be read may hold it,
    unless it is meant for another assignment. Raises Undecided if several hold different work.
    """
    found: dict[str, SubmissionFiles | Unreadable]
    found = dict.fromkeys(_working(files, Origins(files, assignment))[:1], files)
    for name, inside in packs:
        if isinstance(inside, Unreadable):
            may_count = not _is_anothers(files, name, assignment)
        else:
            may_count = has_work(inside, assignment)
        if may_count and not any(_is_same(one, inside, assignment) for one in found.values()):
            found[name] = inside
        if len(found) > 1:
            raise several(files, found, assignment)
    return found


def _opened(path: Path, assignment: str) -> SubmissionFiles | Unreadable:
    """Return the files in an archive, see `opened_archive`, or why it cannot be read."""
    try:
        return opened_archive(path, assignment)
    except Unreadable as problem:
        return problem


def opened_archive(path: Path, assignment: str) -> SubmissionFiles:
    """Return the files in an archive, with those in archives within it, such as earlier work.

    What counts is decided as in a folder, see `unpacked`, and archives with other work for the
    assignment are left out. What cannot be read within it is no part of it. Raises Unreadable.
    """
    files = SubmissionFiles.unpacked(path)
    try:
        packs = Packs(path)
    except Unreadable:
        return files
    counts = _with_work(packs, assignment) if packs.inside else None
    if counts is None:
        return files
    others = [name for name, one in packs.inside.items() if one is not counts]
    others = [name for name in others if _may_count_too(packs, name, assignment)]
    return packs.without(others, counts.top)


def _with_work(packs: Packs, assignment: str) -> SubmissionFiles | None:
    """Return the files in an archive that hold work, or those in one within it, or None."""
    outside, inside = packs.outside, packs.inside
    if _settled(outside, Origins(outside, assignment)):
        return outside
    named = [name for name in inside if _is_named(name, assignment, outside.top)]
    found = _holding(outside, ((name, inside[name]) for name in named or inside), assignment)
    return next((one for one in found.values() if isinstance(one, SubmissionFiles)), None)


def _may_count_too(packs: Packs, name: str, assignment: str) -> bool:
    """Return whether an archive is meant for an assignment alone, or work for it may be in it."""
    try:
        is_named = _is_named(name, assignment, packs.outside.top)
        is_meant = is_named and not _is_anothers(packs.outside, name, assignment)
        return is_meant or has_work(packs.inside[name], assignment)
    except Unreadable:
        return True


def has_work(files: SubmissionFiles, assignment: str) -> bool:
    """Return whether a file defines or changes an exercise of an assignment. Raises Unreadable."""
    origins = Origins(files, assignment)
    return bool(_settled(files, origins) or _working(files, origins))


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


def _settled(files: SubmissionFiles, origins: Origins) -> list[str]:
    """Return the files of exactly the assignment's name that count wherever other work lies.

    They hold work and lie at the top, or else in a folder of the assignment's name there.
    """
    for names in _likeliest(files, origins.assignment):
        if len(names) > MOST_FORMS:  # which are not all read: they are refused
            return names
        if any(_holds(files, origins, name) for name in names):
            return names
    return []


def _likeliest(files: SubmissionFiles, assignment: str) -> list[list[str]]:
    """Return the files of exactly the assignment's name at the top, and those in its folder."""
    named, top = files.named(assignment), files.top
    own = [there for folder, there in named.items() if _is_own_folder(folder, assignment, top)]
    return [named.get(top, []), *own]


def _check_own_folder(files: SubmissionFiles, origins: Origins, counts: list[str]) -> None:
    """Raise Undecided if the folder of an assignment's name has another file that may count.

    It has exactly the assignment's name and other work than the files that count.
    """
    assignment = origins.assignment
    there = [name for names in _likeliest(files, assignment) for name in names]
    for name in (one for one in there if one not in counts):
        is_other = _holds(files, origins, name) and not origins.cover(counts, [name])
        if is_other and name in files.edited_of([*counts, name], assignment):
            raise both_hold_work(files.whereabouts(counts[0]), files.whereabouts(name), assignment)


def _around(files: SubmissionFiles, working: Sequence[str], assignment: str) -> list[str]:
    """Return the files of exactly the assignment's name in the folder that holds all work."""
    for folder, names in files.named(assignment).items():
        if any(name in working for name in names) and all(
            one.startswith(f"{folder}/".lstrip("/")) for one in working
        ):
            return names
    return []


def _may_hold(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files that are read to find work, first those of exactly the assignment's name.

    Checkpoints, and files that are named after another assignment, are left out. Raises Unreadable
    if there are too many.
    """
    exact = [name for names in files.named(assignment).values() for name in names]
    others = [name for name in files.names() if name not in exact and _may_count(name, assignment)]
    if len(exact) + len(others) > MOST:
        raise too_many(files)
    return [*exact, *sorted(others, key=lambda name: name.count("/"))]


def packed(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the archives that are named after an assignment, or lie in a folder named so."""
    there = files.names(archives.is_archive)
    return [name for name in there if _is_named(name, assignment, files.top)]


def _is_anothers(files: SubmissionFiles, archive: str, assignment: str) -> bool:
    """Return whether an archive is meant for another assignment, see `packed`."""
    others = (one for one in assignments() if one != assignment)
    return any(_is_named(archive, one, files.top) for one in others)


def _is_named(archive: str, assignment: str, top: str) -> bool:
    """Return whether an archive is named after an assignment, or its folder is, see `packed`."""
    own = archives.stem(archive.rpartition("/")[2])
    is_its_name = normalised(own) == assignment
    return is_its_name or _is_own_folder(folder_of(archive), assignment, top)


def _is_own_folder(folder: str, assignment: str, top: str) -> bool:
    """Return whether a folder at the top is named after an assignment."""
    above, _, own = folder.rpartition("/")
    return above == top and is_exactly(f"{own}.py", assignment)


def forms(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts for an assignment, or its two forms. Raises Unreadable.

    It has exactly the assignment's name and holds work, with no other work in folders above or
    beside its own; or it alone holds work, or imports all that other files hold. A module and a
    notebook both count if both hold work.
    """
    origins = Origins(files, assignment)
    if settled := _settled(files, origins):
        _check_own_folder(files, origins, settled)
        return settled
    working = _working(files, origins)
    if not working:
        return files.forms(assignment) or candidates(files, assignment)
    if around := _around(files, working, assignment):
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
    all_of = [name for name in _may_hold(files, assignment) if origins.cover([name], working)]
    if len(all_of) == 1:
        return all_of
    raise several(files, first or working, assignment)


def candidates(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the file that counts although none holds work or has the name. Raises Unreadable.

    It is the only one that no other imports, or the only notebook. Files that define none of the
    exercises, such as tests of the one that does, count only if none does.
    """
    names = [name for name in files.names() if _may_count(name, assignment)]
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
