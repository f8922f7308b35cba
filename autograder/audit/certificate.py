"""Report an audit: 80 columns for the terminal, and a certificate in JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import Any

import torch

from autograder import course
from autograder.audit.corpus import Kind
from autograder.audit.figures import NAMED, RIGHT, WRONG, Audit, Claim, Share, share
from autograder.report.columns import WIDTH
from autograder.report.writing import listed

SHOWN = 5  # names in one list; the JSON has all
HEAD = f"{'exercise':<22} {'right':>9} {'wrong':>9} {'named':>9} {'pairs':>9} {'checks':>7}"


def lines(audit: Audit) -> Iterator[str]:
    """Yield the report: the exercises, the checks, and the claims."""
    yield HEAD
    for name in audit.checks:
        yield _row(audit, name)
    yield _row(audit, "")
    yield ""
    yield from _needs(audit)
    yield ""
    for claim in audit.claims():
        yield from _claim(claim)
    yield ""
    yield quotable(audit)


def quotable(audit: Audit) -> str:
    """Return the audit in one line, for quoting."""
    total = _totals(audit, "")
    return (
        f"{total['wrong']} wrong rejected, {total['right']} right accepted, "
        f"{total['named'].percent} named, {len(audit.misnamed)} falsely, "
        f"{len(audit.repeated.unlike)} flakes"
    )


def document(audit: Audit) -> dict[str, Any]:
    """Return the certificate: versions, all figures, and the names of all exceptions."""
    return {
        "line": quotable(audit),
        "holds": all(claim.holds for claim in audit.claims()),
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "course": course.fingerprint(),
        "claims": [asdict(claim) for claim in audit.claims()],
        "exercises": {
            name: {column: _figures(share) for column, share in _totals(audit, name).items()}
            for name in audit.checks
        },
        "total": {column: _figures(share) for column, share in _totals(audit, "").items()},
        "checks_that_no_misconception_needs": list(audit.unneeded),
        "seen_by_one_check_only": {
            check: list(names) for check, names in audit.seen_only_by.items() if names
        },
        "repetitions": asdict(audit.repeated),
    }


def path() -> Path:
    """Return the path of the certificate."""
    return course.root() / "build" / "certificate.json"


def write(audit: Audit) -> Path:
    """Write the certificate. Returns its path."""
    certificate = path()
    certificate.parent.mkdir(exist_ok=True)
    text = json.dumps(document(audit), indent=2, ensure_ascii=False)
    certificate.write_text(text + "\n", encoding="utf-8")
    return certificate


def _totals(audit: Audit, exercise: str) -> dict[str, Share]:
    right, wrong = audit.of(*RIGHT, exercise=exercise), audit.of(*WRONG, exercise=exercise)
    is_named = attrgetter("is_named")
    return {
        "right": share(right, attrgetter("is_accepted")),
        "wrong": share(wrong, attrgetter("is_rejected")),
        "named": share(audit.of(*NAMED, exercise=exercise), is_named),
        "pairs": share(audit.of(Kind.PAIR, exercise=exercise), is_named),
    }


def _row(audit: Audit, name: str) -> str:
    right, wrong, named, pairs = map(str, _totals(audit, name).values())
    checks = audit.checks[name] if name else [c for own in audit.checks.values() for c in own]
    label = name or "all of them"
    return f"{label:<22} {right:>9} {wrong:>9} {named:>9} {pairs:>9} {len(checks):>7}"


def _needs(audit: Audit) -> Iterator[str]:
    """Describe which checks are needed, and by how many misconceptions."""
    alone = [names for names in audit.seen_only_by.values() if names]
    text = (
        f"Misconceptions that a single check sees: {sum(map(len, alone))}, "
        f"in {len(alone)} of {len(audit.seen_only_by)} checks. "
    )
    if audit.unneeded:
        text += (
            "Checks that no misconception needs, since other checks reject the same ones: "
            f"{listed(audit.unneeded, SHOWN)}."
        )
    yield from _wrapped(text, "")


def _claim(claim: Claim) -> Iterator[str]:
    yield f"{'holds ' if claim.holds else 'FAILS '} {claim.sentence}: {claim.figure}"
    if not claim.holds:
        yield from _wrapped(listed(claim.offenders, SHOWN), "         ")


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _figures(share: Share) -> dict[str, Any]:
    return {"count": share.count, "of": share.total, "others": list(share.others)}
