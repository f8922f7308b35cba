"""Real kernels as VS Code and Colab start them, and one for what nbgrader releases.

VS Code and Colab are told apart by what their documentation says that a kernel has: VS Code names
the notebook in `__vsc_ipynb_file__`, and Colab starts outside the kit and gives cells no ids.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from course_in_nbgrader import generate
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.nbgrader.application import application

pytestmark = pytest.mark.dear
NAME, EXERCISE = "running_averages", "running_mean_loop"
RIGHT = """\
def running_mean_loop(x):
    return torch.stack([x[:, : t + 1].mean(dim=1) for t in range(x.shape[1])], dim=1)
"""
WRONG = RIGHT.replace(": t + 1]", "t:]")  # the one mistake that the tests' copy of the kit knows
# As where the kit is not installed: a `.pth` file makes it known in this environment.
UNINSTALLED = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in str(one)]
sys.path[:] = [one for one in sys.path if "site-packages" in one or "lib/python" in one]
"""
Open = Callable[[Path, Path], tuple[Path, str]]


def in_vscode(kit: Path, course: Path) -> tuple[Path, str]:
    """Return the notebook, and what VS Code runs in its kernel."""
    path = kit / "assignments" / f"{NAME}.ipynb"
    return path, f"__vsc_ipynb_file__ = {str(path)!r}"


def in_colab(kit: Path, course: Path) -> tuple[Path, str]:
    """Return the notebook in a folder like `/content`, and what a kit says to run there."""
    shutil.copy(kit / "assignments" / f"{NAME}.ipynb", kit.parent)
    return kit.parent / f"{NAME}.ipynb", f"%cd {kit / 'assignments'}"


def released(kit: Path, course: Path) -> tuple[Path, str]:
    """Return the notebook as nbgrader fetches it into the kit's folder."""
    generate(application(course), NAME)
    shutil.copytree(course / "release" / NAME, kit / NAME)
    return kit / NAME / f"{NAME}.ipynb", ""


@pytest.fixture(params=[in_vscode, in_colab, released])
def kernel(
    request: pytest.FixtureRequest, kit: Path, built_course: Path, tmp_path: Path
) -> Iterator[NotebookClient]:
    """Start the kernel of a notebook, and run what comes before its first cell."""
    opening: Open = request.param
    path, first = opening(kit, shutil.copytree(built_course, tmp_path / "course"))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PY", "AUTOGRADER", "JPY"))}
    with tempfile.TemporaryDirectory() as private:
        client = NotebookClient(
            nbformat.read(path, as_version=4),
            timeout=120,
            kernel_name="python3",
            resources={"metadata": {"path": str(path.parent)}},
        )
        with client.setup_kernel(env={**kept, "XDG_RUNTIME_DIR": private}):
            for text in (UNINSTALLED, first):
                run(client, new_code_cell(text))
            yield client
        for log in Path(private).glob("*/*.log"):
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)


def test_a_mistake_is_named_and_then_mended(kernel: NotebookClient) -> None:
    start, imports, written, called = [c for c in kernel.nb.cells if c.cell_type == "code"][:4]
    assert called.source == f'check("{EXERCISE}")'
    run(kernel, start)
    run(kernel, imports)
    run(kernel, written, WRONG)
    said = run(kernel, called)
    assert "✗ running_mean_loop" in said and "averages the tokens from t on" in said
    run(kernel, written, RIGHT)
    said = run(kernel, called)
    assert "✓ running_mean_loop" in said and "Hidden ones are run when you hand in." in said


def run(kernel: NotebookClient, cell: NotebookNode, text: str = "") -> str:
    """Run a cell, with this text in place of its own. Returns what it shows as plain text."""
    cell.source = text or cell.source
    kernel.nb.cells.append(cell)
    kernel.execute_cell(cell, len(kernel.nb.cells) - 1)
    shown = [output["data"]["text/plain"] for output in cell.outputs if "data" in output]
    return "\n".join(shown)
