"""Students' own modules beside an assignment, written where tests want them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from conftest import written

from autograder.grading.grade import Grade
from autograder.kit.notebook import notebook

Texts = dict[str, str]
Files = dict[str, str]
BASE = "attention_layer"
ROOT = "math.sqrt(Q.shape[-1])"  # of the divisor, in the reference
OWN = "import torch\n\n\ndef root(q):\n    return q.shape[-1] ** 0.5\n"


def put(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def using(solutions: Texts, imported: str, call: str, name: str = BASE) -> str:
    """The reference with an import at its top, and a call in the place of the divisor's root."""
    text = written(solutions[name])
    assert ROOT in text
    return text.replace("import math\n", f"import math\n{imported}\n", 1).replace(ROOT, call)


def as_notebook(text: str, name: str = BASE) -> str:
    return nbformat.writes(notebook(text, name))


def in_form(form: str, text: str) -> str:
    """Return the content of a file with this code; form: ".py", ".ipynb" or a name that ends so."""
    return as_notebook(text) if form.endswith(".ipynb") else text


def has_all(grade: Grade) -> bool:
    return (grade.status, grade.message) == ("graded", "") and 0 < grade.points == grade.max_points
