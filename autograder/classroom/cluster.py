"""Grade the people of a class on the workers of a Dask cluster.

Each worker process grades one person at a time, in a warm sandbox of its own. A worker that cannot
lock, or whose kit, packages or course secret are others, gets nobody. Source: the documentation of
Dask's package distributed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any

from distributed import Client, KilledWorker, Worker, rpc
from distributed.comm.core import CommClosedError
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.security import Security

from autograder.classroom import worker as own
from autograder.classroom.people import GradePeople, Person, PersonResults
from autograder.errors import AutograderError, MachineError
from autograder.sandbox import SandboxFailed

AHEAD = 2  # people who are sent to each worker, so that none waits for the next
CONNECTING = 10.0  # seconds
PATIENCE = 60.0  # seconds that a cluster may be without any worker that can grade
LOOK = 5.0  # seconds
TRIES = 3  # of a person whose workers all died
DIED = "Several processes that graded it died."
NO_SCHEDULER = "There is no Dask scheduler at {}. Start one: dask scheduler."
NO_WORKER = "The cluster at {} has no worker. Start some in the kit's folder: dask worker {}."
NO_KIT = "The worker {} has no kit ({}). Start it in the kit's folder, or stop it."
REFUSED = "The worker {} grades nobody: {}"
ALL_REFUSED = "No worker of the cluster at {} can grade."
OTHER = "its kit, packages or course secret are others than here. Make them equal, and restart it."
LOST = "The cluster at {} has had no worker that can grade for {:.0f} s; finished results are kept."
GONE = "The scheduler at {} does not answer any more; finished results are kept."
ENDED = "A worker of the cluster at {} ended while it was prepared. Repeat the command."


class CannotUseCluster(MachineError):
    """A cluster cannot be used; the text says why and what to do."""


class Grading(WorkerPlugin):
    """Prepares each worker that the cluster has, or gets later, to grade one person at a time.

    resource: the name of what a worker has if it can grade, and each person needs.
    """

    def __init__(self, work: GradePeople, resource: str) -> None:
        self.name = resource
        self.work = work

    async def setup(self, worker: Worker) -> None:
        """Prepare a worker; note why it cannot grade, if so."""
        try:
            await asyncio.to_thread(prepare, self.work)
        except AutograderError as problem:
            problems(worker)[self.name] = str(problem)
        else:
            await worker.set_resources(**{self.name: 1})

    async def teardown(self, worker: Worker) -> None:
        """End the worker's sandbox."""
        await asyncio.to_thread(own.close, self.work.settings)


def prepare(work: GradePeople) -> None:
    """Prepare this worker process. Raises CannotLock, ExerciseBroken, SandboxFailed."""
    if work.edition != own.edition():
        raise SandboxFailed(OTHER)
    own.start(work)


def problems(dask_worker: Worker) -> dict[str, str]:
    """Return why a worker cannot grade, by the name of the resource that it therefore lacks."""
    found: dict[str, str] = vars(dask_worker).setdefault("autograder_problems", {})
    return found


async def answers(address: str) -> bool:
    """Return whether a Dask scheduler answers at an address."""
    security = Security().get_connection_args("client")
    try:
        async with rpc(address, connection_args=security) as scheduler:
            found = await asyncio.wait_for(scheduler.identity(), CONNECTING)
    except (OSError, ValueError, asyncio.TimeoutError):
        return False
    except MemoryError:  # another protocol's first bytes are read as a length
        return False
    return bool(found["type"] == "Scheduler")


