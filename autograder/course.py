"""Where the course keeps its parts. A file's stem is the identity of an assignment."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
RECORDED = ROOT / "autograder" / "recorded"  # in a student's copy, which has no solutions
ASSIGNMENTS = ROOT / "assignments"
CHECKS = ROOT / "autograder" / "checks"
HEADER = re.compile(r"# ---\n((?:# \w+: .*\n)+)# ---\n")  # at the top of a solution
APART = {"audit", "nbgrader", "student", "__pycache__"}  # folders on which no grade depends
LIBRARIES = ("torch", "einops", "numpy")
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)  # at the top level of a module or cell


class NoSecret(Exception):
    """The course has no secret that can be used; the text says what to do."""


def is_students_copy() -> bool:
    """Is this a copy that holds no answers?"""
    return not SOLUTIONS.is_dir()


@cache
def assignments() -> tuple[str, ...]:
    """The names of all assignments, in the order in which they are worked through."""
    folder = RECORDED if is_students_copy() else SOLUTIONS
    paths = {path.stem: path for path in folder.glob("*.py")}
    orders = {name: about(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    return tuple(sorted(paths, key=lambda name: (float(orders[name].get("order", "inf")), name)))


@cache
def skeleton(name: str) -> str:
    """The text of an assignment's module as students are given it."""
    if is_students_copy():
        return (RECORDED / f"{name}.py").read_text(encoding="utf-8")
    from autograder.release.skeleton import made_from

    return made_from((SOLUTIONS / f"{name}.py").read_text(encoding="utf-8"))


@cache
def inputs(assignment: str, exercise: str) -> tuple[str, ...]:
    """The names of an exercise's inputs, as its statement has them; none if it has no code."""
    for node in ast.parse(skeleton(assignment)).body:
        if getattr(node, "name", "") == exercise:
            bodies = {"forward", "__call__"} if isinstance(node, ast.ClassDef) else {exercise}
            functions = [f for f in ast.walk(node) if isinstance(f, ast.FunctionDef)]
            named = [arg.arg for f in functions if f.name in bodies for arg in f.args.args]
            return tuple(name for name in named if name != "self")
    return ()


def about(text: str) -> dict[str, str]:
    """What the header of an assignment's text says of it: its order, hours and source."""
    header = HEADER.match(text)
    lines = header[1].splitlines() if header else []
    return dict(line.removeprefix("# ").split(": ", 1) for line in lines)


def secret() -> str:
    """The course secret, from which hidden checks draw their numbers; a student's copy has none.

    Raises NoSecret.
    """
    if is_students_copy():
        return ""
    from autograder.release.secret import secret

    return secret()


def fingerprint() -> str:
    """Eight characters that tell two versions of the course apart.

    Reports show it, so the secret has no part in it: a weak one could be guessed from its digest.
    """
    return _edition("", tuple(sorted(_graders())))[:8]


def edition() -> str:
    """A short digest of all that can change a grade: engine, checks, solutions, secret, versions.

    Files are looked at each time: a check may be mended while a server runs. No report shows it.
    Raises NoSecret.
    """
    return _edition(secret(), tuple(sorted(_graders())))


@lru_cache(maxsize=2)
def _edition(secret: str, files: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.blake2b(secret.encode(), digest_size=8, person=b"edition")
    digest.update(repr([*sys.version_info[:2], *map(version, LIBRARIES)]).encode())
    for path, _, size in files:
        digest.update(f"\n{os.path.relpath(path, ROOT)} {size}\n".encode())
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _graders() -> Iterator[tuple[str, int, int]]:
    """The files that make a grade what it is, with when they were written, and their sizes."""
    for top in (SOLUTIONS, CHECKS.parent):
        for folder, inner, names in os.walk(top):
            inner[:] = [name for name in inner if name not in APART]
            for name in names:
                if name.endswith((".py", ".html")):
                    path = os.path.join(folder, name)
                    found = os.stat(path)
                    yield path, found.st_mtime_ns, found.st_size
