"""A Dask cluster grades as this machine does; workers that must not grade are refused by name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import repeat
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
    return address_in(tmp_path)


def address_in(folder: Path) -> str:
    """Return the address that a scheduler writes when it is there."""
    file = folder / "scheduler.json"
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


def begun(out: Path, *asked: object) -> subprocess.Popen[str]:
    """Start a command whose results go to a file; return it when three people are graded."""
    with out.open("w") as file:
        run = subprocess.Popen(
            [sys.executable, "-m", "autograder", *map(str, asked)],
            cwd=root(),
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert run.stderr
    assert any(line.startswith("graded 3/") for line in run.stderr)
    return run


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("names", [("one", "two"), ("only",)])
def test_a_worker_that_is_killed_loses_nothing(
    names: tuple[str, ...],
    address: str,
    start: Start,
    process: Command,
    tmp_path: Path,
    solutions: dict[str, str],
) -> None:
    """Its nanny starts it again; if it is the only one, nobody else can go on before."""
    asked = ["grade", write_class(tmp_path / "class", solutions), "--json", "--assignment", BASE]
    workers = [worker(start, name) for name in names]
    run = begun(tmp_path / "out", *asked, "--scheduler", address)
    assert run.stderr
    nanny = workers[0].pid
    for child in Path(f"/proc/{nanny}/task/{nanny}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)
    said = run.stderr.read()
    assert run.wait() == 0, said
    assert (tmp_path / "out").read_text() == process(*asked, "--anew").stdout


@pytest.mark.dear
def test_a_scheduler_that_dies_is_said_in_a_sentence(
    start: Start, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    scheduler = start("scheduler", "--port=0", "--host=127.0.0.1")
    address = address_in(tmp_path)
    worker(start, "one")
    asked = ["grade", write_class(tmp_path / "class", solutions), "--json", "--assignment", BASE]
    run = begun(tmp_path / "out", *asked, "--scheduler", address)
    scheduler.kill()
    assert run.stderr
    said = [line for line in run.stderr if not line.startswith("graded ")]
    assert run.wait() == 3
    assert "".join(said) == cluster.GONE.format(address) + "\n"
    assert json.loads((tmp_path / "out").read_text())["complete"] is False
    again = process(*asked)
    assert again.returncode == 0
    assert again.stdout == process(*asked, "--anew").stdout


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
    asked = ["grade", write_class(tmp_path / "class", solutions), "--assignment", BASE, "--anew"]
    worker(start, "bad", **environment)
    run = process(*asked, "--scheduler", address)
    assert (run.returncode, run.stdout) == (3, ""), run.stderr
    assert "The worker tcp://" in run.stderr
    assert why in run.stderr
    assert f"No worker of the cluster at {address} can grade." in run.stderr
    worker(start, "good")
    run = process(*asked, "--scheduler", address, "--json")
    assert run.returncode == 0
    assert why in run.stderr
    assert {one["status"] for one in json.loads(run.stdout)["submissions"]} == {"graded"}


@pytest.mark.dear
def test_a_worker_without_a_kit_is_said_in_a_sentence(
    address: str, start: Start, tmp_path: Path
) -> None:
    file = tmp_path / "no_kit.py"
    file.write_text("import sys; sys.modules['autograder'] = None")
    worker(start, "bad", DASK_DISTRIBUTED__WORKER__PRELOAD=str(file))
    with pytest.raises(CannotUseCluster, match=r"has no kit .*Start it in the kit's folder"):
        Cluster(WORK, address, print)


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
        self.count = 0

    def submit(self, *_: Any) -> Future[Any]:
        self.count += 1
        future: Future[Any] = Future()
        if self.error:
            future.set_exception(self.error)
        return future


def a_cluster(
    error: BaseException | None, workers: Iterable[set[str]], monkeypatch: pytest.MonkeyPatch
) -> Cluster:
    """Return a cluster whose workers end each job with an error, or never.

    workers: those that are there, each time that they are looked for.
    """
    coming = iter(workers)
    monkeypatch.setattr(Cluster, "__init__", lambda *_: None)
    monkeypatch.setattr(Cluster, "_workers", lambda _: next(coming))
    monkeypatch.setattr(Cluster, "_tell_refused", lambda _: None)
    made = Cluster(WORK, "", print)
    made.work, made._address, made._executor = WORK, "tcp://x", Executor(error)
    return made


def test_a_person_whose_workers_die_needs_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    died = a_cluster(KilledWorker("task", cast(Any, None), 3), repeat({"a"}), monkeypatch)
    [found] = died.results([Person(7, [Submission("anna", Path("a.py"), BASE)])])
    assert found.number == 7
    assert found.of_each[0].grade.status == "needs_staff"
    assert "Several processes that graded it died. " in found.of_each[0].grade.message


def test_a_cluster_that_has_lost_all_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.01)
    monkeypatch.setattr(cluster, "PATIENCE", 0.05)
    lost = a_cluster(None, repeat(set()), monkeypatch)
    with pytest.raises(CannotUseCluster, match="finished results are kept"):
        next(lost.results([Person(0, [])]))


def test_a_person_is_sent_again_when_all_workers_are_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "LOOK", 0.01)
    there = [{"a"}, {"a"}, set(), {"a"}, {"a", "b"}, {"b"}, {"c"}, {"d"}, {"e"}]
    lost = a_cluster(None, there, monkeypatch)
    sent = Executor(None)
    monkeypatch.setattr(lost, "_executor", sent)
    [found] = lost.results([Person(7, [Submission("anna", Path("a.py"), BASE)])])
    assert sent.count == cluster.TRIES
    assert found.of_each[0].grade.status == "needs_staff"
    assert cluster.DIED in found.of_each[0].grade.message


def test_a_connection_that_is_lost_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = a_cluster(CancelledError(), repeat({"a"}), monkeypatch)
    with pytest.raises(CannotUseCluster, match="does not answer any more"):
        next(lost.results([Person(0, [])]))
