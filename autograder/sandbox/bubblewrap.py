"""Build the bubblewrap command that puts a process into namespaces with few files mounted."""

from __future__ import annotations

import glob
import importlib.util
import os
import shlex
import shutil
import site
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.environment import CONSTRAINTS
from autograder.errors import MachineError
from autograder.runtime.third_party import NEEDED, THIRD_PARTY
from autograder.sandbox.child import ROOT

KIT, PACKAGES = "/kit", "/packages"  # paths inside the namespace
FOLDERS = ("child", "runtime")  # of this package, for processes that run student code
LINKS = ("/lib", "/lib64")  # links into /usr on most systems
ISOLATED = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--uid", "65534", "--gid", "65534",
    "--hostname", "sandbox", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
    "--clearenv",
)  # fmt: skip
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",  # otherwise libgomp ends a process that requests more threads
    "TORCHINDUCTOR_CACHE_DIR": "/",  # an existing folder, so that torch does not create one
}


class CannotLock(MachineError):
    """This machine cannot lock student code in; the text says what is missing and what to do."""


@dataclass
class Mounts:
    """The read-only mounts of a namespace: path outside -> path inside."""

    folders: dict[str, str] = field(default_factory=dict)
    covered: list[str] = field(default_factory=list)  # folders inside these that appear empty
    links: dict[str, str] = field(default_factory=dict)

    def arguments(self) -> Iterator[str]:
        """Yield bubblewrap's arguments for these mounts."""
        for outside, inside in self.folders.items():
            yield from ("--ro-bind", outside, inside)
        for folder in self.covered:
            yield from ("--tmpfs", folder)
        for link, target in self.links.items():
            yield from ("--symlink", target, link)


def command() -> str:
    """Return the path of bubblewrap. Raises CannotLock."""
    found = shutil.which("bwrap")
    if not found:
        raise CannotLock(
            "bubblewrap is not installed (command bwrap). Install it: apt install bubblewrap."
        )
    return found


def arguments(mounts: Mounts) -> list[str]:
    """Return the bubblewrap command line, to which a program's own is appended.

    Raises CannotLock.
    """
    devices = ("--dev-bind", "/dev/urandom", "/dev/urandom")  # torch opens it when imported
    closed = ("--remount-ro", "/", "--chdir", "/", "--")
    environment = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
    return [command(), *ISOLATED, *environment, *mounts.arguments(), *devices, *closed]


def mounts() -> Mounts:
    """Return mounts of what Python, torch and a child of the kit need. Raises CannotLock."""
    made = Mounts()
    for path in _system():
        made.folders[path] = path
    covered = _site_packages()
    made.covered = [p for p in covered if any(_is_in(p, folder) for folder in made.folders)]
    made.links = {link: os.readlink(link) for link in LINKS if os.path.islink(link)}
    for name in THIRD_PARTY:
        for path in _package(name):
            made.folders[path] = f"{PACKAGES}/{os.path.basename(path)}"
    inside = Path(KIT, "autograder")
    made.folders[str(Path(ROOT, "autograder", "__init__.py"))] = str(inside / "__init__.py")
    for name in FOLDERS:
        made.folders[str(Path(ROOT, "autograder", name))] = str(inside / name)
    for folder in made.folders:
        if _is_in(ROOT, folder):
            raise CannotLock(
                f"The course lies in {folder}, which submissions may read. Move it elsewhere."
            )
    return made


def python() -> str:
    """Return the path of the Python interpreter, with links resolved."""
    return os.path.realpath(sys.executable)


def _system() -> Iterator[str]:
    """Yield the paths of the interpreter, its library, system libraries and /proc/cpuinfo."""
    yield python()
    yield sysconfig.get_path("stdlib")
    if sys.base_prefix != "/usr":
        yield from glob.glob(f"{sys.base_prefix}/lib/*.so*")
    kind = sysconfig.get_config_var("MULTIARCH") or ""
    folders = [f"/usr/lib/{kind}" if kind else "", "/usr/lib64", *LINKS]
    yield from (f for f in folders if os.path.isdir(f) and not os.path.islink(f))
    if os.path.exists("/proc/cpuinfo"):  # torch reads the processor's features there
        yield "/proc/cpuinfo"


def _site_packages() -> list[str]:
    """Return the folders of installed packages, which may contain the course."""
    library = sysconfig.get_path("stdlib")
    named = [f"{library}/site-packages", f"{library}/dist-packages", *site.getsitepackages()]
    return [path for path in dict.fromkeys(named) if os.path.isdir(path)]


def _package(name: str) -> Iterator[str]:
    """Yield a package's folder or file, and the folder of its shared libraries.

    Raises CannotLock if a required package is missing.
    """
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or [spec.origin or ""]) if spec else []
    if not places and name in NEEDED:
        raise not_installed(name)
    for place in places:
        yield from (path for path in (place, f"{place}.libs") if os.path.exists(path))


def not_installed(package: str) -> CannotLock:
    """Return the error about a missing package; its last line is the command that installs it.

    It installs the version that the kit states.
    """
    python, stated = (
        os.path.relpath(path) if _is_in(path, os.getcwd()) else path
        for path in (sys.executable, os.path.join(ROOT, CONSTRAINTS))
    )
    install = shlex.join([python, "-m", "pip", "install", "--constraint", stated, package])
    return CannotLock(f"The package {package} is not installed. Install it:\n{install}")


def _is_in(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder
