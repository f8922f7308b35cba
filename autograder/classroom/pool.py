"""A class graded on all cores, as far as the start of a process for each is worth it.

A process takes one job at a time. Each is a pool of its own, so that it is known which job one had
when it died, and no other is disturbed. Any executor of concurrent.futures could stand in its
place.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from autograder.classroom import worker
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings, Result, Results
from autograder.sandbox import Limits

Done = Callable[[int, int, "float | None"], None]
WORTH = 50  # jobs, which cost about as much as to start a process that imports torch twice
PATIENCE = 30.0  # seconds for each process: then one more is worth its start, if jobs wait
ATTEMPTS = 2  # at a job whose process dies
DIED = "Twice the process in which it was graded died."
Timed = tuple[Result, float]


def grade_all(
    jobs: Iterable[Job],
    results: Results,
    done: Done = lambda count, total, seconds_left: None,
    processes: int | None = None,
    locked: bool = True,
    seconds: float = 10.0,
    hints: int = 1,
    budget: float = Limits.budget,
) -> dict[str, Result]:
    """Grade jobs, those with the same digest once, and keep each result as soon as it is there.

    What is in `results` by the same settings is not graded again. done is called with the number of
    those that have a result, of all, and the seconds that the others may take, None while that
    cannot be said. processes: how many, None for as many as are worth it. Returns the results by
    the digests of the jobs. Raises CannotLock, CheckBroken and OSError.
    """
    settings = GradingSettings(
        "locked" if locked else "unlocked", float(seconds), hints, float(budget)
    )
    by_digest = {job.digest: job for job in jobs}
    found = {digest: results.get(digest) for digest in by_digest}
    graded = {
        d: kept for d, kept in found.items() if kept is not None and kept.settings == settings
    }
    todo = deque(job for digest, job in by_digest.items() if digest not in graded)
    if graded:
        done(len(graded), len(by_digest), 0.0 if not todo else None)
    if not todo:
        return graded
    took = 0.0
    size, most = processes or _useful(len(todo)), processes or len(_cores())
    with _Pool(min(size, len(todo)), most, settings) as pool:
        for count, (result, spent) in enumerate(pool.graded(todo), 1):
            results.put(result)
            graded[result.digest] = result
            took += spent
            left = len(by_digest) - len(graded)
            done(len(graded), len(by_digest), took / count * left / len(pool.workers))
    return {digest: graded[digest] for digest in by_digest}


def _useful(count: int) -> int:
    """How many processes are worth their start for so many jobs."""
    return min(len(_cores()), 1 + count // WORTH)


class _Pool:
    """Some processes. They are gone with it, whatever becomes of this one.

    most: how many there may be when it takes longer than was thought.
    """

    def __init__(self, size: int, most: int, settings: GradingSettings) -> None:
        self.settings = settings
        self._most = most
        self._began = time.monotonic()
        self._shares = shares(_cores(), size)
        self._far_end, self._lifeline = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self.workers = [self._worker(number) for number in range(size)]

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # a job may take long; nobody waits for it any more
            self._lifeline.close()
        for executor in self.workers:
            executor.shutdown(cancel_futures=True)
        self._lifeline.close()
        self._far_end.close()

    def graded(self, jobs: Iterable[Job]) -> Iterator[Timed]:
        """The result of each job, in the order in which they are there, and how long it took.

        A job whose process dies is graded in another one, then given up.
        """
        todo = deque((job, 1) for job in jobs)
        busy: dict[Future[Timed], tuple[int, Job, int]] = {}
        idle = list(range(len(self.workers)))
        finished: list[Timed] = []
        while todo or busy:
            while todo and idle:
                number, (job, attempt) = idle.pop(), todo.popleft()
                busy[self._submit(number, job)] = number, job, attempt
            yield from finished  # while the next ones are graded
            finished = []
            if todo and self._is_late():
                idle.append(self._grow())
                continue
            for future in wait(busy, PATIENCE, FIRST_COMPLETED).done:
                number, job, attempt = busy.pop(future)
                idle.append(number)
                try:
                    finished.append(future.result())
                except BrokenProcessPool:
                    self._replace(number)
                    if attempt < ATTEMPTS:
                        todo.appendleft((job, attempt + 1))
                    else:
                        finished.append((worker.given_up(job, self.settings, DIED), 0.0))
        yield from finished

    def _is_late(self) -> bool:
        """Would it have been worth it to begin with one more?"""
        late = time.monotonic() - self._began > PATIENCE * len(self.workers)
        return late and len(self.workers) < self._most

    def _grow(self) -> int:
        """Have one more, wherever there is room. Returns its number."""
        self._shares.append(frozenset(_cores()))
        self.workers.append(self._worker(len(self.workers)))
        return len(self.workers) - 1

    def _submit(self, number: int, job: Job) -> Future[Timed]:
        with _deaf():
            return self.workers[number].submit(worker.grade, job, self.settings)

    def _replace(self, number: int) -> None:
        self.workers[number].shutdown()
        self.workers[number] = self._worker(number)

    def _worker(self, number: int) -> ProcessPoolExecutor:
        """One that keeps to its share of the cores; its process is started with its first job."""
        return ProcessPoolExecutor(
            max_workers=1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=worker.begin,
            initargs=(self._far_end, self._shares[number]),
        )


def shares(cores: Sequence[int], size: int) -> list[frozenset[int]]:
    """The cores of each of some processes; no two have the same while there are enough."""
    return [frozenset(cores[number % len(cores) :: size]) for number in range(size)]


def _cores() -> list[int]:
    """Those on which this process may run, as far as the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Start a process that does not hear Ctrl-C until it has seen to that itself."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
