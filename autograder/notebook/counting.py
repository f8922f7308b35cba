"""Which runs of cells count, in the order in which they were run, and which of them is told about.

Of a cell that was run again, earlier runs count too, but for definitions that nothing has used
before they were made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autograder.course import exercises
from autograder.notebook.cell_names import (
    ANY,
    affected_by,
    bound_in,
    has_hook,
    made_anew_in,
    mentioned,
    only_definitions,
    reached,
    read_in,
    surely_bound_in,
    used_through,
)
from autograder.notebook.stopped import body
from autograder.report.feedback import Stopped
from autograder.runtime.needed import IMPORTS, only_needed
from autograder.runtime.statements import DEFINITIONS
from autograder.submissions.magics import of_cell
from autograder.submissions.source_text import MAX_SOURCE

LIMIT = 10.0  # seconds that a statement may take when the cells are run again, see Limits
MOST_SECONDS = 5.0  # from which on only what the exercises need of the cells is run again
SLOW = 0.3  # seconds
LEFT_OUT = (
    "{} is left out here, since there is too much code for a verdict, and its cell was run again "
    "later: put what makes {} into a cell of its own, and run that cell."
)
WAITED = 3.0  # seconds for a verdict, from which on the cell that takes longest is told
WAITS = (
    "This took {:.0f} s, since it runs {} again, which took {:.0f} s there. Put what takes long in "
    'that cell, and defines nothing, below if __name__ == "__main__": then no verdict waits for it.'
)
STOPPED = (
    " A statement is stopped after {:.0f} s, and what it would make is missing: if an exercise "
    "uses that, write its result into the cell instead."
)
DOUBT = "What {} has done in your kernel is not fully known here, since {}: run it again."
EARLIER = "it was run before the kit's first cell"
INTERRUPTED = "it was interrupted in a loop or in a function"


@dataclass
class Run:
    """A cell that was run: which one, its number in the notebook, its text, and what of it ran.

    The texts are without indent and prompts, as IPython reads them. typed: the whole cell. text:
    what of it is graded. ran: what of it ran without an error. began: when, in seconds. left: what
    did not run to its end, since it stopped at a line with an error. doubt: what may have run in
    part, for a reason.
    """

    cell: object
    number: int
    typed: str
    text: str
    ran: str
    began: float
    seconds: float = 0.0
    left: str = ""
    line: int = 0
    error: str = ""
    doubt: str = ""
    reason: str = ""

    @property
    def label(self) -> str:
        return f"In [{self.number}]"


class Counted(NamedTuple):
    """The runs that count, each with the text that does, and those that are left out.

    The runs are numbered from 0, in their order.
    """

    texts: dict[int, str]
    left_out: set[int]


def counted(runs: Sequence[Run]) -> Counted:
    """Return which of the runs count.

    What an error or an interrupt kept from running is no part of any. The last run of each cell has
    the statement with the error, so that it is told. Of more code than a notebook may have, the
    oldest runs of cells that were run again are left out.
    """
    are_slow = sum(run.seconds for run in runs) > MOST_SECONDS
    has_hooks = any(has_hook(run.ran) for run in runs)
    found: list[tuple[bool, int, str]] = []
    later: dict[object, int] = {}  # by cell, the first of its runs behind those that remain
    for i, run in reversed([*enumerate(runs)]):
        again = run.cell in later
        if not again or _matters(runs, i, later[run.cell], has_hooks, are_slow):
            found.insert(0, (again, i, run.ran if again else run.text))
        later[run.cell] = i
    size = sum(len(text) for _, _, text in found)
    result = Counted({}, set())
    for was_run_again, i, text in found:
        if was_run_again and size > MAX_SOURCE:
            result.left_out.add(i)
            size -= len(text)
        else:
            result.texts[i] = text
    return result


def left_out(runs: Sequence[Run], exercise: str) -> str:
    """Return a sentence about the last run that is left out and made what an exercise uses, or "".

    Silent if later runs have made it anew.
    """
    texts = _texts(runs)
    found, needed = counted(runs), reached(texts, {exercise})
    for i in sorted(found.left_out, reverse=True):
        anew = made_anew_in(text for j, text in found.texts.items() if j > i)
        if lost := affected_by(runs[i].ran, texts) & needed - anew:
            name = exercise if exercise in lost else min(lost)
            return LEFT_OUT.format(runs[i].label, name)
    return ""


def is_slow(runs: Sequence[Run]) -> bool:
    """Return whether the runs that count took so long that only what is needed is run again."""
    return sum(runs[i].seconds for i in counted(runs).texts) > MOST_SECONDS


def waits(runs: Sequence[Run], waited: float) -> str:
    """Return a sentence about the cell that has made a verdict take long, or "".

    waited: the seconds that the verdict took. What is below `__main__` is not run again, nor
    is what no exercise needs where the cells are slow.
    """
    if waited < WAITED:
        return ""
    texts = {i: of_cell(text) for i, text in counted(runs).texts.items() if "__main__" not in text}
    if is_slow(runs):
        needed, _ = only_needed([*texts.values()], exercises())
        pairs = zip(texts.items(), needed, strict=True)
        texts = {i: text for (i, text), kept in pairs if text == kept}  # else that part may be slow
    counting = [runs[i] for i, text in texts.items() if _works(text)]
    slowest = max(counting, key=lambda run: run.seconds, default=None)
    if slowest is None or slowest.seconds < waited / 2:
        return ""
    said = WAITS.format(waited, slowest.label, slowest.seconds)
    return said + STOPPED.format(LIMIT) * (slowest.seconds > LIMIT)


def stopped(runs: Sequence[Run], exercise: str) -> list[Stopped]:
    """Return the last runs of cells that stopped above what an exercise uses.

    What earlier runs made of it counts. Left out are those that another cell has made again.
    """
    texts = _texts(runs)
    needed = reached(texts, {exercise})
    found = []
    for i, run in enumerate(runs):
        if not run.left:
            continue
        later = runs[i + 1 :]
        made = {name for one in later for name in bound_in(one.ran)}
        lost = affected_by(run.left, texts) & needed - made
        if lost and all(one.cell != run.cell for one in later):
            found.append(Stopped(run.label, run.line, run.error))
    return found


def in_doubt(runs: Sequence[Run], exercise: str) -> str:
    """Return a sentence about the last run that may have made in part what an exercise uses, or "".

    Silent if later runs have made it anew.
    """
    texts = _texts(runs)
    needed = reached(texts, {exercise})
    for i, run in reversed([*enumerate(runs)]):
        if not run.doubt:
            continue
        anew = made_anew_in(one.ran for one in runs[i + 1 :])
        if affected_by(run.doubt, texts) & needed - anew:
            return DOUBT.format(run.label, run.reason)
    return ""


def _works(text: str) -> bool:
    """Return whether a cell does more than define and import."""
    return not all(isinstance(one, (*DEFINITIONS, *IMPORTS)) for one in body(text))


def _texts(runs: Sequence[Run]) -> list[str]:
    return [run.text for run in runs]


def _matters(
    runs: Sequence[Run], number: int, following: int, has_hooks: bool, are_slow: bool
) -> bool:
    """Return whether a run still counts although its cell was run again. Both are numbered.

    One that only defines names does not if the next run defines them again, and nothing that has
    run meanwhile or runs then can have used them. A class may do more where a base class has hooks.
    has_hooks: some run may have made such a base class. are_slow: a verdict cannot wait for all, so
    only the names that a slow run binds or changes matter.
    """
    run, later = runs[number], runs[following]
    own = bound_in(run.ran)
    if has_hooks and "class " in run.ran:
        return True
    if not only_definitions(run.ran):
        if not are_slow or run.seconds < SLOW:
            return True
        own = affected_by(run.ran, _texts(runs))
    if not own <= surely_bound_in(later.ran):
        return True
    between = (one.text for one in runs[number + 1 : following])
    used = used_through(_texts(runs), (name for text in between for name in mentioned(text)))
    return bool(own & (used | read_in(later.text)) or ANY in used)
