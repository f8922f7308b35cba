"""What `make setup` does, without installing anything."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import autograder
from autograder import environment, parsing
from autograder.course.place import root


class Calls:
    """What was called in place of venv, pip and uv; the call with `fails` in it fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[str] = []
        self.fails = ""
        self.torch = True
        self.lacking = ""  # packages that are not there, until packages are installed
        self.repairs = True

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        said = " ".join(map(str, command))
        if environment.LACKING in command:
            return subprocess.CompletedProcess(command, 0, f"{self.lacking}\n")
        self.made.append(said)
        self.folder.mkdir(exist_ok=True, parents=True)
        if said.endswith("import torch"):
            return subprocess.CompletedProcess(command, int(not self.torch))
        fails = bool(self.fails) and self.fails in said
        if "--editable" in said and self.repairs and not fails:
            self.lacking = ""
        return subprocess.CompletedProcess(command, int(fails))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder that states packages as the kit does."""
    (tmp_path / "autograder").mkdir()
    (tmp_path / "pyproject.toml").write_text("one", encoding="utf-8")
    (tmp_path / environment.CONSTRAINTS).write_text("two", encoding="utf-8")
    return tmp_path


@pytest.fixture
def calls(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    made = Calls(checkout / "env")
    monkeypatch.setattr(subprocess, "run", made.run)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    return made


def set_up(checkout: Path, extras: str = "notebook") -> str:
    return environment.main(checkout, checkout / "env", extras)


def test_an_environment_is_made_with_torch_and_what_is_stated(
    checkout: Path, calls: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    calls.torch = False
    assert set_up(checkout) == ""
    make, _, torch, rest = calls.made
    assert make.startswith(f"{sys.executable} -m venv") and make.endswith(str(checkout / "env"))
    assert torch.endswith(f"-m pip install {environment.TORCH}")
    assert rest.endswith("--editable .[notebook]") and "--quiet --constraint" in rest
    assert capsys.readouterr().out.splitlines() == [
        f"Making {checkout / 'env'} with Python {sys.version.split()[0]}",
        "Installing PyTorch: 200 MB, or 3 GB where it comes with CUDA",
        "Installing the other packages",
    ]


def test_uv_installs_where_it_is(
    checkout: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert set_up(checkout) == ""
    make, found, rest = calls.made
    assert make.startswith("/bin/uv venv") and rest.startswith("/bin/uv pip install --python")
    assert "--quiet" not in rest  # its progress is shown
    assert found.endswith("import torch")


def test_nothing_is_installed_twice(checkout: Path, calls: Calls) -> None:
    set_up(checkout)
    calls.made.clear()
    (checkout / "pyproject.toml").write_text("one", encoding="utf-8")  # newer, the same
    assert set_up(checkout) == ""
    assert calls.made == []


@pytest.mark.parametrize("change", ["pyproject.toml", environment.CONSTRAINTS])
def test_what_is_stated_anew_is_installed(checkout: Path, calls: Calls, change: str) -> None:
    set_up(checkout)
    calls.made.clear()
    (checkout / change).write_text("new", encoding="utf-8")
    set_up(checkout)
    assert len(calls.made) == 3


def test_without_a_network_what_was_installed_is_used(
    checkout: Path, calls: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(checkout)
    (checkout / "pyproject.toml").write_text("new", encoding="utf-8")
    calls.fails = "pip install"
    assert set_up(checkout) == ""
    assert capsys.readouterr().err == (
        "The packages could not be installed: see above. What is there is used. "
        "Try again: make setup\n"
    )
    calls.fails = ""
    calls.made.clear()
    set_up(checkout)
    assert len(calls.made) == 3


def test_what_is_no_longer_there_is_installed_again(checkout: Path, calls: Calls) -> None:
    set_up(checkout)
    calls.made.clear()
    calls.lacking = "torch, wcwidth"
    assert set_up(checkout) == ""
    assert len(calls.made) == 3


def test_what_pip_takes_for_installed_needs_a_new_environment(checkout: Path, calls: Calls) -> None:
    set_up(checkout)
    calls.lacking, calls.repairs = "wcwidth", False
    folder = checkout / "env"
    assert set_up(checkout) == (
        f"{folder} lacks wcwidth. Install all anew: rm -r {folder} && make setup"
    )
    calls.fails = "--editable"
    assert set_up(checkout) == "The packages could not be installed: see above."


def test_it_sees_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert environment._lacking(tmp_path) == "a Python that runs"
    monkeypatch.setattr(environment, "_python", lambda _: Path(sys.executable))
    assert environment._lacking(tmp_path) == ""
    monkeypatch.setattr(environment, "NEEDED", ("torch", "not_there", "nor_this"))
    assert environment._lacking(tmp_path) == "not_there, nor_this"


def test_it_looks_for_what_every_command_needs() -> None:
    declared = parsing.toml((root() / "pyproject.toml").read_bytes())["project"]["dependencies"]
    always = {re.split(r"[^\w.-]", one)[0] for one in declared if ";" not in one}
    assert {*environment.NEEDED} == always


def test_a_kit_that_may_only_be_read_is_used_as_it_is(
    checkout: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make` calls it each time where the kit's files are newer than the environment."""
    set_up(checkout)

    def refused(path: Path) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "touch", refused)
    calls.made.clear()
    assert set_up(checkout) == ""
    assert calls.made == []