class Cluster:
    """The workers of a cluster, which grade as a pool of processes does.

    address: of the scheduler. told: called with a sentence about each worker that grades nobody.
    Raises CannotUseCluster.
    """

    def __init__(self, work: GradePeople, address: str, told: Callable[[str], object]) -> None:
        self.work = work
        self._address = address
        self._resource = f"grading-{uuid.uuid4().hex}"
        self._told = told
        self._settled: set[str] = set()  # workers of which is known whether they can grade
        self._done, self._took = 0, 0.0  # people, and seconds for all of them
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # said here
        # A Client that finds no scheduler cannot be closed, and ends with a traceback much later.
        if not asyncio.run(answers(address)):
            raise CannotUseCluster(NO_SCHEDULER.format(address))
        try:
            self._client = Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, TimeoutError):
            raise CannotUseCluster(NO_SCHEDULER.format(address)) from None
        needs = {self._resource: 1}
        # A function of the same arguments would else be called only once.
        self._executor = self._client.get_executor(pure=False, resources=needs)
        try:
            self._prepare()
        except CommClosedError:
            self._close()
            raise CannotUseCluster(ENDED.format(address)) from None
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=False)  # cancels what nobody waits for any more
        self._close()

    def _close(self) -> None:
        """Leave the cluster as it was, as far as it still answers."""
        try:
            # A scheduler that never had it answers with a ValueError or a KeyError.
            with contextlib.suppress(OSError, ValueError, KeyError, asyncio.TimeoutError):
                self._client.unregister_worker_plugin(self._resource)
        finally:
            self._client.close()

    def seconds_left(self, count: int) -> float:
        """Return an estimate of the seconds that so many more people take."""
        return self._took / max(self._done, 1) * count / max(len(self._workers()), 1)

    def results(self, jobs: Iterable[Person]) -> Iterator[PersonResults]:
        """Yield the results of each person as they arrive.

        If a worker dies, Dask sends its person to another one; if all die, this does, once others
        are there. After several deaths a person is given up. Raises CannotUseCluster if no worker
        is left for long, or the scheduler is gone.
        """
        coming = iter(jobs)
        again: list[Person] = []
        tries: Counter[int] = Counter()
        busy: dict[Future[tuple[PersonResults, float]], Person] = {}
        seen, before = time.monotonic(), self._workers()
        while True:
            workers = self._workers()
            if workers and not workers & before:  # all have died: Dask forgets what they had
                for future, job in [*busy.items()]:
                    future.cancel()
                    del busy[future]
                    tries[job.number] += 1
                    if tries[job.number] < TRIES:
                        again.append(job)
                    else:
                        yield self.work.given_up(job, DIED)
            before = workers or before
            self._tell_refused()
            while len(busy) < max(AHEAD * len(workers), 1):
                if not (next_job := again.pop() if again else next(coming, None)):
                    break
                busy[self._executor.submit(own.do, next_job, self.work)] = next_job
            if not busy:
                return
            done, _ = wait(busy, LOOK, FIRST_COMPLETED)
            if workers or done:
                seen = time.monotonic()
            elif time.monotonic() - seen > PATIENCE:
                raise CannotUseCluster(LOST.format(self._address, PATIENCE))
            for future in done:
                yield self._result(future, busy.pop(future))

    def _result(self, future: Future[tuple[PersonResults, float]], job: Person) -> PersonResults:
        try:
            result, seconds = future.result()
        except KilledWorker:
            return self.work.given_up(job, DIED)
        except CancelledError:  # the connection to the scheduler is lost
            raise CannotUseCluster(GONE.format(self._address)) from None
        self._done, self._took = self._done + 1, self._took + seconds
        return result

    def _prepare(self) -> None:
        """Prepare all workers. Raises CannotUseCluster if there is none that can grade."""
        try:
            self._client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError:
            raise CannotUseCluster(NO_WORKER.format(self._address, self._address)) from None
        for name, edition in self._client.run(own.edition, on_error="return").items():
            # One whose kit has a fault, such as no secret, says so when it is prepared.
            if isinstance(edition, Exception) and not isinstance(edition, AutograderError):
                raise CannotUseCluster(NO_KIT.format(name, edition))
        self._client.register_plugin(Grading(self.work, self._resource))
        self._tell_refused()
        if not self._workers():
            raise CannotUseCluster(ALL_REFUSED.format(self._address))

    def _tell_refused(self) -> None:
        """Tell of each worker that grades nobody, once. Raises CannotUseCluster."""
        there = self._info()
        self._settled |= {name for name, one in there.items() if self._is_ready(one)}
        unknown = [name for name in there if name not in self._settled]
        if not unknown:
            return
        found = self._client.run(problems, workers=unknown, on_error="return")
        for name, reasons in sorted(found.items()):
            if isinstance(reasons, dict) and (reason := reasons.get(self._resource)):
                self._settled.add(name)
                self._told(REFUSED.format(name, reason))

    def _is_ready(self, worker: Mapping[str, Any]) -> bool:
        return bool(worker["resources"].get(self._resource))

    def _workers(self) -> set[str]:
        """Return the addresses of the workers that can grade now. Raises CannotUseCluster."""
        return {name for name, one in self._info().items() if self._is_ready(one)}

    def _info(self) -> dict[str, Any]:
        """Return what is known of each worker, by its address. Raises CannotUseCluster."""
        try:
            found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, asyncio.TimeoutError):
            raise CannotUseCluster(GONE.format(self._address)) from None
        return found
