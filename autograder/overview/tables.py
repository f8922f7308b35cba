"""Write where a class stands as tables for spreadsheets, and as JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import msgspec

from autograder.overview.standing import OUTCOMES, Standing
from autograder.report.writing import harmless

Row = Iterable[object]


def as_json(standing: Standing) -> str:
    """Return all that is known of a class as JSON; the names of its keys are those of Standing."""
    return msgspec.json.format(msgspec.json.encode(standing)).decode() + "\n"


def exercises(standing: Standing) -> str:
    """Return a row for each exercise: how many have which outcome, and the mean points."""
    header = ["exercise", *OUTCOMES, "mean", "max_points"]
    rows = (
        [one.name, *(one.counts[outcome] for outcome in OUTCOMES), one.mean, one.max_points]
        for one in standing.exercises
    )
    return _table(header, rows)


def mistakes(standing: Standing) -> str:
    """Return a row for each group of failures, with its students if they are named."""
    header = ["exercise", "group", "count", "mistake", "students"]
    rows = (
        [
            group.exercise,
            group.key,
            len(group.students),
            group.mistake,
            "\n".join(group.students) if standing.named else "",
        ]
        for group in standing.groups
    )
    return _table(header, rows)


def checks(standing: Standing) -> str:
    """Return a row for each check: how hard it is, and how well it tells strong from weak work."""
    header = ["exercise", "check", "title", "visible", "max_points", "passed"]
    rows = (
        [
            one.exercise,
            one.name,
            one.title,
            one.visible,
            one.max_points,
            one.passed,
            "" if one.discrimination is None else one.discrimination,
            one.remark,
        ]
        for one in standing.checks
    )
    return _table([*header, "discrimination", "remark"], rows)


def _table(header: Row, rows: Iterable[Row]) -> str:
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(header)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return made.getvalue()


def _cell(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.10g}"  # a negative number is no formula
    return harmless(str(cell))
