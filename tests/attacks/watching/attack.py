"""The attacks: submissions whose docstrings say what they try."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1]
DESCRIBED = re.compile(
    r'"""(?P<tries>.+)\n\nexercise: (?P<exercise>\w+)\n'
    r'(?:worth: (?P<worth>\d+) .+\n)?safe: (?P<safe>.+)\n"""'
)


@dataclass(frozen=True)
class Attack:
    """A hostile submission.

    tries, safe: what it tries, and what is to become of that, in a sentence each. worth: points
    that it has by right, for an answer that anybody could give.
    """

    path: Path
    exercise: str
    tries: str
    safe: str
    worth: float

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def kind(self) -> str:
        """The first word of its name: answer, budget, file, ..."""
        return self.name.partition("_")[0]


def corpus() -> list[Attack]:
    """All attacks, by name. Raises ValueError for a file that does not say what it tries."""
    return [_described(path) for path in sorted(CORPUS.glob("*_*.py")) if path.name[0] != "_"]


def _described(path: Path) -> Attack:
    found = DESCRIBED.match(path.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{path} does not begin with what it tries, its exercise and what is safe")
    worth = float(found["worth"] or 0)
    return Attack(path, found["exercise"], found["tries"], found["safe"], worth)
