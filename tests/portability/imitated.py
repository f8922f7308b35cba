"""Imitate Windows or macOS: hide from the kit's own modules what Python lacks there.

`environment` makes an environment of Python of which every process imports this module, by a .pth
file. In modules whose name begins with `autograder`, an import then gives what it would give on
that system; libraries, which have builds of their own for it, keep everything. So this shows what
the kit itself needs, and nothing of how a system behaves: its paths, consoles, locks and processes
are those of this machine. Which names a system lacks is in the documentation of Python's library.
"""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
PREFIX = "autograder"
NO_MODULES = {
    "win32": {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"},
    "darwin": set[str](),
}
LINUX_ONLY = {
    "os": "O_PATH O_TMPFILE copy_file_range eventfd getxattr listxattr memfd_create pidfd_open "
    "posix_fadvise posix_fallocate removexattr sched_getaffinity sched_setaffinity setns setxattr "
    "unshare",
    "signal": "sigtimedwait sigwaitinfo",
    "socket": "AF_NETLINK SO_PEERCRED",
    "mmap": "MAP_POPULATE MAP_STACK",
}
POSIX_ONLY = {
    "os": "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK WEXITSTATUS WIFSIGNALED WNOHANG "
    "WTERMSIG chown chroot confstr ctermid fchdir fchmod fchown fork forkpty get_blocking getegid "
    "geteuid getgid getgroups getloadavg getpgid getuid killpg lchown lockf mkfifo mknod nice "
    "openpty pipe2 posix_spawn pread preadv pwrite readv register_at_fork set_blocking setgid "
    "setpriority setsid setuid statvfs sync sysconf tcgetpgrp ttyname uname wait wait4 waitid "
    "writev",
    "signal": "ITIMER_PROF ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGPROF "
    "SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIG_BLOCK "
    "SIG_SETMASK SIG_UNBLOCK alarm getitimer pause pthread_kill pthread_sigmask setitimer "
    "siginterrupt sigpending sigwait",
    "socket": "AF_UNIX recv_fds send_fds",
    "time": "CLOCK_MONOTONIC clock_getres clock_gettime pthread_getcpuclockid tzset",
    "select": "epoll kqueue poll",
    "mmap": "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED PROT_EXEC PROT_READ PROT_WRITE",
}
CHANGED = {*LINUX_ONLY, *POSIX_ONLY, "subprocess", "sys"}


def environment(folder: Path, system: str, kit: Path) -> Path:
    """Make an environment in `folder` that imitates a system. Returns its Python.

    kit: the folder whose autograder it imports. Other packages are those of this process.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (folder / "imitated").write_text(system, encoding="utf-8")
    packages = next(folder.glob("lib/python*/site-packages"))
    own = [path for path in sys.path if path.endswith("site-packages")]
    lines = [str(kit), str(HERE), *own, "import imitated; imitated.begin()"]
    (packages / "imitated.pth").write_text("\n".join(lines), encoding="utf-8")
    return folder / "bin" / "python"


def begin() -> None:
    """Let the modules of the kit import what there is on the imitated system."""
    system = Path(sys.prefix, "imitated").read_text(encoding="utf-8")
    real, made = builtins.__import__, dict[str, ModuleType]()

    def imported(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        importer = str((globals or {}).get("__name__", ""))
        if level or not importer.startswith(PREFIX):
            return real(name, globals, locals, fromlist or (), level)
        if name in NO_MODULES[system]:
            raise ModuleNotFoundError(f"No module named {name!r} on {system}", name=name)
        if name not in made and name == "msvcrt" and system == "win32":
            made[name] = _msvcrt()
        if name not in made and name in CHANGED:
            made[name] = _changed(real(name), system)
        return made.get(name) or real(name, globals, locals, fromlist or (), level)

    builtins.__import__ = imported


class Limited(ModuleType):
    """A module without some of its names, and with others. What is set here is set there."""

    def __init__(self, real: ModuleType, without: set[str], more: dict[str, object]) -> None:
        super().__init__(real.__name__)
        object.__setattr__(self, "_limits", (real, without, more))

    def __getattribute__(self, name: str) -> Any:
        real, without, more = object.__getattribute__(self, "_limits")
        if name in more:
            return more[name]
        if name in without:
            raise AttributeError(f"module {real.__name__!r} has no attribute {name!r} here")
        return getattr(real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "_limits")[0], name, value)


def _changed(real: ModuleType, system: str) -> ModuleType:
    """Return a module as it is on a system."""
    name = real.__name__
    without, more = {*LINUX_ONLY.get(name, "").split()}, dict[str, object]()
    if name == "sys":
        more["platform"] = system
    if system == "win32":
        without |= {*POSIX_ONLY.get(name, "").split()}
        if name == "os":
            more = {"name": "nt", "O_BINARY": 0, "set_handle_inheritable": os.set_inheritable}
        if name == "subprocess":
            more = {"STARTUPINFO": _Startup, "Popen": _Popen}
    return Limited(real, without, more)


class _Startup:
    """Handles that a new process inherits; here they are descriptors."""

    def __init__(self, lpAttributeList: dict[str, list[int]]) -> None:
        self.handles = lpAttributeList["handle_list"]


class _Popen(subprocess.Popen[Any]):
    """A process that is started with the options of Windows."""

    def __init__(
        self, *arguments: Any, startupinfo: _Startup | None = None, **options: Any
    ) -> None:
        refused = {"pass_fds", "preexec_fn"} & {*options}
        if refused:
            raise ValueError(f"{', '.join(refused)} is not supported on Windows platforms")
        if startupinfo:
            options["pass_fds"] = startupinfo.handles
        super().__init__(*arguments, **options)


def _msvcrt() -> ModuleType:
    """Make the module of Windows for its C library, whose handles are descriptors here."""
    import fcntl

    def locking(descriptor: int, mode: int, size: int) -> None:
        free = mode == made["LK_UNLCK"]
        fcntl.flock(descriptor, fcntl.LOCK_UN if free else fcntl.LOCK_EX | fcntl.LOCK_NB)

    made: dict[str, Any] = {
        "LK_UNLCK": 0,
        "LK_NBLCK": 2,
        "locking": locking,
        "get_osfhandle": lambda descriptor: descriptor,
        "open_osfhandle": lambda handle, flags: handle,
        "getwch": lambda: sys.stdin.read(1),
    }
    module = ModuleType("msvcrt")
    vars(module).update(made)
    return module
