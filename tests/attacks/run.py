"""Grade every attack in the locked sandbox, then without each of its layers: `make attacks`.

The exit code is 0 if no attack had an issue, and every layer turned out to be needed.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence

from attacks.watching.ablation import LAYERS, Row, ablated
from attacks.watching.attack import Attack, corpus
from attacks.watching.canaries import planted
from attacks.watching.traces import adopt_orphans
from attacks.watching.watch import LIMITS, Result, Watch
from autograder.sandbox import SandboxFailed, open_sandbox

OK, ISSUES, FAILED = 0, 1, 3
WIDTH = 80


def main(names: Sequence[str]) -> int:
    """Run the attacks of these names, or all of them with the ablation. Returns the exit code."""
    attacks = [attack for attack in corpus() if not names or attack.name in names]
    adopt_orphans(True)
    try:
        results = in_the_locked_sandbox(attacks)
    except SandboxFailed as failure:
        print(failure, file=sys.stderr)
        return FAILED
    print("\n".join(table(results)))
    rows = [] if names else [ablated(layer, attacks, _progress) for layer in LAYERS]
    print("\n".join(table_of_layers(rows, len(attacks))))
    sound = all(not result.issues for result in results) and all(row.needed for row in rows)
    return OK if sound else ISSUES


def in_the_locked_sandbox(attacks: Sequence[Attack]) -> list[Result]:
    """What comes of the attacks there. Raises SandboxFailed."""
    with planted() as canaries, open_sandbox(LIMITS, locked=True) as sandbox:
        watch = Watch(sandbox, canaries)
        return [_told(watch.result(attack)) for attack in attacks]


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


def table_of_layers(rows: Sequence[Row], attacks: int) -> Iterator[str]:
    """For each layer that is taken away, what comes of it."""
    if rows:
        yield ""
        yield f"{'without':<14}what happens"
    for row in rows:
        said = row.refusal or f"{len(row.succeed)} of {attacks} succeed: {', '.join(row.succeed)}"
        first, *others = _wrapped(said, " " * 14)
        yield f"{row.layer:<14}{first.strip()}"
        yield from others


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(ascii(text)[1:-1], WIDTH, initial_indent=indent, subsequent_indent=indent)


def _told(result: Result) -> Result:
    _progress(result.attack.name)
    return result


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
