"""What a notebook shows, and the page of progress, fit a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM
from conftest import GradeText, sampled

from autograder.report import as_html, as_output

if TYPE_CHECKING:
    from playwright.sync_api import Page

NARROW = 320  # pixels: 1280 at 400 %, as WCAG 1.4.10 has it
WRONG = {  # an exercise, a passage of its assignment's solution, and its replacement
    "wrong numbers": (
        "attention_layer",
        "ScaledDotProduct",
        "scores / math.sqrt(Q.shape[-1])",
        "scores",
    ),
    "attention weights": (
        "causal_attention",
        "single_head",
        "dim=-1)\n    return weights, weights @ v",
        "dim=-2)\n    return weights, weights @ v",
    ),
    "another shape": ("running_averages", "running_mean_loop", "return means", "return means[0]"),
}


@pytest.fixture
def page() -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": NARROW, "height": 900})
        browser.close()


@pytest.mark.skipif(not CHROMIUM, reason="needs a browser")
@pytest.mark.parametrize("kind", sampled(WRONG))
@pytest.mark.dear
def test_a_verdict_fits_a_narrow_screen(
    kind: str, page: Page, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    assignment, exercise, passage, replacement = WRONG[kind]
    assert passage in solutions[assignment]
    wrong = solutions[assignment].replace(passage, replacement)
    grade = grade_text(wrong, assignment, exercise, True)
    shown = as_output.verdict(grade, 3, True).html
    assert "<svg" in shown
    page.set_content("<!doctype html>" + shown.replace("<details>", "<details open>"))
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW


@pytest.mark.skipif(not CHROMIUM, reason="needs a browser")
@pytest.mark.dear
def test_the_page_of_progress_fits_a_narrow_screen(
    page: Page, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    pages = [(grade_text(text, name), f"{name}.html") for name, text in solutions.items()]
    page.set_content(as_html.progress(pages))
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
