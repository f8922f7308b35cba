"""A student in a real JupyterLab and Notebook: a mistake, its name, and the pass."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM, free_port

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, ViewportSize

MODULES = ("jupyterlab", "playwright")
pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium"),
    pytest.mark.skipif(not all(map(importlib.util.find_spec, MODULES)), reason=f"needs {MODULES}"),
]
NAME, EXERCISE = "running_averages", "running_mean_loop"
RIGHT = """\
def running_mean_loop(x):
    means = torch.zeros_like(x)
    for t in range(x.shape[1]):
        means[:, t] = x[:, : t + 1].mean(dim=1)
    return means"""
WRONG = RIGHT.replace(": t + 1]", "t:]")  # the one mistake that the tests' copy of the kit knows

WIDE: ViewportSize = {"width": 1280, "height": 1000}
NARROW = 320  # pixels
# JavaScript that lists the texts whose contrast to what is behind them is below 4.5.
FAINT = """shown => {
    const light = colour => {
        const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map(part => {
            const one = part / 255;
            return one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = one => {
        for (; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (!/, 0\\)$|transparent/.test(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    return [...shown.querySelectorAll("*")]
        .filter(one => one.checkVisibility())
        .filter(one => [...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
        .map(one => {
            const style = getComputedStyle(one);
            const ink = one.ownerSVGElement ? style.fill : style.color;
            const [dark, bright] = [light(ink), light(behind(one))].sort((a, b) => a - b);
            return [(bright + 0.05) / (dark + 0.05), one.textContent.trim()];
        })
        .filter(([contrast]) => contrast < 4.5);
}"""


@pytest.fixture
def lab(kit: Path) -> Iterator[str]:
    """Start JupyterLab in a student's kit, and return the address of the notebook."""
    with tempfile.TemporaryDirectory() as private:
        port = free_port()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PY", "AUTOGRADER"))}
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                *(f"--port={port}", "--IdentityProvider.token=", "assignments"),
                # A theme is chosen by these.
                "--LabApp.expose_app_in_browser=True",
                "--JupyterNotebookApp.expose_app_in_browser=True",
            ],
            cwd=kit,
            env={**kept, "PYTHONPATH": str(kit), "XDG_RUNTIME_DIR": private},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        yield f"http://127.0.0.1:{port}/"
        process.terminate()
        process.wait()
        for log in Path(private).glob("*/*.log"):
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)


@pytest.fixture(params=["lab/tree/{}.ipynb?reset", "notebooks/{}.ipynb"], ids=["lab", "notebook"])
def page(request: pytest.FixtureRequest, lab: str) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = browser.new_page(viewport=WIDE)
        made.set_default_timeout(90_000)
        while not _answers(lab):
            made.wait_for_timeout(200)
        made.goto(lab + request.param.format(NAME))
        yield made
        browser.close()


def _answers(address: str) -> bool:
    try:
        return bool(urllib.request.urlopen(address).status)
    except OSError:
        return False


def test_a_mistake_is_named_and_then_mended(page: Page) -> None:
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.nth(3).wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    start, imports, written, called = (cells.nth(i) for i in range(4))
    assert "ImportError" not in start.inner_text()  # it is folded
    start.locator(".jp-InputPrompt").click()
    page.keyboard.press("Control+Enter")
    wait_for_end(start)
    run(page, imports)
    run(page, written, WRONG)
    run(page, called)
    shown = called.locator(".jp-OutputArea-output")
    shown.get_by_text("Probably:").wait_for()
    text = shown.inner_text()
    assert "averages the tokens from t on" in text and "Look:" in text
    assert shown.locator("svg").count() == 3  # the input, the expected and the actual result
    assert shown.get_by_text("What each check found").is_visible()
    assert_readable(page, shown)
    run(page, written, RIGHT)
    run(page, called)
    shown.get_by_text("passed").wait_for()
    assert "Hidden ones are run when you hand in." in shown.inner_text()


def assert_readable(page: Page, shown: Locator) -> None:
    """In both themes the contrast is that of WCAG 1.4.3; on a narrow screen, nothing is cut off."""
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        do = "name => jupyterapp.commands.execute('apputils:change-theme', {theme: name})"
        page.evaluate(do, theme)
        page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
        assert shown.evaluate(FAINT) == []
    if "/lab/" in page.url:  # where there is a list of files beside the notebook
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
    page.set_viewport_size({"width": NARROW, "height": 1000})
    fits = "shown => shown.clientWidth > 150 && shown.scrollWidth <= shown.clientWidth"
    page.wait_for_function(fits, arg=shown.element_handle())
    page.set_viewport_size(WIDE)


def run(page: Page, cell: Locator, text: str = "") -> None:
    """Run a cell, with this text in place of its own."""
    cell.locator(".cm-content").click()
    if text:
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")
    wait_for_end(cell)


def wait_for_end(cell: Locator) -> None:
    """Wait until a cell has run: its prompt shows a number, not a star."""
    prompt = cell.locator(".jp-InputArea-prompt")
    prompt.filter(has_text=re.compile(r"\[\d+\]")).wait_for()
