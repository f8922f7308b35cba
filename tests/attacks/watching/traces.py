"""What an attack may have left on this machine: files, processes, memory in the grader."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from autograder.course import root

MADE = re.compile(r"breach-(\d+)-")  # names of files made by attacks; whose children these were
PLACES = [*map(Path, ("/", "/tmp", "/var/tmp", "/dev/shm", "/run")), Path.home(), root()]
GROWTH = 48 << 20  # bytes of memory that come and go: replies of some MB, and copies of them
PATIENCE = 1.0  # seconds for a process to be gone
PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@dataclass(frozen=True)
class Traces:
    """What there is at a moment. processes: numbers of all that descend from this one."""

    files: frozenset[Path]
    processes: frozenset[int]
    memory: int

    def left_since(self, before: Traces) -> list[str]:
        """What is there that was not there before, in words."""
        found = [f"left the file {path}" for path in sorted(self.files - before.files)]
        more = len(self.processes) - len(before.processes)
        if more > 0:
            found.append(f"left {more} process{'es' * (more > 1)}")
        grown = self.memory - before.memory
        if grown > GROWTH:
            found.append(f"the grader's memory grew by {grown >> 20} MB")
        return found


def adopt_orphans(adopt: bool) -> None:
    """Have what attacks leave behind become children of this process, where they are seen."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)


def traces() -> Traces:
    """What there is now."""
    processes = frozenset(_descendants(os.getpid()))
    return Traces(_files(processes), processes, _memory())


def traces_in_peace(before: Traces) -> Traces:
    """What there is once processes that are ending have ended."""
    end = time.monotonic() + PATIENCE
    while True:
        now = traces()
        if len(now.processes) <= len(before.processes) or time.monotonic() > end:
            return now
        time.sleep(0.02)


def remove_files(left: frozenset[Path]) -> None:
    """Take away what an attack has left."""
    for path in left:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _files(processes: frozenset[int]) -> frozenset[Path]:
    """The files and folders that attacks have made, but for those of another run at this time."""
    found = set()
    for place in PLACES:
        with contextlib.suppress(OSError):
            for path in place.iterdir():
                made = MADE.match(path.name)
                if made and (int(made[1]) in processes or not Path("/proc", made[1]).exists()):
                    found.add(path)
    return frozenset(found)


def _descendants(process: int) -> set[int]:
    """The living processes that come of a process."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(stat.parent.name))
    found, waiting = set(), [process]
    while waiting:
        born = children.get(waiting.pop(), [])
        found |= set(born)
        waiting += born
    return found


def _memory() -> int:
    """Bytes that this process holds."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
