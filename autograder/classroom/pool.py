"""Do a list of jobs on several cores, with as many processes as are worth their start.

A process does one job at a time. Each worker is an executor with a single process: when one dies,
its job is known and the others go on. A worker is given a job only once it has started, so that no
job is lost to a process that the machine has no room for.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from autograder.classroom import worker
from autograder.classroom.worker import JobT, ResultT, Work
from autograder.sandbox import SandboxFailed

KIT = Path(__file__).resolve().parents[2]
JOBS_PER_PROCESS = 50  # take about as long as a start, in which torch is imported twice
PATIENCE = 30.0  # seconds per process, after which one more is worth its start if jobs wait
ATTEMPTS = 2  # at a job whose process dies, and at the start of the only process
DIED = "The process that graded it died twice."
DIED_EARLY = "the process that grades died before it could begin"
NO_PROCESS = "no process can be started ({})"
P = ParamSpec("P")
T = TypeVar("T")


class Pool(Generic[JobT, ResultT]):
    """Worker processes, which end with this one, however it ends.

    count: how many jobs there are, about. processes: how many to start; None for as many as are
    worth it, which are more when jobs take longer than expected.
    """

    def __init__(self, work: Work[JobT, ResultT], count: int, processes: int | None = None) -> None:
        self.work = work
        useful = min(len(_cores()), 1 + count // JOBS_PER_PROCESS)
        size = min(processes or useful, max(count, 1))
        self._most = processes or len(_cores())
        self._done, self._took = 0, 0.0  # jobs, and seconds of all of them
        self._began = time.monotonic()
        self._shares = shares(_cores(), size)
        self._far_end, self._lifeline = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self._starting: dict[Future[None], tuple[int, int]] = {}
        self._idle: list[int] = []
        self.workers = {number: self._worker(number) for number in range(size)}

    def __enter__(self) -> Pool[JobT, ResultT]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # stop running jobs too: nobody waits for their results
            self._lifeline.close()
        for executor in self.workers.values():
            _end(executor)
        self._lifeline.close()
        self._far_end.close()

    def seconds_left(self, count: int) -> float:
        """Return an estimate of the seconds that so many more jobs take."""
        return self._took / max(self._done, 1) * count / len(self.workers)

    def results(self, jobs: Iterable[JobT]) -> Iterator[ResultT]:
        """Yield the result of each job as it is finished.

        A job whose process dies is done once more in a new process, then given up. A process that
        cannot start costs no job anything: the others do all jobs. Raises SandboxFailed if there
        are no others and it fails twice. Jobs are taken one ahead of those that are being done, so
        no more of them are in memory.
        """
        coming = ((job, 1) for job in jobs)
        todo = deque(islice(coming, 1))
        busy: dict[Future[tuple[ResultT, float]], tuple[int, JobT, int]] = {}
        finished: list[ResultT] = []
        for number in self.workers:
            self._start(number)
        while todo or busy:
            while todo and self._idle:
                number, (job, attempt) = self._idle.pop(), todo.popleft()
                future = self._submit(number, worker.do, job, self.work)
                busy[future] = number, job, attempt
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
                    result, seconds = future.result()
                    finished.append(result)
                    self._done, self._took = self._done + 1, self._took + seconds
                    self._idle.append(number)
                    continue
                except SandboxFailed:  # before it had the job
                    todo.appendleft((job, attempt))
                except BrokenProcessPool:
                    if attempt < ATTEMPTS:
                        todo.appendleft((job, attempt + 1))
                    else:
                        finished.append(self.work.given_up(job, DIED))
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
        self._starting[self._submit(number, worker.start, self.work)] = number, attempt

    def _submit(
        self, number: int, call: Callable[P, T], *args: P.args, **more: P.kwargs
    ) -> Future[T]:
        """Let a worker call a function. SandboxFailed is in the future if it has no process."""
        try:
            with _interrupts_blocked(), _in_the_kit():
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
        with _in_the_kit():
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
def _in_the_kit() -> Iterator[None]:
    """Change to the kit's folder while a process starts.

    Python imports modules from the folder in which it is started, and that may be a class's.
    """
    before = os.getcwd()
    os.chdir(KIT)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for a process that starts meanwhile, until it has set its own handler."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
