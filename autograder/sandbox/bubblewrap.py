"""The namespaces around a locked process, made by bubblewrap: what is mounted, and nothing else."""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import site
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.runtime.packages import HARMLESS, NEEDED, WELCOME
from autograder.sandbox.child import ROOT

KIT, PACKAGES = "/kit", "/packages"  # where they are inside
ROOMS = ("child", "runtime")  # of this package that run beside a student's code
LINKS = ("/lib", "/lib64")  # that lead into /usr on most systems
ISOLATED = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--uid", "65534", "--gid", "65534",
    "--hostname", "sandbox", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
    "--clearenv",
)  # fmt: skip
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",  # libgomp would end the process that asks for more
    "TORCHINDUCTOR_CACHE_DIR": "/",  # a folder that is there: torch would try to make another
}


class CannotLock(RuntimeError):
    """This machine cannot lock students' code in; the text says what is missing, what to do."""


@dataclass
class Mounts:
    """What is mounted, read-only: where it is outside -> where inside."""

    folders: dict[str, str] = field(default_factory=dict)
    covered: list[str] = field(default_factory=list)  # folders inside these, shown empty
    links: dict[str, str] = field(default_factory=dict)

    def arguments(self) -> Iterator[str]:
        """As bubblewrap is told."""
        for outside, inside in self.folders.items():
            yield from ("--ro-bind", outside, inside)
        for folder in self.covered:
            yield from ("--tmpfs", folder)
        for link, target in self.links.items():
            yield from ("--symlink", target, link)


def command() -> str:
    """Where bubblewrap is. Raises CannotLock."""
    found = shutil.which("bwrap")
    if not found:
        raise CannotLock(
            "bubblewrap is not installed (command bwrap). Install it: apt install bubblewrap."
        )
    return found


def arguments(mounts: Mounts) -> list[str]:
    """The command line that comes before a program's own. Raises CannotLock."""
    devices = ("--dev-bind", "/dev/urandom", "/dev/urandom")  # torch opens it when imported
    closed = ("--remount-ro", "/", "--chdir", "/", "--")
    environment = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
    return [command(), *ISOLATED, *environment, *mounts.arguments(), *devices, *closed]


def mounts() -> Mounts:
    """What Python and torch need, and what runs beside a student's code. Raises CannotLock."""
    made = Mounts()
    for path in _system():
        made.folders[path] = path
    made.covered = [p for p in _of_others() if any(_is_in(p, folder) for folder in made.folders)]
    made.links = {link: os.readlink(link) for link in LINKS if os.path.islink(link)}
    for name in (*NEEDED, *WELCOME, *HARMLESS):
        for path in _package(name):
            made.folders[path] = f"{PACKAGES}/{os.path.basename(path)}"
    inside = Path(KIT, "autograder")
    made.folders[str(Path(ROOT, "autograder", "__init__.py"))] = str(inside / "__init__.py")
    for room in ROOMS:
        made.folders[str(Path(ROOT, "autograder", room))] = str(inside / room)
    for folder in made.folders:
        if _is_in(ROOT, folder):
            raise CannotLock(
                f"The course lies in {folder}, which submissions may read. Move it elsewhere."
            )
    return made


def python() -> str:
    """The interpreter itself, whatever links lead to it."""
    return os.path.realpath(sys.executable)


def _system() -> Iterator[str]:
    """The interpreter, its standard library, the C library, and what torch asks of the system."""
    yield python()
    yield sysconfig.get_path("stdlib")
    if sys.base_prefix != "/usr":
        yield from glob.glob(f"{sys.base_prefix}/lib/*.so*")
    kind = sysconfig.get_config_var("MULTIARCH") or ""
    folders = [f"/usr/lib/{kind}" if kind else "", "/usr/lib64", *LINKS]
    yield from (f for f in folders if os.path.isdir(f) and not os.path.islink(f))
    if os.path.exists("/proc/cpuinfo"):  # from which torch learns what the processor can do
        yield "/proc/cpuinfo"


def _of_others() -> list[str]:
    """Folders of installed packages: the course may be among them."""
    library = sysconfig.get_path("stdlib")
    named = [f"{library}/site-packages", f"{library}/dist-packages", *site.getsitepackages()]
    return [path for path in dict.fromkeys(named) if os.path.isdir(path)]


def _package(name: str) -> Iterator[str]:
    """A package's folder or file, and that of its shared libraries. Raises CannotLock."""
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or [spec.origin or ""]) if spec else []
    if not places and name in NEEDED:
        raise CannotLock(f"The package {name} is not installed. Install it: pip install {name}.")
    for place in places:
        yield from (path for path in (place, f"{place}.libs") if os.path.exists(path))


def _is_in(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder
