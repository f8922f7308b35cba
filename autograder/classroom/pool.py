"""Grade a class on several cores, with as many processes as are worth their start.

A process grades one job at a time. Each worker is an executor with a single process: when one
dies, its job is known and the others go on.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice

from autograder.classroom import worker
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings, Result, Results
from autograder.sandbox import Limits, SandboxFailed

Done = Callable[[int, int, "float | None"], None]
JOBS_PER_PROCESS = 50  # take about as long as a start, in which torch is imported twice
PATIENCE = 30.0  # seconds per process, after which one more is worth its start if jobs wait
ATTEMPTS = 2  # at a job whose process fails
DIED = "The process that graded it died twice."
FAILED = "The process that was to grade it failed twice: {}."
Timed = tuple[Result, float]  # with the seconds that grading took


def grade_all(
    jobs: Iterable[Job],
    results: Results,
    done: Done = lambda count, total, seconds_left: None,
    processes: int | None = None,
    locked: bool = True,
    seconds: float = 10.0,
    hints: int = 1,
    budget: float = Limits.budget,
    digests: Sequence[str] | None = None,
) -> dict[str, Result]:
    """Grade jobs, equal digests once, and store each result as soon as it exists.

    digests: of all jobs, if they are read one by one; else all are in memory at the same time. All
    jobs are read, also if nothing is left to grade, since whoever sends them may do more with each.
    Jobs with a result in `results` from the same settings are not graded again. done is called
    with the number of jobs that have a result, the number of all, and an estimate of the seconds
    left, or None. processes: how many to start, None for as many as are worth it.
    Returns the results by the digests of the jobs. Raises CannotLock, CheckBroken and OSError, and
    SandboxFailed if no process can grade on this machine.
    """
    settings = GradingSettings(locked, float(seconds), hints, float(budget))
    if digests is None:
        jobs = list(jobs)
        digests = [job.digest for job in jobs]
    stored = {digest: results.get(digest) for digest in digests}
    graded = {
        digest: result
        for digest, result in stored.items()
        if result is not None and result.settings == settings
    }
    todo = len(stored) - len(graded)
    if graded:
        done(len(graded), len(stored), 0.0 if not todo else None)
    others = _others(jobs, {*graded})
    first = next(others, None)  # a job may have changed since, and whoever reads them reads all
    if first is None:
        return graded
    took = 0.0
    size, most = processes or _useful(todo), processes or len(_cores())
    with _Pool(min(size, max(todo, 1)), most, settings) as pool:
        for count, (result, spent) in enumerate(pool.graded(chain([first], others)), 1):
            results.put(result)
            graded[result.digest] = result
            took += spent
            left = max(len(stored) - len(graded), 0)  # a file may have changed since
            done(len(graded), len(stored), took / count * left / len(pool.workers))
    return {digest: graded[digest] for digest in {**stored, **graded} if digest in graded}


def _others(jobs: Iterable[Job], graded: Set[str]) -> Iterator[Job]:
    """Yield the jobs that are not graded yet, those with equal digests once."""
    seen = {*graded}
    for job in jobs:
        if job.digest not in seen:
            seen.add(job.digest)
            yield job


def _useful(count: int) -> int:
    """Return how many processes are worth their start for `count` jobs."""
    return min(len(_cores()), 1 + count // JOBS_PER_PROCESS)


class _Pool:
    """Worker processes, which end with this one, however it ends.

    size: how many at first. most: how many at last, when grading takes longer than expected.
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
        if kind is not None:  # stop running jobs too: nobody waits for their results
            self._lifeline.close()
        for executor in self.workers:
            executor.shutdown(cancel_futures=True)
        self._lifeline.close()
        self._far_end.close()

    def graded(self, jobs: Iterable[Job]) -> Iterator[Timed]:
        """Yield the result of each job as it is finished, with the seconds that it took.

        A job whose process dies, or cannot begin to grade, is graded once more in a new process,
        then given up. Raises SandboxFailed if none could begin so far: then no other would either.
        Jobs are taken one ahead of those that are being graded, so no more of them are in memory.
        """
        coming = ((job, 1) for job in jobs)
        todo = deque(islice(coming, 1))
        busy: dict[Future[Timed], tuple[int, Job, int]] = {}
        idle = list(range(len(self.workers)))
        finished: list[Timed] = []
        has_graded = False
        while todo or busy:
            while todo and idle:
                number, (job, attempt) = idle.pop(), todo.popleft()
                busy[self._submit(number, job)] = number, job, attempt
                todo.extend(islice(coming, 0 if todo else 1))
            yield from finished  # after the submit, so that workers are busy meanwhile
            finished = []
            if todo and self._is_late():
                idle.append(self._grow())
                continue
            for future in wait(busy, PATIENCE, FIRST_COMPLETED).done:
                number, job, attempt = busy.pop(future)
                idle.append(number)
                try:
                    finished.append(future.result())
                    has_graded = True
                except (BrokenProcessPool, SandboxFailed) as failure:
                    has_died = isinstance(failure, BrokenProcessPool)
                    self._replace(number)
                    if attempt < ATTEMPTS:
                        todo.appendleft((job, attempt + 1))
                    elif has_died or has_graded:
                        reason = DIED if has_died else FAILED.format(failure)
                        finished.append((worker.given_up(job, self.settings, reason), 0.0))
                    else:
                        raise
        yield from finished

    def _is_late(self) -> bool:
        """Return whether jobs have taken so long that one more process is worth its start."""
        late = time.monotonic() - self._began > PATIENCE * len(self.workers)
        return late and len(self.workers) < self._most

    def _grow(self) -> int:
        """Add a worker that may use any core. Returns its number."""
        self._shares.append(frozenset(_cores()))
        self.workers.append(self._worker(len(self.workers)))
        return len(self.workers) - 1

    def _submit(self, number: int, job: Job) -> Future[Timed]:
        """Let a worker grade a job. A worker that has died without a job fails in the future."""
        try:
            with _interrupts_blocked():
                return self.workers[number].submit(worker.grade, job, self.settings)
        except BrokenProcessPool as died:
            failure: Exception = died
        except OSError as problem:
            failure = SandboxFailed(f"no process can be started ({problem.strerror or problem})")
        failed: Future[Timed] = Future()
        failed.set_exception(failure)
        return failed

    def _replace(self, number: int) -> None:
        self.workers[number].shutdown()
        self.workers[number] = self._worker(number)

    def _worker(self, number: int) -> ProcessPoolExecutor:
        """Make a worker that stays on its share of the cores. Its first job starts the process."""
        return ProcessPoolExecutor(
            max_workers=1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=worker.begin,
            initargs=(self._far_end, self._shares[number]),
        )


def shares(cores: Sequence[int], size: int) -> list[frozenset[int]]:
    """Divide the cores among `size` processes; they share cores only if there are too few."""
    return [frozenset(cores[number % len(cores) :: size]) for number in range(size)]


def _cores() -> list[int]:
    """Return the cores on which this process may run, or all where the system cannot tell."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for a process that starts meanwhile, until it has set its own handler."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
