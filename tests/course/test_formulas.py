"""Formulas of statements: text in modules, LaTeX in notebooks."""

from __future__ import annotations

import pytest

from autograder.course import assignments, notebook_skeleton, skeleton, solution
from autograder.course.formulas import as_latex, as_text
from autograder.kit.notebook import notebook

LATEX = "# <!-- $$\n# a &= b \\\\\n# c\n# $$ -->\n"
SCRIPT = f"# Read:\n#\n#     a = b\n#      c\n{LATEX}#\n# More.\n#\n#     d\n#\n# <!-- kept -->\n"


def test_a_module_has_the_text_and_a_notebook_the_latex() -> None:
    assert as_text(SCRIPT) == SCRIPT.replace(LATEX, "")
    block = "#     a = b\n#      c\n"
    assert as_latex(SCRIPT) == SCRIPT.replace(block + LATEX, "# $$\n# a &= b \\\\\n# c\n# $$\n")


def test_many_lines_that_are_no_formula_take_no_time() -> None:
    block = f"#{' ' * 60}x\n" * 500
    assert as_latex(block) == as_text(block) == block


@pytest.mark.parametrize("assignment", assignments())
def test_every_formula_of_the_course_is_shown_as_both(assignment: str) -> None:
    count = solution(assignment).count("<!--")
    assert count, "the statement has no formula: write one as `<!-- $$ ... $$ -->`"
    assert "<!--" not in skeleton(assignment)
    for text in (solution(assignment), notebook_skeleton(assignment)):
        cells = [c.source for c in notebook(text, assignment).cells if c.cell_type == "markdown"]
        assert sum(source.count("$$") for source in cells) == 2 * count
        assert "<!--" not in "".join(cells)