@pytest.mark.skipif(os.name != "posix", reason="has links")
def test_an_environment_whose_python_is_gone_is_made_anew(checkout: Path, calls: Calls) -> None:
    set_up(checkout)
    calls.made.clear()
    folder = checkout / "env"
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to("/nowhere/python3")
    assert set_up(checkout) == (
        f"The Python for which {folder} was made is gone. "
        f"Install all anew: rm -r {folder} && make setup"
    )
    assert calls.made == []


@pytest.mark.parametrize("step", ["-m venv", environment.TORCH, "--editable"])
def test_a_first_installation_that_fails_says_so(checkout: Path, calls: Calls, step: str) -> None:
    calls.fails, calls.torch = step, False
    assert set_up(checkout).endswith("see above.")
    assert not (checkout / "env" / ".ready").exists()


def test_an_environment_stays_with_its_checkout(checkout: Path, calls: Calls) -> None:
    set_up(checkout)
    other = checkout / "other"
    other.mkdir()
    command = [sys.executable, environment.__file__, str(checkout / "env"), "notebook"]
    with subprocess.Popen(command, cwd=other, stderr=subprocess.PIPE, text=True) as run:
        _, said = run.communicate()
    assert run.returncode == 0
    assert said == f"{checkout / 'env'} belongs to {checkout}, so nothing is installed into it.\n"
    assert [path.name for path in (checkout / "env").iterdir()] == [".ready"]


def test_an_environment_of_a_checkout_that_was_moved_is_made_anew(
    checkout: Path, calls: Calls
) -> None:
    set_up(checkout)
    moved = checkout.rename(checkout.with_name(checkout.name + "_moved"))
    calls.made.clear()
    calls.folder = moved / "env"
    assert environment.main(moved, moved / "env", "notebook") == ""
    assert len(calls.made) == 3


@pytest.mark.parametrize("folder", ["", "."])
def test_no_environment_takes_the_place_of_the_kit(
    checkout: Path, calls: Calls, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """venv writes bin/, lib/ and .gitignore into the folder that it is given."""
    monkeypatch.chdir(checkout)
    said = environment.main(checkout, Path(folder), "notebook")
    assert said.startswith("VENV must name a folder for packages alone, such as .venv, not ")
    assert calls.made == []


@pytest.mark.parametrize("version", [(3, 8), (3, 9), (3, 14)])
def test_another_python_is_refused_before_anything_is_downloaded(
    checkout: Path, calls: Calls, version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", (*version, 1))
    said = set_up(checkout)
    assert f"is Python 3.{version[1]}; the kit needs 3.10 to 3.13" in said
    assert calls.made == []


def test_it_accepts_the_pythons_that_the_project_states() -> None:
    stated = (root() / "pyproject.toml").read_text(encoding="utf-8")
    newest = environment.NEWEST[1] + 1
    assert f'requires-python = ">={environment.OLDEST[0]}.{environment.OLDEST[1]},<3.{newest}"' in (
        stated
    )


def test_a_python_that_is_refused_can_read_the_file() -> None:
    """The Makefile refuses older ones."""
    text = Path(environment.__file__).read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 6))


def test_a_python_that_is_too_old_is_told_so_by_the_kit_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where an editor or a notebook takes another Python than that of .venv."""
    path = Path(autograder.__file__)
    ast.parse(text := path.read_text(encoding="utf-8"), feature_version=(3, 4))
    oldest = environment.OLDEST
    monkeypatch.setattr(sys, "version_info", (*oldest, 0))
    exec(text, {})
    monkeypatch.setattr(sys, "version_info", (oldest[0], oldest[1] - 1, 18))
    with pytest.raises(SystemExit):
        exec(text, {})
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"is Python 3.9; the kit needs {oldest[0]}.{oldest[1]} or newer. Call make setup" in said


@pytest.mark.dear
def test_every_package_that_the_engine_imports_is_declared() -> None:
    """What comes along with another package today may not do so in its next version."""
    packages = packages_distributions()
    declared = parsing.toml((root() / "pyproject.toml").read_bytes())["project"]
    stated = [*declared["dependencies"], *chain(*declared["optional-dependencies"].values())]
    names = {re.split(r"[^\w.-]", one)[0].lower() for one in stated}
    imported = {
        name.partition(".")[0]
        for path in (root() / "autograder").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imported(node)
    }
    foreign = imported - {"autograder", *sys.stdlib_module_names}
    assert {n for n in foreign if not names & {p.lower() for p in packages.get(n, [n])}} == set()


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []
