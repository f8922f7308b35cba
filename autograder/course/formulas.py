"""Formulas of statements: plain text in modules, LaTeX in notebooks.

In the source both stand together, the text as an indented block and the LaTeX in a comment below:

    #     weights = softmax(Q Kᵀ)
    # <!-- $$ \\text{weights} = \\mathrm{softmax}(Q K^\\top) $$ -->
"""

from __future__ import annotations

import re

LATEX = r"# <!-- (\$\$(?:(?!-->).|\n# )*\$\$) -->\n"
WITH_TEXT = re.compile(rf"(?:^# {{4}}.*\n)+{LATEX}", re.MULTILINE)
ALONE = re.compile(f"^{LATEX}", re.MULTILINE)


def as_text(script: str) -> str:
    """Return a percent-format script with its formulas as plain text."""
    return ALONE.sub("", script)


def as_latex(script: str) -> str:
    """Return a percent-format script with its formulas as LaTeX."""
    return WITH_TEXT.sub(r"# \1\n", script)
