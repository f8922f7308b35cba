"""Run only what the exercises need of a notebook that takes too long."""

from __future__ import annotations

import contextlib
from typing import Any

from autograder.child.clock import Clock
from autograder.runtime.needed import only_needed
from autograder.runtime.problems import TimeUp

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def shorten(clock: Clock, job: dict[str, Any]) -> list[str]:
    """Leave out of a job's notebook what the names in job["needed"] do not need.

    Returns the names that are not made then. A module stays as it is, and so does a notebook that
    cannot be analysed in time.
    """
    cells = job["texts"].get(job["stem"], "")
    if isinstance(cells, str):
        return []
    clock.install()
    with contextlib.suppress(TimeUp, *UNREADABLE), clock.limit(job["seconds"]):
        texts, left_out = only_needed([text for _, text in cells], job["needed"])
        job["texts"][job["stem"]] = [
            [label, text] for (label, _), text in zip(cells, texts, strict=True)
        ]
        return sorted(left_out)
    return []
