"""Make pages and parts of pages from templates: no script, no network, every text escaped.

jinja2 escapes the texts, so that a student's texts stay text. It is installed with PyTorch anyway.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.grading.grade import Outcome
from autograder.report.feedback import GLYPHS
from autograder.submissions.reports import GENERATOR

HERE = Path(__file__).parent


@cache
def template(name: str, folder: Path = HERE) -> Template:
    """Return a template of a folder, or of this one."""
    loader = FileSystemLoader([folder, HERE])
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(name)


def page(name: str, told: Mapping[str, object], folder: Path = HERE, style: str = "") -> str:
    """Return a whole page. told: what its template uses. style: more rules than all pages have."""
    css = (HERE / "page.css").read_text(encoding="utf-8") + style
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    # The style is our own text, so it is not escaped.
    return template(name, folder).render(
        css=Markup(css), digest=digest, generator=GENERATOR, **told
    )


def word(outcome: str) -> Markup:
    """Return an outcome as a word with its sign and colour."""
    found = Outcome(outcome)
    text = f"{GLYPHS[found]} {found.value}"
    return Markup('<span class="word {}">{}</span>').format(found.value, text)


def points(number: float) -> str:
    """Return a number of points, without zeros at its end."""
    return f"{number:g}"
