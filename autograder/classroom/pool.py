"""Grade a class on several cores, with as many processes as are worth their start.

A process grades one job at a time. Each worker is an executor with a single process: when one
dies, its job is known and the others go on. A worker is given a job only once it has started, so
that no job is lost to a process that the machine has no room for.
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
from typing import Any, ParamSpec, TypeVar

from autograder.classroom import worker
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings, Result, Results
from autograder.sandbox import Limits, SandboxFailed

Done = Callable[[int, int, "float | None"], None]
JOBS_PER_PROCESS = 50  # take about as long as a start, in which torch is imported twice
PATIENCE = 30.0  # seconds per process, after which one more is worth its start if jobs wait
ATTEMPTS = 2  # at a job whose process dies, and at the start of the only process
DIED = "The process that graded it died twice."
DIED_EARLY = "the process that grades died before it could begin"
NO_PROCESS = "no process can be started ({})"
Timed = tuple[Result, float]  # with the seconds that grading took
P = ParamSpec("P")
T = TypeVar("T")


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
        self._starting: dict[Future[None], tuple[int, int]] = {}
        self._idle: list[int] = []
        self.workers = {number: self._worker(number) for number in range(size)}

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # stop running jobs too: nobody waits for their results
            self._lifeline.close()
        for executor in self.workers.values():
            _end(executor)
        self._lifeline.close()
        self._far_end.close()

    def graded(self, jobs: Iterable[Job]) -> Iterator[Timed]:
        """Yield the result of each job as it is finished, with the seconds that it took.

        A job whose process dies is graded once more in a new process, then given up. A process that
        cannot start costs no job anything: the others grade all jobs. Raises SandboxFailed if
        there are no others and it fails twice. Jobs are taken one ahead of those that are being
        graded, so no more of them are in memory.
        """
        coming = ((job, 1) for job in jobs)
        todo = deque(islice(coming, 1))
        busy: dict[Future[Timed], tuple[int, Job, int]] = {}
        finished: list[Timed] = []
        for number in self.workers:
            self._start(number)
        while todo or busy:
            while todo and self._idle:
                number, (job, attempt) = self._idle.pop(), todo.popleft()
                busy[self._submit(number, worker.grade, job, self.settings)] = number, job, attempt
                todo.extend(islice(coming, 0 if todo else 1))
            yield from finished  # after the submit, so that workers are busy meanwhile
            finished = []
            if todo and not self._starting and self._is_late():
                self._grow()
                continue
            running: list[Future[Any]] = [*self._starting, *busy]
            wait(running, PATIENCE, FIRST_COMPLETED)
            self._look_at_starts()
            for future in [one for one in busy if one.done()]:
                number, job, attempt = busy.pop(future)
                try:
                    finished.append(future.result())
                    self._idle.append(number)
                    continue
                except SandboxFailed:  # before it had the job
                    todo.appendleft((job, attempt))
                except BrokenProcessPool:
                    if attempt < ATTEMPTS:
                        todo.appendleft((job, attempt + 1))
                    else:
                        finished.append((worker.given_up(job, self.settings, DIED), 0.0))
                self._restart(number)
        yield from finished

    def _look_at_starts(self) -> None:
        """Note which workers have started; go on without one that cannot, if there are others.

        Raises SandboxFailed if there are none.
        """
        for future in [one for one in self._starting if one.done()]:
            number, attempt = self._starting.pop(future)
            try:
                future.result()
                self._idle.append(number)
            except (BrokenProcessPool, SandboxFailed) as failure:
                if len(self.workers) > 1:
                    _end(self.workers.pop(number))
                    self._most = len(self.workers)  # the machine has no room for more
                elif attempt < ATTEMPTS:
                    self._restart(number, attempt + 1)
                elif isinstance(failure, SandboxFailed):
                    raise
                else:
                    raise SandboxFailed(DIED_EARLY) from None

    def _is_late(self) -> bool:
        """Return whether jobs have taken so long that one more process is worth its start."""
        late = time.monotonic() - self._began > PATIENCE * len(self.workers)
        return late and len(self.workers) < self._most

    def _grow(self) -> None:
        """Start a worker that may use any core."""
        number = len(self._shares)
        self._shares.append(frozenset(_cores()))
        self.workers[number] = self._worker(number)
        self._start(number)

    def _restart(self, number: int, attempt: int = 1) -> None:
        _end(self.workers[number])
        self.workers[number] = self._worker(number)
        self._start(number, attempt)

    def _start(self, number: int, attempt: int = 1) -> None:
        self._starting[self._submit(number, worker.start, self.settings)] = number, attempt

    def _submit(
        self, number: int, call: Callable[P, T], *args: P.args, **more: P.kwargs
    ) -> Future[T]:
        """Let a worker call a function. SandboxFailed is in the future if it has no process."""
        try:
            with _interrupts_blocked():
                return self.workers[number].submit(call, *args, **more)
        except BrokenProcessPool:
            failure = DIED_EARLY
        except OSError as problem:
            failure = NO_PROCESS.format(problem.strerror or problem)
        except RuntimeError as problem:  # no thread can be started
            failure = NO_PROCESS.format(problem)
        failed: Future[T] = Future()
        failed.set_exception(SandboxFailed(failure))
        return failed

    def _worker(self, number: int) -> ProcessPoolExecutor:
        """Make a worker that stays on its share of the cores. Its first call starts the process."""
        return ProcessPoolExecutor(
            max_workers=1,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=worker.begin,
            initargs=(self._far_end, self._shares[number]),
        )


def _end(executor: ProcessPoolExecutor) -> None:
    """Let the process of a worker end, and wait for it."""
    with contextlib.suppress(RuntimeError):  # its thread did not start: it ends with the pool
        executor.shutdown(cancel_futures=True)


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
