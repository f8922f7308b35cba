"""Make the virtual environment, or leave it as it is: `make setup` calls this.

It runs before anything is installed. So it takes only the standard library, and is written so that
an old Python 3 can read it and be refused with a sentence; the Makefile refuses those before 3.6.
"""

import contextlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST, NEWEST = (3, 10), (3, 13)
TORCH = "torch==2.13.0"
CONSTRAINTS = "autograder/constraints.txt"
# What every command imports, by the names of the modules.
NEEDED = (
    "torch",
    "einops",
    "numpy",
    "jinja2",
    "markupsafe",
    "pytest",
    "nbformat",
    "merge3",
    "wcwidth",
)
LACKING = """
import sys
from importlib.util import find_spec

print(", ".join(name for name in sys.argv[1:] if not find_spec(name)))
"""


def main(root: Path, folder: Path, extras: str) -> str:
    """Install into `folder` what the checkout `root` states. Returns what is wrong, or nothing.

    What was installed is written to `folder`/.ready, after the checkout for which it was: nothing
    is downloaded again for the same statements, unless it is no longer there, and an environment
    stays with its checkout.
    """
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        oldest, newest = ("{}.{}".format(*version) for version in (OLDEST, NEWEST))
        found = "{}.{}".format(*sys.version_info[:2])
        return (
            f"{sys.executable} is Python {found}; the kit needs {oldest} to {newest}. "
            f"Install one of these, and name it: make setup PYTHON=python{newest}"
        )
    if folder.resolve() == root.resolve():
        return f"VENV must name a folder for packages alone, such as .venv, not {folder.resolve()}."
    ready, python = folder / ".ready", _python(folder)
    anew = f"Install all anew: rm -r {shlex.quote(str(folder))} && make setup"
    if python.is_symlink() and not python.exists():
        return f"The Python for which {folder} was made is gone. {anew}"
    owner, _, installed = _text(ready).partition("\n")
    stated = "".join(_text(root / name) for name in ("pyproject.toml", CONSTRAINTS)) + extras
    if owner and owner != str(root) and Path(owner).is_dir():
        print(f"{folder} belongs to {owner}, so nothing is installed into it.", file=sys.stderr)
    elif (owner, installed) != (str(root), stated) or _lacking(folder):
        failed = _install(root, folder, extras)
        lacking = _lacking(folder)
        if lacking and not failed:  # pip takes it for installed
            return f"{folder} lacks {lacking}. {anew}"
        if failed and (lacking or not ready.exists()):
            return failed
        if failed:
            print(f"{failed} What is there is used. Try again: make setup", file=sys.stderr)
        else:
            ready.write_text(f"{root}\n{stated}", encoding="utf-8")
    with contextlib.suppress(OSError):  # a kit that may only be read is looked at each time
        ready.touch()
    return ""


def _lacking(folder: Path) -> str:
    """Return what of the most needed is not installed in an environment, or nothing."""
    command = [str(_python(folder)), "-c", LACKING, *NEEDED]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    except OSError:
        return "a Python that runs"
    return run.stdout.strip() if not run.returncode else "a Python that works"


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _install(root: Path, folder: Path, extras: str) -> str:
    """Make the environment and install everything. Returns a sentence about what failed."""
    python = _python(folder)
    make: list[str] = [sys.executable, "-m", "venv", "--upgrade-deps", str(folder)]
    install = [str(python), "-W", "ignore", "-m", "pip", "install"]
    uv = shutil.which("uv")
    if uv:
        make = [uv, "venv", "--quiet", "--seed", "--allow-existing", "--python", sys.executable]
        make.append(str(folder))
        install = [uv, "pip", "install", "--python", str(python)]
    rest = ["--constraint", CONSTRAINTS, "--editable", f".[{extras}]"]
    if not uv:
        rest.insert(0, "--quiet")  # pip prints lines for each package, uv shows its progress
    print(f"Making {folder} with Python {sys.version.split()[0]}", flush=True)
    if subprocess.run(make, cwd=root).returncode:
        return f"{folder} could not be made: see above."
    if subprocess.run([str(python), "-c", "import torch"], capture_output=True).returncode:
        print("Installing PyTorch: 200 MB, or 3 GB where it comes with CUDA", flush=True)
        if subprocess.run([*install, TORCH], cwd=root).returncode:
            return "PyTorch could not be installed: see above."
    print("Installing the other packages", flush=True)
    if subprocess.run([*install, *rest], cwd=root).returncode:
        return "The packages could not be installed: see above."
    return ""


if __name__ == "__main__":
    sys.exit(main(Path.cwd(), Path(sys.argv[1]), sys.argv[2]) or 0)
