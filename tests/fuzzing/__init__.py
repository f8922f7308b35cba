"""Fuzzing: whatever strangers send or hand in is read or refused, at once and for them alone.

`make fuzz` tries all kinds and says how far the cases came and what became of them; the tests try
some of each. Each module here has one kind of input: how it is made, and what is promised of it.
"""

from __future__ import annotations

from functools import partial

from fuzzing import consultations, downloads, layouts, pages, people, replies, times
from fuzzing.case import Target, Tried, fuzz

__all__ = ["TARGETS", "Target", "Tried", "fuzz"]

TARGETS: dict[str, tuple[Target, int]] = {  # and how many cases of it there are
    "bytes": (replies.reading_bytes, 30_000),
    "messages": (replies.reading_messages, 20_000),
    "answers": (replies.reading_answers, 20_000),
    "traces": (replies.tracing_answers, 20_000),
    "consultations": (consultations.consulting, 10_000),
    "exercises, all checks": (partial(replies.examining, explained=False), 3_000),
    "exercises, explained": (partial(replies.examining, explained=True), 500),
    "times of handing in": (times.handing_in, 10_000),
    "downloads": (downloads.downloading, 10_000),
    "folders to grade": (layouts.grading, 10_000),
    "ids of students": (people.naming, 10_000),
    "pages": (pages.showing, 10_000),
}
