"""Tests in a real browser of nbgrader's formgrader and feedback pages."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from browser import CHROMIUM, free_port
from conftest import points, points_by_exercise, sampled, written
from course_in_nbgrader import generate
from nbconvert.filters import Highlight2HTML, markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.api import Gradebook

from autograder.course import root
from autograder.course.misconceptions import misconceptions
from autograder.kit.notebook import notebook
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde
from autograder.nbgrader.rebuild import (
    IN_ADDED,
    IN_ANSWERS,
    IN_MODULE,
    MOST_IN_ALL,
    rebuilt,
    with_module,
)
from autograder.submissions.notebook import Cell

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route, ViewportSize

NAME = "attention_layer"
MOST = points_by_exercise(NAME)
FULL = points(NAME)
WIDE: ViewportSize = {"width": 1280, "height": 900}
ZOOMED: ViewportSize = {"width": 320, "height": 256}  # 1280 x 1024 at 400 %, as WCAG 1.4.10 has it
SCRIPTS = (
    "<script>window.attacked = 1</script>",
    "<img src=x onerror='window.attacked = 1'>",
    "<svg onload='window.attacked = 1'><script>window.attacked = 1</script></svg>",
    "<a href='javascript:window.attacked = 1'>solution</a>",
    "<iframe srcdoc='<script>parent.attacked = 1</script>'></iframe>",
    "<style>* { display: none }</style>",
)
NEW: dict[str, Callable[..., nbformat.NotebookNode]] = {
    "code": new_code_cell,
    "markdown": new_markdown_cell,
}
PLACES = ("an added cell", "an answer")
LINK = '[see here](javascript:window.attacked=1) ![x](x"onerror="window.attacked=1)'

SAID = {
    "ben": (
        f"✗ failed ScaledDotProduct 0/{MOST['ScaledDotProduct']:g}",
        f"✓ passed TestModule {MOST['TestModule']:g}/{MOST['TestModule']:g}",
        "Probably: the divisor is the root of 2 d_k",
        "The smallest example, ScaledDotProduct() (* where it differs):",
        "0.3395*",
    ),
    "cleo": ("Nothing of it could be graded:", "cannot be read as a notebook"),
    "dora": ("It printed:", "It raises ValueError: <script>"),
}


# A class of four: anna is right, ben has a mistake, cleo's notebook is cut off, dora attacks


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, built_course: Path, solutions: dict[str, str]
) -> Path:
    """Make a course in which all submissions except ben's were graded."""
    target = shutil.copytree(built_course, tmp_path_factory.mktemp("pages") / "course")
    app = application(target)
    generate(app, NAME)
    right = solutions[NAME]
    [mistake] = [m for m in misconceptions(NAME) if m.id == "sqrt_2dk"]
    hand_in(target, "anna", right)
    hand_in(target, "ben", mistake.source(right))
    hand_in(target, "cleo", right)
    cut_off = target / "submitted" / "cleo" / NAME / f"{NAME}.ipynb"
    cut_off.write_text(cut_off.read_text()[:5000])
    hand_in(target, "dora", hostile(right), attacks=True)
    assert autograde(app, NAME, "[!b]*", force=False).graded == ["anna", "dora"]
    return target


def environment(course: Path) -> dict[str, str]:
    """Return an environment without the user's settings."""
    ours = {f"JUPYTER_{k}_DIR": str(course.parent / k.lower()) for k in ("CONFIG", "DATA")}
    ours["JUPYTER_RUNTIME_DIR"] = str(course.parent / "runtime")
    return {**os.environ, "PYTHONPATH": str(root()), **ours}


def hostile(right: str) -> str:
    """Attack that prints a script and raises another one."""
    said = " ".join(SCRIPTS)
    return right.replace('print("Hello World")', f"print({said!r})").replace(
        "queries = X @ self.W_q", f"raise ValueError({said!r})"
    )


def hand_in(course: Path, student: str, text: str, attacks: bool = False) -> None:
    """Return the released notebook with the answers of a solution's text."""
    made = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    answers = {cell.id: written(cell.source + "\n") for cell in notebook(text, NAME).cells}
    for cell in made.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = answers[cell.id].strip("\n")
    if attacks:
        made.cells[3:3] = [new_markdown_cell(f"{attack}\n\n{LINK}") for attack in SCRIPTS]
        html = "".join(SCRIPTS)
        data = {"text/html": html, "application/javascript": "window.attacked = 1"}
        data["image/svg+xml"] = SCRIPTS[2]
        shown = [new_output("display_data", data)]
        made.cells.append(new_code_cell("# " + html, outputs=shown))
        for cell in made.cells:
            if cell.cell_type == "code":
                cell.outputs = shown
    place = course / "submitted" / student / NAME
    place.mkdir(parents=True)
    nbformat.write(made, place / f"{NAME}.ipynb")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """Start the formgrader in a Jupyter server. Yields its address."""
    port = free_port()
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += ["--IdentityProvider.token=", "--ServerApp.ip=localhost"]
    command += ["--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=True"]
    with (folder.parent / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdout=log, stderr=log
        )
    address = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/formgrader/api/status", timeout=5)
                break
            except OSError:
                assert process.poll() is None, (folder.parent / "server.log").read_text()
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture
def troubles() -> list[str]:
    """Collect the errors of the pages' scripts."""
    return []


