"""Find the row of each student in a table, without guessing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autograder.errors import UsageError
from autograder.gradebooks.table import Row, Table
from autograder.report.writing import listed
from autograder.submissions.ids import key

# By column: the names by which each row's student may be called.
Names = Mapping[str, Sequence[Sequence[str]]]

NO_COLUMN = "{} has no column {}. It has {}."
SAME = "{} and {} are one student in {}, line {}. Keep one of them, and grade again."
SAME_ID = "{} and {} are spelled alike, so nobody can tell whose row is whose. Rename one of them."
TWICE = "{} stands in several lines of {}: {}, in the column {}. Correct that, and repeat the call."
UNCLEAR = (
    "{} is found in different lines of {} by the columns {} and {}. Say which of them has the ids "
    "of your class: --id-column NAME."
)
SAME_BY_TWO = (
    "{} and {} are one student in {}, line {}, by the columns {} and {}. Keep one of them, or say "
    "which column has the ids of your class: --id-column NAME."
)
NOBODY = (
    "No student of the class is in {}. Its columns {} were compared with the ids of the class, "
    "such as {}. Name the students' files or folders after one of these columns."
)


class Found(NamedTuple):
    """The rows of students, by the column that has their ids. others: columns that have some."""

    rows: dict[str, Row]
    column: str
    others: list[str]


def found(students: Sequence[str], table: Table, names: Names, column: str | None) -> Found:
    """Return the row of each student who has one, by the one column that has the class's ids.

    column: that column, if the user has named it. Without it, the column is taken by which most
    students are found, unless another one says otherwise. Raises UsageError.
    """
    by_key = dict[str, str]()
    for student in students:
        if (other := by_key.setdefault(key(student), student)) != student:
            raise UsageError(SAME_ID.format(*map(_shown, (other, student))))
    if column is not None and column not in names:
        raise UsageError(NO_COLUMN.format(table.path, column, listed([*names])))
    wanted = [column] if column is not None else [*names]
    by_column = {name: _numbers(students, names[name]) for name in wanted}
    best = max(wanted, key=lambda name: len(by_column[name]))
    if not by_column[best]:
        raise UsageError(NOBODY.format(table.path, listed(wanted), _shown(students[0])))
    for name in wanted:
        _compare(by_column[best], by_column[name], table, best, name)
    others = [name for name in wanted if name != best and by_column[name]]
    return Found(_single(by_column[best], table, best), best, others)


def _numbers(students: Sequence[str], names: Sequence[Sequence[str]]) -> dict[str, set[int]]:
    """Return the numbers of the rows of each student who has any."""
    numbers = defaultdict[str, set[int]](set)
    for number, of_row in enumerate(names):
        for name in of_row:
            if name.strip():
                numbers[key(name.strip())].add(number)
    return {student: numbers[key(student)] for student in students if key(student) in numbers}


def _compare(
    best: Mapping[str, set[int]], other: Mapping[str, set[int]], table: Table, *columns: str
) -> None:
    """Raise UsageError if two columns find different rows, as many students but others, or one row.

    The latter for two students, of whom one would have no grade.
    """
    unclear = [name for name, numbers in other.items() if numbers != best.get(name, numbers)]
    if len(other) == len(best):
        unclear += [name for name in other if name not in best]
    if unclear:
        raise UsageError(UNCLEAR.format(_shown(unclear[0]), table.path, *columns))
    owners = {number: name for name, numbers in best.items() for number in numbers}
    for name, numbers in other.items():
        for number in owners.keys() & numbers if name not in best else ():
            both = (_shown(owners[number]), _shown(name))
            line = table.line(table.rows[number])
            raise UsageError(SAME_BY_TWO.format(*both, table.path, line, *columns))


def _single(found: Mapping[str, set[int]], table: Table, column: str) -> dict[str, Row]:
    """Return the row of each student. Raises UsageError if one has several, or shares one."""
    owners = dict[int, str]()
    for student, numbers in found.items():
        if len(numbers) > 1:
            lines = listed([str(table.line(table.rows[number])) for number in sorted(numbers)])
            raise UsageError(TWICE.format(_shown(student), table.path, lines, column))
        (number,) = numbers
        if (other := owners.setdefault(number, student)) != student:
            line = table.line(table.rows[number])
            raise UsageError(SAME.format(_shown(other), _shown(student), table.path, line))
    return {student: table.rows[number] for number, student in owners.items()}


def _shown(name: str) -> str:
    return listed([name])
