"""Grade every attack in the locked sandbox, then without each of its layers: `make attacks`.

The exit code is 0 if no attack had an issue, and every layer turned out to be needed.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from attacks.watching import courses
from attacks.watching.ablation import CHOICES, Row, ablated
from attacks.watching.attack import Attack, corpus
from attacks.watching.canaries import planted
from attacks.watching.classes import ClassWatch, hand_ins
from attacks.watching.traces import adopt_orphans
from attacks.watching.watch import HURRIED, IN_A_HURRY, LIMITS, Result, Watch
from autograder.sandbox import CannotLock, SandboxFailed, open_sandbox

OK, ISSUES, FAILED = 0, 1, 3
WIDTH, COLUMN = 80, 14
QUICK = 1.5  # seconds


def main(names: Sequence[str]) -> int:
    """Run the attacks of these names, or all of them with the ablation. Returns the exit code."""
    attacks = [attack for attack in corpus() if not names or attack.name in names]
    adopt_orphans(True)
    try:
        results = in_the_locked_sandbox(attacks)
        print("\n".join(table(results)))
        handed_in, submitted = of_hand_ins(names), of_submissions(names)
        print("\n".join(["", *table_of_hand_ins("file or folder, in a class", handed_in)]))
        print("\n".join(["", *table_of_hand_ins("submission, in a course", submitted)]))
        # What waits for a time limit does so without a lock as well.
        quick = [r.attack for r in results if r.seconds < QUICK and r.attack.kind != "budget"]
        rows = [] if names else [ablated(layer, quick, _told) for layer in CHOICES]
    except (CannotLock, SandboxFailed) as failure:
        print(failure, file=sys.stderr)
        return FAILED
    if rows:
        print("\n".join(["", *table_of_layers(rows, len(quick))]))
    found = [*handed_in.values(), *submitted.values(), *(result.issues for result in results)]
    return OK if not any(found) and all(row.needed for row in rows) else ISSUES


def in_the_locked_sandbox(attacks: Sequence[Attack]) -> list[Result]:
    """What comes of the attacks there, in two rounds: those in a hurry have limits of their own.

    Raises CannotLock and SandboxFailed.
    """
    results = []
    for limits in (LIMITS, HURRIED):
        with planted() as canaries, open_sandbox(limits, locked=True) as sandbox:
            watch = Watch(sandbox, canaries)
            for attack in attacks:
                if (attack.kind in IN_A_HURRY) == (limits is HURRIED):
                    results.append(watch.result(attack))
                    _told(results[-1])
    return results


def of_hand_ins(names: Sequence[str]) -> dict[str, list[str]]:
    """What must not be of the files and folders of these names, or of all of them, by name."""
    with open_sandbox(HURRIED, locked=True) as sandbox:
        watch = ClassWatch(sandbox)
        return {n: watch.issues(h) for n, h in hand_ins().items() if not names or n in names}


def of_submissions(names: Sequence[str]) -> dict[str, list[str]]:
    """What must not be of the submissions of these names, or of all, to a course of nbgrader."""
    chosen = {n: one for n, one in courses.submissions().items() if not names or n in names}
    return courses.issues(chosen) if chosen else {}


def table(results: Sequence[Result]) -> Iterator[str]:
    """A line for each attack, with its issues below, and a line for all."""
    yield f"{'attack':<34}{'points':>8}{'seconds':>10}   issues"
    for result in results:
        count = len(result.issues) or "none"
        yield f"{result.attack.name:<34}{result.gained:>8g}{result.seconds:>10.1f}   {count}"
        for issue in result.issues:
            yield from _wrapped(issue, "    ")
    gained, issues = sum(r.gained for r in results), sum(len(r.issues) for r in results)
    yield f"{len(results)} attacks: {gained:g} points gained, {issues} issues"


def table_of_hand_ins(title: str, handed_in: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A line for each thing that was handed in, with its issues below, and one for all."""
    yield f"{title:<52}   issues"
    for name, issues in handed_in.items():
        yield f"{name:<52}   {len(issues) or 'none'}"
        for issue in issues:
            yield from _wrapped(issue, "    ")
    yield f"{sum(map(len, handed_in.values()))} issues"


def table_of_layers(rows: Sequence[Row], attacks: int) -> Iterator[str]:
    """For each layer that is taken away, what the self-test then finds, and who succeeds."""
    yield f"{'without':<{COLUMN}}what happens"
    for row in rows:
        refused = "; ".join(lack.removeprefix(f"{row.layer}: ") for lack in row.refused)
        said = [f"the self-test refuses: {refused}"] if refused else []
        names = f": {', '.join(row.succeed)}" if row.succeed else ""
        said.append(f"{len(row.succeed)} of {attacks} attacks succeed{names}")
        lines = [line for text in said for line in _wrapped(text, " " * COLUMN)]
        yield f"{row.layer:<{COLUMN}}{lines[0].strip()}"
        yield from lines[1:]


def _wrapped(text: str, indent: str) -> list[str]:
    text = ascii(text)[1:-1]
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _told(result: Result) -> None:
    issues = f": {len(result.issues)} issues" if result.issues else ""
    print(f"{result.attack.name}{issues}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