@pytest.fixture
def page(server: str, troubles: list[str]) -> Iterator[Page]:
    """Open a page of the browser that can reach the server and files, but no network."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport=WIDE)
        page.route("**/*", lambda route: local_only(route, server))
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda trouble: troubles.append(str(trouble)))
        yield page
        browser.close()


def local_only(route: Route, server: str) -> None:
    if route.request.url.startswith((f"{server}/", "file:", "data:")):
        route.continue_()
    else:
        route.abort()


def shot(page: Page, name: str) -> None:
    """Save a screenshot in the folder that PAGES names, for people."""
    if folder := os.environ.get("PAGES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def row(page: Page, student: str) -> Any:
    return page.locator("#main-table tr", has=page.locator(".student-id", has_text=student))


def press(page: Page, student: str, button: str) -> None:
    """Press a button in a student's row, and check that the page reports success."""
    row(page, student).locator(f".{button} a").click()
    page.locator("#success-modal.in, #error-modal.in").wait_for()
    assert page.locator("#success-modal.in").count(), page.locator(".modal-body").inner_text()
    page.get_by_role("button", name="OK").click()
    page.locator(".modal-backdrop").wait_for(state="detached")


# The steps of an instructor, in one test, since each one starts where the last one ended


@pytest.mark.dear
@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
@pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="needs playwright")
def test_the_formgrader_and_the_feedback(
    page: Page, server: str, folder: Path, troubles: list[str]
) -> None:
    autograde_and_give_feedback(page, server, folder)
    set_a_score(page, server, folder)
    for kind in ("form", "feedback"):
        for student in SAID:
            open_page(page, server, folder, student, kind)
            assert_readable_at_400_percent(page, kind, student)
        assert_nothing_of_a_student_runs(page)  # the last was dora's
    assert_links_to_the_exercises(page)
    assert_outputs_are_cleaned(page, server, folder)
    assert troubles == []


def autograde_and_give_feedback(page: Page, server: str, folder: Path) -> None:
    page.goto(f"{server}/formgrader")
    shot(page, "assignments")
    page.locator(f"#main-table a[href$='/manage_submissions/{NAME}']").click()
    assert "needs autograding" in row(page, "ben").inner_text()
    press(page, "ben", "autograde")
    assert [row(page, s).locator(".score").inner_text() for s in ("anna", "ben", "cleo")] == [
        f"{FULL:g} / {FULL:g}",
        f"{FULL - MOST['ScaledDotProduct']:g} / {FULL:g}",
        f"0 / {FULL:g}",
    ]
    status = {s: row(page, s).locator(".status").inner_text() for s in ("ben", "cleo")}
    assert status == {"ben": "graded", "cleo": "needs manual grading"}  # cleo's is refused
    shot(page, "submissions")
    for student in SAID:
        press(page, student, "generate-feedback")
        assert feedback(folder, student).is_file()


def feedback(folder: Path, student: str) -> Path:
    return folder / "feedback" / student / NAME / f"{NAME}.html"


def submission(folder: Path, student: str) -> tuple[str, Any]:
    """Return a submission's id, and the manual score of the exercise."""
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, student)
        grade = gradebook.find_grade("ScaledDotProduct", NAME, NAME, student)
        return found.id, grade.manual_score


def set_a_score(page: Page, server: str, folder: Path) -> None:
    page.goto(f"{server}/formgrader")
    for link in ("Manual Grading", NAME, NAME):
        page.get_by_role("link", name=link, exact=True).first.click()
    number, before = submission(folder, "ben")
    page.locator(f"a[href*='{number}']").first.click()
    score = page.locator("input#ScaledDotProduct")
    page.locator("input#ScaledDotProduct[placeholder='0']").wait_for()  # it has loaded
    assert before is None
    with page.expect_response("**/api/grade/*"):
        score.fill("4")
        score.press("Tab")
    assert submission(folder, "ben")[1] == 4
    assert page.evaluate("formgrader.loaded")  # its keys work without MathJax


