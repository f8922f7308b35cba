"""Tests of nbgrader's pages: nothing that a student has written runs in the reader's browser."""

from __future__ import annotations

import copy
import re
from html import unescape

import nbformat
import pytest
from fuzzing.pages import RESOURCES, new_exporter
from nbconvert.filters import markdown2html
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from traitlets.config import Config

from autograder.nbgrader.configuration import configure
from autograder.nbgrader.rebuild import as_code, replace_note

PICTURE = "data:image/png;base64,iVBORw0KGgo="
ACTING = {
    "a script": "<script>evil()</script>",
    "a script in capitals": "<SCRIPT >evil()</SCRIPT >",
    "nested scripts": "<scr<script></script>ipt>evil()</script>",
    "a handler": '<img src="x" onerror="evil()">',
    "a picture with one": '<svg onload="evil()"></svg>',
    "a link": '<a href="javascript:evil()">click</a>',
    "a hidden link": '<a href=" java\nscript:evil()">click</a>',
    "a page in a link": '<a href="data:text/html,evil()">click</a>',
    "a frame": '<iframe srcdoc="evil()"></iframe>',
    "a form": '<form action="evil()"><input name="evil()"></form>',
    "what formgrader looks for": '<b id="evil()" class="evil()" style="evil()">b</b>',
    "a picture of elsewhere": '<img src="http://evil()/a.png">',
}
ACTS = re.compile(r"<[^>]*evil\(\)|<script>evil", re.IGNORECASE)
READABLE = (
    "<h2>Title</h2><p>One<br/>two <strong>three</strong></p><table><thead><tr>"
    '<th scope="col">a</th></tr></thead><tbody><tr><td>1 &lt; 2</td></tr></tbody></table>'
    f'<details><summary>More</summary><pre>x = 1</pre></details><img alt="p" src="{PICTURE}"/>'
)


def page(made: NotebookNode, template: str = "feedback") -> str:
    """Return the page that nbgrader makes from a notebook; of its body, only the cells."""
    exporter = new_exporter(template)
    html, _ = exporter.from_notebook_node(made, resources=copy.deepcopy(RESOURCES))
    return str(html[html.index('id="notebook-container"') :])


def cells(html: str) -> list[NotebookNode]:
    """HTML may be in a markdown cell, in a markdown answer and in outputs."""
    answer = {"schema_version": 3, "grade_id": "a", "grade": False, "solution": True}
    kinds = ("text/html", "text/markdown", "image/svg+xml", "text/latex", "text/plain")
    shown = [new_output("display_data", {kind: html}) for kind in kinds]
    stream = new_output("stream", name="stdout", text=html)
    metadata = nbformat.from_dict({"nbgrader": {**answer, "locked": False}})
    return [
        new_markdown_cell(html),
        new_markdown_cell(html, metadata=metadata),
        new_code_cell("1", outputs=[*shown, stream]),
    ]


@pytest.mark.dear
@pytest.mark.parametrize("template", ["feedback", "formgrade"])
def test_nothing_of_a_students_acts(template: str) -> None:
    made = new_notebook(cells=[cell for html in ACTING.values() for cell in cells(html)])
    shown = page(made, template)
    assert ACTS.findall(shown) == []
    assert shown.count("evil()") > len(ACTING)  # as text of the cells, where it is seen


@pytest.mark.dear
def test_the_search_finds_what_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.nbgrader.pages.cleaned", lambda html: html)
    for what, html in ACTING.items():
        shown = page(new_notebook(cells=[cells(html)[-1]]))
        assert ACTS.search(shown) or what == "nested scripts"


def test_what_is_to_be_read_stays() -> None:
    output = new_output("display_data", {"text/html": READABLE})
    assert READABLE in page(new_notebook(cells=[new_code_cell("1", outputs=[output])]))
    said = page(new_notebook(cells=[new_markdown_cell("**a**\n\n| b |\n|---|\n| $c_1 < c_2$ |")]))
    assert "<strong>a</strong>" in said
    assert re.search(r"<thead>\s*<tr>\s*<th>b</th>", said)
    assert "$c_1 &lt; c_2$" in said


def test_a_picture_in_markdown_stays() -> None:
    attached = {"p.png": {"image/png": "iVBORw0KGgo="}}
    cell = new_markdown_cell("![p](attachment:p.png)", attachments=attached)
    assert f'src="{PICTURE}"' in page(new_notebook(cells=[cell]))


def test_what_an_instructor_has_set_stays() -> None:
    c = Config()
    c.Exchange.root = "/srv/exchange"
    c.CourseDirectory.course_id = "mine"
    configure(c)
    assert c.Exchange.root == "/srv/exchange"
    assert c.CourseDirectory.course_id == "mine"
    assert c.HTMLExporter.sanitize_html is True


@pytest.mark.parametrize(
    "text",
    [
        "**All checks passed, 10/10** [open](https://example.org) ![x](https://example.org/x.png)",
        "x\n\n# Score: 10/10\n\n* passed\n1. passed\n\n    code\n---\n> quoted\n~~~\nx\n~~~",
        "$x$ $$\\rule{60em}{30em}$$ \\(x\\) \\[x\\] <b>x</b> &amp; <https://example.org>",
        "a ` ** b ** ` c `` ** d ** `` e",
        "`",
        "``` ** x **",
        "\\` **x** \\",
    ],
)
def test_text_from_a_submission_is_shown_as_it_was_written(text: str) -> None:
    """Formulas too, which a page does not look for in code."""
    made = new_notebook(cells=cells("x"))
    replace_note(made, f"**Said:** {as_code(text)}")
    found = markdown2html(made.cells[0].source)
    inside = re.fullmatch(r"<p><strong>Said:</strong> <code>(.*)</code></p>\s*", found)
    assert inside and unescape(inside[1]).split() == text.split()
    assert f"<code>{inside[1]}</code>" in page(made)
