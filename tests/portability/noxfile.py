"""`make matrix`: grade known work with several versions of Python and PyTorch.

Each cell has an environment in build/matrix/ (up to 7 GB each, made once) and runs `cell.py` in it.
A cell is left out where its Python is not found on PATH. `.venv/bin/nox --noxfile
tests/portability/noxfile.py --python 3.10` runs those of one Python.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "matrix"
CONSTRAINTS = ROOT / "autograder" / "constraints.txt"
OWN = BUILD / "own.json"  # the results of the environment in which nox runs
CELLS = [("3.10", "==2.4.0"), ("3.11", "==2.13.0"), ("3.12", "==2.5.1"), ("3.13", "")]
REFUSED = ["3.9", "3.14"]
AT_ONCE = 1.0  # seconds

nox.options.default_venv_backend = "uv"
nox.options.reuse_existing_virtualenvs = True
nox.options.envdir = str(BUILD)
nox.options.error_on_missing_interpreters = False
nox.options.download_python = "never"


@nox.session(venv_backend="none")
def own(session: nox.Session) -> None:
    """Grade in this environment: the other cells must have the same results."""
    BUILD.mkdir(parents=True, exist_ok=True)
    session.chdir(ROOT)
    session.run(sys.executable, "tests/portability/cell.py", str(OWN))


@nox.session
@nox.parametrize("python, torch", CELLS, ids=[f"{python} torch{torch}" for python, torch in CELLS])
def cell(session: nox.Session, torch: str) -> None:
    """Grade with another Python and another PyTorch."""
    session.chdir(ROOT)
    session.install(f"torch{torch}")
    constraints = Path(session.virtualenv.location, "constraints.txt")
    constraints.write_text(_without_installed(session), encoding="utf-8")
    session.install("--constraint", str(constraints), f"torch{torch}", "--editable", ".[notebook]")
    result = Path(session.virtualenv.location, "result.json")
    session.run("python", "tests/portability/cell.py", str(result), str(OWN))


@nox.session(python=REFUSED)
def refused(session: nox.Session) -> None:
    """A Python that does not fit is told so at once, in a line, before anything is installed."""
    session.chdir(ROOT)
    begin = time.monotonic()
    command = ["python", "autograder/environment.py", "none", "notebook"]
    said = str(session.run(*command, silent=True, success_codes=[1]))
    if said.count("\n") != 1 or "the kit needs 3.10 to" not in said:
        session.error(f"it should say in a line what the kit needs, not {said}")
    if time.monotonic() - begin > AT_ONCE:
        session.error("it took too long")


def _without_installed(session: nox.Session) -> str:
    """Return the constraints but for what came with PyTorch, which states its versions itself."""
    code = "from importlib.metadata import distributions as d; print(*(one.name for one in d()))"
    installed = {
        name.lower() for name in str(session.run("python", "-c", code, silent=True)).split()
    }
    pinned = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    return "".join(f"{line}\n" for line in pinned if line.partition("==")[0] not in installed)