def open_page(page: Page, server: str, folder: Path, student: str, kind: str) -> None:
    """Open a submission in the formgrader, or its feedback."""
    number, _ = submission(folder, student)
    form = f"{server}/formgrader/submissions/{number}/"
    page.goto(form if kind == "form" else feedback(folder, student).as_uri())
    page.wait_for_load_state("load")


def assert_readable_at_400_percent(page: Page, kind: str, student: str) -> None:
    """Check that nothing is cut off, missing or shown by colour alone, without network."""
    shot(page, f"{kind}_{student}_wide")
    page.set_viewport_size(ZOOMED)
    shot(page, f"{kind}_{student}_zoomed")
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]
    cut_off = """[...document.querySelectorAll("#notebook pre:not(.numbers)")]
        .filter(pre => pre.scrollWidth > pre.clientWidth + 1).length"""
    assert page.evaluate(cut_off) == 0
    page.set_viewport_size(WIDE)
    said = page.locator("body").inner_text()
    assert not {one for one in ("Out[", "In [", "<tbody>", "Test cell") if one in said}
    for phrase in (r"\text{output} = \mathrm{softmax}", *SAID[student]):
        assert phrase in said


def assert_nothing_of_a_student_runs(page: Page) -> None:
    theirs = ":is(script, iframe, svg, img, style, [onload], [onerror], [href^='javascript:' i])"
    assert page.locator(f"#notebook {theirs}").count() == 0
    assert page.evaluate("window.attacked") is None
    said = page.locator("#notebook").first.inner_text()
    assert said.count("[see here](javascript:") == len(SCRIPTS)
    assert all(attack in said for attack in SCRIPTS)


def assert_links_to_the_exercises(page: Page) -> None:
    """Check the top of the feedback, where nbgrader gives all of them the same name."""
    link = page.locator("#toc a", has_text="ScaledDotProduct")
    assert link.get_attribute("href") == "#ScaledDotProduct"


def assert_outputs_are_cleaned(page: Page, server: str, folder: Path) -> None:
    """Sandboxing protects the formgrader even if a script gets into the grader's output."""
    path = folder / "autograded" / "dora" / NAME / f"{NAME}.ipynb"
    made = nbformat.read(path, as_version=4)
    told = next(cell for cell in made.cells if cell.get("outputs")).outputs[0]
    told.data["text/html"] = "".join(SCRIPTS)
    path.unlink()
    nbformat.write(made, path)
    open_page(page, server, folder, "dora", "form")
    assert page.evaluate("window.attacked") is None
    assert page.locator(".output_html").first.inner_text() == "solution"  # of a link to a script


# Cells that a student added

REFUSED = (
    "[a](javascript:b)",
    "[a](&#106;avascript:b)",
    "[a](java\tscript:b)",
    "[a]( \n javascript\\:b)",
    "[a](<javascript:b>)",
    "[a](data:text/html,b)",
    "[a](https:javascript:b)",
    "[a](httpsx:b)",
    "[a]: javascript:b\n\n[a]",
    "[a]:\n  javascript:b\n\n[a]",
    "> [a]: javascript:b\n\n[a]",
    "<javascript:b>",
    "![a](https://b.c)",
    "[![a](b)](javascript:b)",
)


@pytest.mark.parametrize("source", REFUSED)
@pytest.mark.parametrize("place", PLACES)
def test_markdown_of_a_student_leads_only_to_the_web(place: str, source: str) -> None:
    """nbgrader's pages do not clean Markdown."""
    page = str(markdown2html(shown_in(place, source)))
    assert "src=" not in page
    assert {*re.findall(r'href="([^"]*)"', page)} <= {"https://b.c"}
    assert "a" in page


@pytest.mark.parametrize("place", PLACES)
def test_text_is_shown_as_it_was_written(place: str) -> None:
    for source in ("# A $x_{[1]} < y[0]$\n\nSee [a](https://b.c/d)", "~~~\n</pre><b>a\n~~~~", "\\"):
        page = str(markdown2html(shown_in(place, source)))
        shown = html.unescape(re.sub("<.*?>", "", page))
        assert shown.strip() == source
        assert page.startswith("<pre>")


def test_a_question_that_nobody_has_answered_is_the_instructors() -> None:
    given = released(1, "markdown")
    given.cells[0].source = "**Why?**"
    [cell] = rebuilt(given, [Cell("markdown", "**Why?**", (), ("answer0",))]).cells
    assert cell.source == "**Why?**"


