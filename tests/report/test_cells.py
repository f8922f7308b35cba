"""Feedback in the outputs of notebook cells is complete and survives nbconvert's cleaning."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import nbformat
import pytest
from conftest import GradeText, of

from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import as_cell

Texts = dict[str, str]
BASE = "attention_layer"
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
MIXTURE = "        return weights @ V"
VILE = "<script>alert(1)</script>\"'&{{ 7*7 }}</pre></div></table><img src=x onerror=alert(1)>"


class Cell(HTMLParser):
    """Collects the elements of a piece of HTML, with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]


@pytest.fixture(scope="module")
def wrong(grade_text: GradeText, solutions: Texts) -> Grade:
    """Return the grade of a wrong exercise that prints, and of the exercises that need it."""
    text = solutions[BASE].replace(*WRONG_SCALE)
    return grade_text(
        text.replace(MIXTURE, f"        print('printed here')\n{MIXTURE}"), named=True
    )


def vile() -> Grade:
    """Return a grade with a student's text wherever one can stand."""
    check = CheckGrade("c", "Title", Outcome.FAILED, 1.0, True, f"{VILE}\n{VILE}", VILE)
    return Grade(VILE, VILE, BASE, "graded", (ExerciseGrade("Exercise", (check,)),), VILE)


def test_a_cell_says_what_make_grade_says(wrong: Grade) -> None:
    exercise = of(wrong, "ScaledDotProduct")
    for made in (
        Cell(as_cell.html(exercise, wrong, 2)).text,
        as_cell.text(exercise, wrong, 2).replace("\n      ", " "),
    ):
        for said in (
            "\u2717",
            "failed",
            "0/6",
            "Gives 7.3106 for the numbers of the statement",
            "The numbers of the statement: expected 7.3106, got 6.6976.",
            "Probably: the divisor is the root of 2 d_k",
            "Look: ",
            "Think: ",
            "printed here",
            "(hidden)",
            "Wrong values.",
            "As above.",
            "The smallest example, ScaledDotProduct() (* where it differs):",
            "0.3395*",
        ):
            assert said in made, (said, made)
        assert "Nearly:" not in made
        assert "make grade" not in made  # the reader of the notebook may not have make


def test_of_an_exercise_that_waits_or_is_right(wrong: Grade, grade_text: GradeText) -> None:
    waits = of(wrong, "AttentionHead")
    html, text = as_cell.html(waits, wrong, 1), as_cell.text(waits, wrong, 1)
    assert "It waits for ScaledDotProduct; right with a correct one." in Cell(html).text
    assert "waits for ScaledDotProduct" in text
    assert "With a correct one this is right, so it has its points." in text
    right = of(wrong, "QueryKeyValue")
    assert Cell(as_cell.html(right, wrong, 1)).text.split() == [
        "✓",
        "passed",
        "QueryKeyValue",
        "6/6",
    ]
    assert as_cell.text(right, wrong, 1).split() == ["✓", "QueryKeyValue", "passed", "6/6"]


def test_what_cannot_be_read_is_said_once(grade_text: GradeText) -> None:
    grade = grade_text("def f(:\n")
    assert grade.status == "unreadable"
    for exercise in grade.exercises:
        for made in (as_cell.html(exercise, grade, 1), as_cell.text(exercise, grade, 1)):
            plain = " ".join(Cell(made).text.split())
            assert plain.count(f"Nothing of it could be graded: {grade.message}") == 1
            assert plain.count("Python cannot read the file") == 1


def test_a_note_on_the_whole(wrong: Grade) -> None:
    locked = Grade("anna", "a.py", BASE, "graded", (), "Cell 3 stopped. " * 10, True)
    assert as_cell.note_text(locked).endswith("Cell 3 stopped.\nGraded locked.")
    assert all(len(line) <= 80 for line in as_cell.note_text(locked).splitlines())
    assert "Cell 3 stopped." in Cell(as_cell.note_html(locked)).text
    assert "Graded locked." in Cell(as_cell.note_html(locked)).text
    assert as_cell.note_text(wrong) == "Graded unlocked."
    assert Cell(as_cell.note_html(wrong)).text.split() == ["Graded", "unlocked."]


def test_what_a_student_wrote_is_only_text() -> None:
    grade = vile()
    made = Cell(as_cell.html(grade.exercises[0], grade, 1))
    assert not {"script", "img", "table"} & set(made.tags)
    assert made.text.count(VILE) == 3
    assert Cell(as_cell.note_html(grade)).text.count(VILE) == 1


def test_its_numbers_stand_beside_each_other_with_a_sign_where_they_differ(wrong: Grade) -> None:
    html = as_cell.html(of(wrong, "ScaledDotProduct"), wrong, 1)
    [numbers] = re.findall(r'<pre class="numbers">([^<]*)</pre>', html)
    titles, first, second = numbers.splitlines()
    assert re.split(" {3,}", titles.strip()) == [
        "Q (1, 1)", "K (2, 1)", "V (2, 1)", "expected (1, 1)", "got"
    ]  # fmt: skip
    assert first.split() == ["-1", "2", "-1", "0.4621", "0.3395*"]
    assert second.split() == ["1", "1"]
    assert not re.search(r"style|width|height", html)


@pytest.mark.dear
@pytest.mark.parametrize("sanitize", [True, False])
@pytest.mark.parametrize("template", ["lab", "classic", "basic"])
def test_it_survives_what_cleans_notebooks(wrong: Grade, sanitize: bool, template: str) -> None:
    exporters = pytest.importorskip("nbconvert.exporters")
    exporter = exporters.HTMLExporter(template_name=template, sanitize_html=sanitize)
    grades = (wrong, vile())
    outputs = [as_cell.html(e, grade, 3) for grade in grades for e in grade.exercises]
    outputs += [as_cell.note_html(grade) for grade in grades]
    nb = nbformat.v4.new_notebook()
    for html in outputs:
        data = nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "x"})
        nb.cells.append(nbformat.v4.new_code_cell("1", outputs=[data]))
    page, _ = exporter.from_notebook_node(nb)
    cleaned = _outputs(page)
    for html in outputs:
        assert _essence(Cell(html)) in list(map(_essence, cleaned)), html


def _outputs(page: str) -> list[Cell]:
    """Return the outputs on a page: the text between the tags that nbconvert adds."""
    found = re.split(
        r'<div class="[^"]*output_html[^"]*"[^>]*>|data-mime-type="text/html"[^>]*>', page
    )
    return [_first(piece) for piece in found[1:]]


def _first(piece: str) -> Cell:
    """Return the first element of a piece of HTML."""
    depth = 0
    for tag in re.finditer(r"<(/?)div\b[^>]*>", piece):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return Cell(piece[piece.index("<div") : tag.end()])
    raise AssertionError(piece[:200])


def _essence(cell: Cell) -> tuple[list[str], list[str]]:
    """Return the words and the elements of a cell."""
    return cell.text.split(), cell.tags
