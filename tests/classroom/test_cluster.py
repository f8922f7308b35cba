"""A Dask cluster grades as this machine does; workers that must not grade are refused by name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Command
from distributed import Client, KilledWorker

from autograder.classroom import cluster
from autograder.classroom.cluster import CannotUseCluster, Cluster
from autograder.classroom.people import GradePeople, Person
from autograder.classroom.worker import GraderSettings
from autograder.course import root
from autograder.course.misconceptions import misconceptions
from autograder.report.rendered import Forms
from autograder.submissions.submission import Submission

BASE = "attention_layer"
COUNT = 24
OTHER = root() / "tests" / "course" / "other_course" / "solutions"
Start = Callable[..., "subprocess.Popen[str]"]
WORK = GradePeople("e" * 16, GraderSettings(False, 10.0, 120.0), Forms(True, False, 1))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a process of Dask, which ends with the test."""
    running: list[subprocess.Popen[str]] = []

    def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        file = f"--scheduler-file={tmp_path / 'scheduler.json'}"
        command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], file]
        process = subprocess.Popen(
            [*command, "--no-dashboard", *arguments[1:]],
            cwd=root(),
            env={**os.environ, **environment},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        running.append(process)
        return process

    yield started
    for process in reversed(running):
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def address(start: Start, tmp_path: Path) -> str:
    """Return the address of a scheduler."""
    start("scheduler", "--port=0", "--host=127.0.0.1")
    file = tmp_path / "scheduler.json"
    while not file.exists() or not file.read_text():
        time.sleep(0.05)
    found: str = json.loads(file.read_text())["address"]
    return found


def worker(start: Start, name: str, **environment: str) -> subprocess.Popen[str]:
    """Start a worker and wait until it is there."""
    options = ("--nthreads=1", "--memory-limit=0", f"--name={name}")
    process = start("worker", *options, **environment)
    assert process.stderr
    assert any("Registered to" in line for line in process.stderr)
    return process


def write_class(folder: Path, solutions: dict[str, str]) -> Path:
    """Write a class of different right and wrong solutions."""
    folder.mkdir()
    right = solutions[BASE]
    wrong = [one.source(right) for one in misconceptions(BASE)][: COUNT // 2]
    for number, text in enumerate([*wrong, *[right] * (COUNT - len(wrong))]):
        (folder / f"s{number:02}.py").write_text(f"{text}\n# {number}\n", encoding="utf-8")
    return folder


@pytest.mark.dear
def test_a_cluster_grades_as_this_machine_does(
    address: str, start: Start, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    asked = ["grade", write_class(tmp_path / "class", solutions), "--json", "--assignment", BASE]
    for name in ("one", "two"):
        worker(start, name)
    run = process(*asked, "--scheduler", address)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == process(*asked, "--anew").stdout


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_that_is_killed_loses_nothing(
    address: str, start: Start, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    asked = ["grade", write_class(tmp_path / "class", solutions), "--json", "--assignment", BASE]
    workers = [worker(start, name) for name in ("one", "two")]
    with (tmp_path / "out").open("w") as out:
        run = subprocess.Popen(
            [sys.executable, "-m", "autograder", *map(str, asked), "--scheduler", address],
            cwd=root(),
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert run.stderr
    assert any(line.startswith("graded 3/") for line in run.stderr)
    nanny = workers[0].pid
    for child in Path(f"/proc/{nanny}/task/{nanny}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)
    assert run.wait(120) == 0, run.stderr.read()
    assert (tmp_path / "out").read_text() == process(*asked, "--anew").stdout


@pytest.mark.dear
@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"AUTOGRADER_COURSE": str(OTHER)}, "its kit, packages or course secret are others than"),
        ({"PATH": "/nowhere"}, "bubblewrap is not installed"),
    ],
)
def test_a_worker_that_must_not_grade_is_refused_by_name(
    environment: dict[str, str],
    why: str,
    address: str,
    start: Start,
    process: Command,
    tmp_path: Path,
    solutions: dict[str, str],
) -> None:
    asked = ["grade", write_class(tmp_path / "class", solutions), "--assignment", BASE]
    worker(start, "bad", **environment)
    run = process(*asked, "--scheduler", address)
    assert (run.returncode, run.stdout) == (3, "")
    assert "The worker tcp://" in run.stderr
    assert why in run.stderr
    assert f"No worker of the cluster at {address} can grade." in run.stderr
    worker(start, "good")
    run = process(*asked, "--scheduler", address, "--json")
    assert run.returncode == 0
    assert why in run.stderr
    assert {one["status"] for one in json.loads(run.stdout)["submissions"]} == {"graded"}


@pytest.fixture
def website() -> Iterator[str]:
    """Return the address of a server that speaks another protocol."""
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:9", "nowhere", "tcp://[", "x://y", "website"])
def test_no_scheduler_is_said_in_a_sentence(
    where: str, website: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = website if where == "website" else where
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    monkeypatch.setattr(cluster, "Client", None)  # one without a scheduler cannot be closed
    with pytest.raises(CannotUseCluster) as refused:
        Cluster(WORK, address, print)
    assert str(refused.value) == (
        f"There is no Dask scheduler at {address}. Start one: dask scheduler."
    )


@pytest.mark.dear
def test_a_worker_is_no_scheduler(address: str, start: Start) -> None:
    worker(start, "one")
    with Client(address, set_as_default=False) as client:
        (found,) = client.scheduler_info()["workers"]
    with pytest.raises(CannotUseCluster, match="no Dask scheduler"):
        Cluster(WORK, found, print)


@pytest.mark.dear
def test_no_worker_is_said_in_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTING", 2.0)
    with pytest.raises(CannotUseCluster, match="has no worker"):
        Cluster(WORK, address, print)


class Executor:
    """Ends each job with an error, or never."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error

    def submit(self, *_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.error:
            future.set_exception(self.error)
        return future


def a_cluster(
    error: BaseException | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> Cluster:
    """Return a cluster whose workers end each job with an error, or never."""
    monkeypatch.setattr(Cluster, "__init__", lambda *_: None)
    monkeypatch.setattr(Cluster, "_workers", lambda _: workers)
    made = Cluster(WORK, "", print)
    made.work, made._address, made._executor = WORK, "tcp://x", Executor(error)
    return made


def test_a_person_whose_workers_die_needs_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    died = a_cluster(KilledWorker("task", cast(Any, None), 3), 1, monkeypatch)
    [found] = died.results([Person(7, [Submission("anna", Path("a.py"), BASE)])])
    assert found.number == 7
    assert found.of_each[0].grade.status == "needs_staff"
    assert "Several processes that graded it died. " in found.of_each[0].grade.message


def test_a_cluster_that_has_lost_all_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.01)
    monkeypatch.setattr(cluster, "PATIENCE", 0.05)
    lost = a_cluster(None, 0, monkeypatch)
    with pytest.raises(CannotUseCluster, match="finished results are kept"):
        next(lost.results([Person(0, [])]))