HOSTILE = (
    "* a*",
    "a*",
    "[",
    "a.",
    "1.",
    "![",
    "_a ",
    "`",
    "<a",
    "&#",
    "> ",
    "- ",
    "~",
    "\\",
    "$",
    "|",
)


@pytest.mark.parametrize("bit", sampled(HOSTILE))
@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_whatever_was_added_is_shown_soon(bit: str, kind: str) -> None:
    """The page shows text up to a limit, and its time depends only on that limit."""
    cells = [Cell(kind, bit * 20_000, ()), Cell(kind, f"{bit}\n" * 9_000, ())] * 250
    began = time.process_time()
    made = rebuilt(nbformat.v4.new_notebook(), cells)
    for cell in made.cells:
        if cell.cell_type == "code":
            Highlight2HTML()(cell.source)
        else:
            markdown2html(cell.source)
    assert sum(len(cell.source) for cell in made.cells) < 1.1 * MOST_IN_ALL
    assert time.process_time() - began < 20  # of minutes that it took


@pytest.mark.parametrize("bit", HOSTILE)
def test_whatever_was_answered_in_markdown_is_shown_soon(bit: str) -> None:
    text = "\n".join([bit * (480 // len(bit))] * 60)
    began = time.process_time()
    [cell] = rebuilt(released(1, "markdown"), [Cell("markdown", text, (), ("answer0",))]).cells
    markdown2html(cell.source)
    assert time.process_time() - began < 2


TURNING = "a\x1b[31mb\u202ec\u2066d\x07e\x9b2Jf\u200bg\0h\ud800i\xa0j\tk\r\nl\xe9"


@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_no_page_shows_what_turns_or_hides_text(kind: str) -> None:
    """No added cell, answer or module is shown with characters that turn or hide text."""
    for text in (TURNING, f"{TURNING}\n" * 5_000):
        given = [Cell(kind, text, ()), Cell("code", text, (), ("answer0",))]
        for cell in with_module(rebuilt(released(1), given), "x.py", text).cells:
            assert not [c for c in cell.source if not c.isprintable() and c != "\n"]
    assert "i j    k\nl\xe9" in rebuilt(released(0), [Cell(kind, TURNING, ())]).cells[0].source


@pytest.mark.parametrize("line", ["\n", " \n", "\f\n", "\r", "\u2028", "  \t\x85"])
def test_white_lines_are_few(line: str) -> None:
    """From each of them, the colouring of code reads on to the end of them all."""
    text = f"x = 1\n{line * 2_000}y = 2\n"
    made = with_module(rebuilt(released(0), [Cell("code", text, ())]), "x.py", text)
    shown = [cell.source for cell in made.cells if cell.cell_type == "code"]
    assert len(shown) == 2
    for source in shown:
        assert [*filter(str.strip, source.splitlines())] == ["x = 1", "y = 2"]
        assert len(source.splitlines()) < 30


@pytest.mark.parametrize("bit", ["*a", "x ", "x\n", "f'{", "1e1", "1_", '"', "@a."])
def test_a_page_of_hostile_code_is_made_soon(bit: str) -> None:
    """The number of elements that colour code is limited in every part of the page."""
    text = "\n".join([bit * (480 // len(bit))] * 60)
    given = released(6)
    cells = [Cell("code", text, (), (f"answer{i}",)) for i in range(6)] + [
        Cell("code", text, ())
    ] * 9
    made = with_module(rebuilt(given, cells), "x.py", text)
    elements = sum(Highlight2HTML()(c.source).count("<span") for c in made.cells if c.source)
    assert elements < 1.1 * (IN_ANSWERS + IN_ADDED + IN_MODULE)


def released(answers: int, kind: str = "code") -> nbformat.NotebookNode:
    """Return a released notebook with so many answers."""
    made, new_cell = nbformat.v4.new_notebook(), NEW[kind]
    for i in range(answers):
        mark = nbformat.from_dict({"nbgrader": {"solution": True, "grade_id": f"answer{i}"}})
        made.cells.append(new_cell("", id=f"answer{i}", metadata=mark))
    return made


def test_an_honest_answer_is_shown_whole(solutions: dict[str, str]) -> None:
    for text in solutions.values():
        code = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
        [cell] = rebuilt(released(1), [Cell("code", code, (), ("answer0",))]).cells
        assert cell.source.split() == code.split()


def shown_in(place: str, source: str) -> str:
    """Return a student's Markdown as nbgrader gets it, from an added cell or from an answer."""
    names = ("answer0",) if place == "an answer" else ()
    given = released(len(names), "markdown")
    [cell] = rebuilt(given, [Cell("markdown", source, (), names)]).cells
    return str(cell.source)
