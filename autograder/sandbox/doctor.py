"""Check which features for locking student code this machine has."""

from __future__ import annotations

import platform
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.sandbox import Limits, SandboxFailed, bubblewrap, open_sandbox
from autograder.sandbox.bubblewrap import CannotLock

WIDTH = 80
OLDEST_BUBBLEWRAP = (0, 8)  # has --disable-userns


@dataclass(frozen=True)
class Feature:
    """A feature that locking needs. text: its state here and, if it does not work, what to do.

    Lines below the first are commands to type, which are never broken.
    """

    name: str
    works: bool
    text: str

    def lines(self) -> list[str]:
        """Return the lines to print in a terminal."""
        mark = "✓" if self.works else "✗"
        said, *commands = f"{mark} {self.name}: {self.text}".split("\n")
        lines = textwrap.wrap(said, WIDTH, subsequent_indent="    ")
        return [*lines, *(f"    {command}" for command in commands)]


def features() -> Iterator[Feature]:
    """Yield the features that locking needs, up to the first that does not work.

    Each feature depends on the previous ones, so the state of later ones would mean nothing.
    """
    for name, look in LOOKS.items():
        try:
            yield Feature(name, True, look())
        except (CannotLock, SandboxFailed) as reason:
            yield Feature(name, False, str(reason))
            return


def _system() -> str:
    if sys.platform != "linux":
        raise CannotLock(
            f"this is {platform.system()}, and only Linux can lock code in. You can still grade "
            "your own work here, unlocked. To grade the work of others, use a Linux machine or a "
            "virtual one."
        )
    return f"Linux {platform.release()}, Python {platform.python_version()}"


def _bubblewrap() -> str:
    run = subprocess.run([bubblewrap.command(), "--version"], capture_output=True, text=True)
    version = run.stdout.split()[-1] if run.stdout else "0"
    if tuple(int(n) for n in version.split(".")[:2]) < OLDEST_BUBBLEWRAP:
        raise CannotLock(f"version {version} is too old. Install 0.8 or newer (Debian 12 has it).")
    return f"version {version}"


def _namespaces() -> str:
    command = [
        *bubblewrap.arguments(bubblewrap.mounts()),
        bubblewrap.python(),
        "-I",
        "-S",
        "-c",
        "",
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["without a message"])[-1]
        raise CannotLock(
            f"bubblewrap cannot make them ({reason}). Where an administrator has switched them off "
            "for ordinary users, allow them (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu "
            "kernel.apparmor_restrict_unprivileged_userns=0). A container has to be started with "
            "them allowed (Docker: --security-opt seccomp=unconfined --security-opt "
            "apparmor=unconfined --security-opt systempaths=unconfined)."
        )
    return "files, processes and the network of the machine can be hidden"


def _landlock() -> str:
    from autograder.child.lock import landlock_version

    version = landlock_version()
    if not version:
        raise CannotLock(
            "the kernel has none. Linux 5.13 or newer has, unless it was left out at start "
            "(add landlock to the kernel's option lsm=)."
        )
    more = {4: "files and ports", 6: "files, ports and signals"}
    what = next((more[n] for n in sorted(more, reverse=True) if version >= n), "files")
    return f"version {version}, closes {what}"


def _seccomp() -> str:
    from autograder.sandbox import filter  # needs what only Linux has

    filter.compiled()
    return "system calls can be filtered"


def _lock() -> str:
    with open_sandbox(Limits(), locked=True) as sandbox:
        sandbox.child().end()
    return "closed, and all that was tried behind it was refused"


LOOKS: dict[str, Callable[[], str]] = {
    "system": _system,
    "bubblewrap": _bubblewrap,
    "namespaces": _namespaces,
    "Landlock": _landlock,
    "seccomp": _seccomp,
    "the lock as a whole": _lock,
}
