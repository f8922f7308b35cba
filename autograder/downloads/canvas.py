"""Tell whose each file in a download from Canvas is, where its name can be read in two ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.submissions.names import WebsiteName, of_canvas, of_classmate


@dataclass(frozen=True)
class Reading:
    """One way to read the name of a file in a download from Canvas: who handed it in.

    is_classmates: True if it is read as that of a student whose name ends with a number. is_sure:
    False if the other reading may be meant.
    """

    said: WebsiteName
    is_classmates: bool = False
    is_sure: bool = True


def readings(names: Iterable[str]) -> dict[str, Reading]:
    """Return what the names of files from Canvas say; others are left out.

    A student's number has one name in a download, which names with one reading tell, and no two
    files of one name: a name that breaks either is read as a classmate's. Only the first is sure,
    since of two files of one name, nobody can tell which one is the student's.
    """
    first = {name: said for name in names if (said := of_canvas(name))}
    second = {name: said for name in first if (said := of_classmate(name))}
    called: dict[str, set[str]] = {}
    for name in first.keys() - second.keys():
        called.setdefault(first[name].number, set()).add(first[name].student)
    others = {
        name
        for name in second
        if (known := called.get(first[name].number)) and first[name].student not in known
    }
    files = Counter((first[name].number, first[name].own) for name in first.keys() - others)
    found = {name: Reading(said, is_sure=name not in second) for name, said in first.items()}
    for name, said in second.items():
        if name in others:
            found[name] = Reading(said, is_classmates=True)
        elif files[first[name].number, first[name].own] > 1:
            found[name] = Reading(said, is_classmates=True, is_sure=False)
    return found
