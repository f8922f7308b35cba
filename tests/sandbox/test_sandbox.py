"""Student code in its own process: the same answers forked and fresh, and all ways to be lost.

Forked children cost milliseconds, fresh ones seconds: what can be asked of one child is
asked of one child, once, by the fixture `recorded`; the ways to be lost need one each.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch
from conftest import sampled
from torch import Tensor

from autograder.client import answers
from autograder.course import root
from autograder.runtime.question_data import question_data
from autograder.runtime.questions import (
    Build,
    Call,
    Hooked,
    Load,
    Move,
    Parameters,
    Question,
    Step,
    Take,
    Train,
    Values,
)
from autograder.runtime.wire import decode, encode
from autograder.sandbox import Child, Limits, Lost, Printed, Sandbox, SandboxFailed, open_sandbox
from autograder.sandbox.child import CPU_CLOCK
from autograder.sandbox.warm import ORDER_SECONDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

WAYS = {"forked": True, "fresh": False}
LIMITS = Limits(seconds=1.0, grace=0.5, reply=4 << 20, printed=1000)
CANARY = "canary-" + "".join(map(str, range(20)))
F64 = torch.float64


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Sandbox]]:
    """Return a forked and a fresh sandbox, started while this process has a secret everywhere."""
    secret = tmp_path_factory.mktemp("secret") / "answers"
    secret.write_text(CANARY)
    with contextlib.ExitStack() as stack:
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("ANSWERS", CANARY)
        held = stack.enter_context(secret.open())
        os.set_inheritable(held.fileno(), True)
        yield {way: stack.enter_context(open_sandbox(LIMITS, fork)) for way, fork in WAYS.items()}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(child: Child, text: str) -> Any:
    """Load a module into a child."""
    job = {
        "stem": "m",
        "texts": {"m": text},
        "siblings": [],
        "homes": {},
        "folders": [""],
        "edit": None,
        "needed": [],
        "substitutes": {},
        "threads": 1,
    }
    return decode(child.ask(encode({**job, "seconds": child.limits.seconds})))


def ask(child: Child, *steps: Step) -> Any:
    job = question_data(Question(steps, seed=3))
    return decode(child.ask(encode({**job, "seconds": child.limits.seconds})))


def build(name: str, *arguments: Any, of: int = 0) -> Step:
    return Build(of, name, arguments, {}, F64)


def call(*inputs: Tensor, of: int = 0, **how: bool) -> Step:
    return Call(of, inputs, F64, **how)


def same(a: Any, b: Any) -> bool:
    """Return whether two trees are equal, tensors in dtype and values."""
    if isinstance(a, Tensor):
        return isinstance(b, Tensor) and a.dtype is b.dtype and torch.equal(a, b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and bool(a == b)


def alive(pid: int) -> bool:
    """Return whether a process is running, not only listed in the process table."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def soon(happens: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Return whether a condition becomes true within this time."""
    end = time.monotonic() + seconds
    while not happens() and time.monotonic() < end:
        time.sleep(0.02)
    return happens()


def offspring(pid: int) -> set[int]:
    """Return the running children of a process."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state not in "ZX":
                found.add(int(stat.parent.name))
    return found


def used(child: Child) -> float:
    """Return the CPU seconds that a child has used so far."""
    assert child.process
    return time.clock_gettime(~child.process << 3 | CPU_CLOCK)


# The same questions, forked and fresh

SUBMISSION = """
import os, sys
import torch
from torch import nn

print("loading")

class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, 2)
        self.drop = nn.Dropout(0.5)
        self.register_buffer("offset", torch.ones(2))
    def forward(self, x):
        print("net", tuple(x.shape))
        return self.drop(self.linear(x)) + self.offset, x[0], "text"

class Echo(nn.Module):
    def forward(self, *inputs):
        return inputs

class Talk:
    def __call__(self, x):
        print("one")
        os.write(1, b"two\\n")
        print("three", file=sys.stderr)
        os.write(2, "vier \\u00e4\\n".encode())
        os.write(1, b"\\xff\\n")
        print("five", end="")

class Flood:
    def __call__(self, x):
        print("x" * 299_999)
        os.write(2, b"y" * 500)

class Forever:
    def __call__(self, x):
        print("before")
        while True:
            x = x + 1

class Hungry:
    def __init__(self, kind):
        self.kind = kind
    def __call__(self):
        if self.kind == "tensor":
            return torch.ones(1 << 34)
        return bytearray(8 << 30)

class Closed:
    def __call__(self):
        sys.stdout.close()
        sys.stderr.close()

class Broken(nn.Module):
    def forward(self, x):
        return self.missing
"""
X = torch.arange(6.0).reshape(2, 3)
WEIGHTS = {"linear.weight": X / 7, "linear.bias": torch.tensor([0.5, -0.5])}
LOAD = Load(0, WEIGHTS)
LARGE = torch.arange(200_000, dtype=torch.float64)
QUESTIONS: dict[str, list[Step]] = {
    "numbers": [
        build("Net", 3),
        Values(0),
        LOAD,
        call(X, gradient=True),
        call(X, strided=True),
        Train(0, False),
        call(X),
        Parameters(0),
        Hooked(0, (X,), F64),
        Move(0, (X,), F64),
    ],
    "types": [
        build("Echo"),
        call(X, X > 2, torch.tensor(3), torch.zeros(0, 2), X.to(torch.bfloat16), X.int()),
    ],
    "large": [build("Echo"), call(LARGE)],
    "talk": [build("Talk"), call(X)],
    "silence": [build("Echo"), call(X)],
    "flood": [build("Flood"), call(X)],
    "problems": [
        build("Absent"),
        call(X),
        build("Net", of=1),
        build("Net", 3, of=2),
        Load(2, {"W": X}),
        build("Broken", of=3),
        call(X, of=3),
    ],
    "late": [build("Forever"), call(X), build("Echo", of=1)],
    "after late": [build("Echo"), call(X)],
    "tensor": [build("Hungry", "tensor"), call()],
    "bytes": [build("Hungry", "bytes"), call()],
    "closed": [build("Closed"), call(), build("Echo"), call(X)],
    "after closed": [build("Echo"), call(X)],
}
Record = dict[str, tuple[Any, Printed]]


@pytest.fixture(scope="module")
def recorded(boxes: dict[str, Sandbox]) -> dict[str, Record]:
    """Return the replies and the output of one child of each kind, by question."""
    return {way: _record(box) for way, box in boxes.items()}


def _record(box: Sandbox) -> Record:
    child = box.child()
    try:
        found = {"load": (begin(child, SUBMISSION), child.printed)}
        for name, steps in QUESTIONS.items():
            found[name] = (ask(child, *steps), child.printed)
        return found
    finally:
        child.end()


@pytest.mark.parametrize("question", ["load", *QUESTIONS])
@pytest.mark.dear
def test_both_ways_reply_the_same(question: str, recorded: dict[str, Record]) -> None:
    forked, fresh = (recorded[way][question][0] for way in WAYS)
    assert same(forked, fresh)


@pytest.mark.parametrize("question", ["load", *QUESTIONS])
@pytest.mark.dear
def test_both_ways_print_the_same(question: str, recorded: dict[str, Record]) -> None:
    assert recorded["forked"][question][1] == recorded["fresh"][question][1]


@pytest.mark.dear
def test_two_children_at_a_time_are_two(boxes: dict[str, Sandbox], way: str) -> None:
    """Ending one child does not affect the other."""
    first, second = boxes[way].child(), boxes[way].child()
    for child, number in ((first, 1), (second, 2)):
        begin(child, f"class M:\n    def __call__(self): return [{number}]\n")
    for ended, other in ((first, second), (second, None)):
        ended.end()
        with pytest.raises(Lost):
            ask(ended, build("M"))
        if other:
            [built] = ask(other, build("M"))
            assert built == {"value": None}


def test_loading_names_what_was_defined(recorded: dict[str, Record], way: str) -> None:
    reply, printed = recorded[way]["load"]
    assert reply["problem"] is None
    assert {"Net", "Echo", "torch"} <= set(reply["names"])
    assert printed == Printed(b"loading\n", b"", 0)


def test_replies_are_right(recorded: dict[str, Record], way: str) -> None:
    found = recorded[way]["numbers"][0]
    assert all("value" in answer for answer in found)
    output, row, text = found[6]["value"]["output"]
    expected = X.double() @ WEIGHTS["linear.weight"].double().T + WEIGHTS["linear.bias"] + 1
    assert torch.allclose(output, expected)
    assert row.tolist() == [0, 1, 2]
    assert text == {"other": "of type str"}
    assert found[3]["value"]["gradients"]["parameters"]["linear.weight"].shape == (2, 3)


def test_long_messages_arrive_whole(recorded: dict[str, Record], way: str) -> None:
    assert torch.equal(recorded[way]["large"][0][1]["value"]["output"][0], LARGE)


def test_stdout_and_stderr_are_apart(recorded: dict[str, Record], way: str) -> None:
    printed = recorded[way]["talk"][1]
    assert printed.stdout == b"one\ntwo\n\xff\nfive"
    assert printed.stderr == "three\nvier ä\n".encode()
    assert printed.dropped == 0
    assert recorded[way]["silence"][1] == Printed()


def test_a_flood_is_cut(recorded: dict[str, Record], way: str) -> None:
    printed = recorded[way]["flood"][1]
    assert printed.stdout == b"x" * LIMITS.printed
    assert printed.stderr == b"y" * 500
    assert printed.dropped == 300_000 - LIMITS.printed


def test_problems_say_what_is_wrong(recorded: dict[str, Record], way: str) -> None:
    found = [answer.get("problem", {}) for answer in recorded[way]["problems"][0]]
    kinds = [problem.get("kind") for problem in found]
    assert kinds == ["absent", "absent", "signature", None, "names", None, "raised"]
    assert found[-1]["frames"] == [
        {"file": "m.py", "line": 57, "code": "return self.missing", "where": "Broken"}
    ]


def test_code_that_takes_too_long_is_told_where(recorded: dict[str, Record], way: str) -> None:
    reply, printed = recorded[way]["late"]
    problem = answers.problem(reply[1]["problem"])
    assert (problem.kind, problem.where) == ("timeout", "Forever")
    assert problem.text == "not finished after 1 s"
    assert problem.frames[-1].code in ("while True:", "x = x + 1")
    assert problem.frames[-1].line in (39, 40)
    assert reply[2] == reply[1]
    assert printed.stdout == b"before\n"
    assert "value" in recorded[way]["after late"][0][1]


@pytest.mark.parametrize("kind", ["tensor", "bytes"])
def test_memory_is_limited(kind: str, recorded: dict[str, Record], way: str) -> None:
    problem = answers.problem(recorded[way][kind][0][1]["problem"])
    assert (problem.kind, problem.where) == ("memory", "Hungry")


def test_streams_that_were_closed(recorded: dict[str, Record], way: str) -> None:
    assert "value" in recorded[way]["closed"][0][3]
    assert "value" in recorded[way]["after closed"][0][1]


# All ways to be lost

SWALLOW = """
import time
print("before")
while True:
    try:
        while True:
            time.sleep(5)
    except BaseException:
        pass
"""
PIPES = """
import os, stat, struct, sys
pipes = []
for n in range(3, 1000):
    try:
        pipes += [n] * stat.S_ISFIFO(os.fstat(n).st_mode)
    except OSError:
        pass
def forge(data):
    for n in pipes:
        try:
            os.write(n, data)
        except OSError:
            pass
"""
ENDS = {
    "swallows": SWALLOW,
    "segfault": "import os, signal\nprint('before')\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "abort": "import os\nos.abort()\n",
    "leaves": "import os\nprint('before')\nos.write(2, b'also')\nos._exit(3)\n",
    "kills itself": "import os\nos.kill(os.getpid(), 9)\n",
    "forges": PIPES + "forge(b'{\"points\": 100}' * 10)\n",
    "forges long": PIPES + "forge(struct.pack('<4sIQ', b'attn', 2**32 - 1, 2**60))\n",
    "forges tree": PIPES + "forge(struct.pack('<4sIQ', b'attn', 5, 0) + b'[1, 2')\nos._exit(0)\n",
    "replies too long": "globals().update({f'{i:05000}': i for i in range(1000)})\n",
    "hangs up": "import os\nos.closerange(3, 50)\n" + SWALLOW,
    "unlinks": "import os\ntry:\n    os.unlink(os.readlink('/proc/self/fd/1'))\nexcept OSError:\n"
    "    pass\nos._exit(0)\n",
}


@dataclass(frozen=True)
class End:
    """The end of a child: the kind of Lost, or the name of another exception, or 'replied'."""

    kind: str
    text: str
    printed: Printed


@pytest.fixture(scope="module")
def end_of(boxes: dict[str, Sandbox]) -> Callable[[str, str], End]:
    """Return a cached function: the end of a child of a kind that loads one of ENDS."""
    return cache(lambda way, name: _end(boxes[way], ENDS[name]))


def _end(box: Sandbox, text: str) -> End:
    child = box.child()
    kind, said = "replied", ""
    try:
        begin(child, text)
    except Lost as lost:
        kind, said = lost.kind, str(lost)
    except Exception as error:
        kind, said = type(error).__name__, str(error)
    finally:
        child.end()
    return End(kind, said, child.printed)


@pytest.mark.dear
@pytest.mark.parametrize(
    "name, kind, text",
    [
        ("swallows", "killed", "not finished after 1 s"),
        ("segfault", "crashed", "the process crashed (SIGSEGV)"),
        ("leaves", "left", "the code ended its own process (exit code 3)"),
        ("forges", "garbled", "its reply is invalid (the message does not begin with "),
        ("replies too long", "garbled", f"more than the {LIMITS.reply} allowed"),
    ],
)
def test_lost(name: str, kind: str, text: str, way: str, end_of: Callable[[str, str], End]) -> None:
    end = end_of(way, name)
    assert end.kind == kind
    assert text in end.text


@pytest.mark.parametrize(
    "name, kind",
    [
        ("abort", "crashed"),
        ("kills itself", "sigkill"),
        ("forges long", "garbled"),
        ("forges tree", "Garbled"),
    ],
)
def test_lost_in_other_ways(name: str, kind: str, end_of: Callable[[str, str], End]) -> None:
    assert end_of("forked", name).kind == kind


@pytest.mark.parametrize("name", ["hangs up", "unlinks"])
def test_whatever_code_does_it_is_the_child_that_is_lost(
    name: str, way: str, end_of: Callable[[str, str], End]
) -> None:
    """The sandbox raises only Lost."""
    assert end_of(way, name).kind in ("killed", "crashed", "left")


def test_code_that_closes_its_pipes_is_not_said_to_crash(
    end_of: Callable[[str, str], End],
) -> None:
    end = end_of("forked", "hangs up")
    assert end.text == "the code closed the connection to the grader"


@pytest.mark.dear
@pytest.mark.parametrize("name", ["swallows", "segfault", "leaves"])
def test_what_was_printed_before_the_end_is_kept(
    name: str, way: str, end_of: Callable[[str, str], End]
) -> None:
    printed = end_of(way, name).printed
    assert printed.stdout == b"before\n"
    assert printed.stderr == (b"also" if name == "leaves" else b"")


@pytest.mark.parametrize("text", ["x = " + "-" * 100_000 + "1", "x" + ".a" * 20_000])
def test_a_text_too_deep_to_be_parsed(text: str, boxes: dict[str, Sandbox]) -> None:
    child = boxes["forked"].child()
    try:
        problem = begin(child, text)["problem"]
    finally:
        child.end()
    assert problem["type"] in ("MemoryError", "RecursionError")


def test_a_lost_child_stays_lost(boxes: dict[str, Sandbox], way: str) -> None:
    child = boxes[way].child()
    for _ in range(2):
        with pytest.raises(Lost) as caught:
            begin(child, "import os; os._exit(4)")
        assert caught.value.kind == "left"
    child.end()
    child.end()


# Tests that are fast only with a fork

FLOODS = """
import fcntl, os, threading
def flood(n):
    fcntl.fcntl(n, 1031, 1 << 20)  # a pipe that is never empty
    while True:
        try:
            while True:
                os.write(n, b"x" * 1_000_000)
        except BaseException:
            pass
"""


BUSY = """
import threading
def work():
    while True:
        pass
threading.Thread(target=work, daemon=True).start()
def number():
    return 7.0
"""


@pytest.mark.dear
def test_a_paused_child_does_nothing_until_it_is_asked_again(boxes: dict[str, Sandbox]) -> None:
    child = boxes["forked"].child()
    begin(child, BUSY)
    assert soon(lambda: used(child) > 0.2)
    assert child.pause()
    assert child.pause()
    time.sleep(0.05)  # the signal takes a moment to arrive
    before = used(child)
    time.sleep(0.2)
    assert used(child) == before
    took = Take(0, "number", {}, F64)
    assert ask(child, took)[0].keys() == {"value"}
    assert soon(lambda: used(child) > before + 0.1)
    child.pause()
    child.end()
    assert child.pause()  # also after its end
    with pytest.raises(Lost):
        ask(child, took)


def test_a_child_that_cannot_be_paused_says_so(boxes: dict[str, Sandbox]) -> None:
    child = boxes["fresh"].child()
    assert not child.pause()
    child.end()


@pytest.mark.dear
@pytest.mark.parametrize(
    "text",
    [
        FLOODS + "flood(1)\n",
        FLOODS + "threading.Thread(target=flood, args=(2,), daemon=True).start()\nflood(1)\n",
        FLOODS + "for n in (1, 2, 1, 2):\n    if not os.fork(): flood(n)\nflood(1)\n",
    ],
)
def test_an_endless_flood_ends(text: str, boxes: dict[str, Sandbox]) -> None:
    end = _end(boxes["forked"], text)
    assert end.kind == "killed"
    assert end.printed.stdout == b"x" * LIMITS.printed
    assert end.printed.dropped > 1_000_000


@pytest.mark.dear
@pytest.mark.parametrize("last", ["", "os._exit(0)"])
def test_a_flood_that_goes_on_after_the_reply(last: str, boxes: dict[str, Sandbox]) -> None:
    text = FLOODS + f"for n in (1, 2):\n    if not os.fork(): flood(n)\n{last}\n"
    end = _end(boxes["forked"], text)
    assert end.kind in (("left", "killed") if last else ("replied",))


STOPS = {
    "itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n",
    "into another group": "import os\nos.setpgid(0, os.getppid())\nos._exit(0)\n",
    "timers": "import signal\nfor timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):\n"
    "    signal.setitimer(timer, 0)\nwhile True: pass\n",
}


@pytest.mark.parametrize("name", sampled([*STOPS, *ENDS], each=4))
def test_after_a_lost_child_the_next_one_works(
    name: str, boxes: dict[str, Sandbox], end_of: Callable[[str, str], End]
) -> None:
    """Only forked children need this test: fresh ones share no process."""
    end = _end(boxes["forked"], STOPS[name]) if name in STOPS else end_of("forked", name)
    assert end.kind in ("killed", "crashed", "sigkill", "left", "garbled", "Garbled")
    child = boxes["forked"].child()
    reply = begin(child, "x = 1")
    assert (reply["problem"], reply["names"]) == (None, ["x"])
    child.end()


INHERITED = """
import gc, resource, sys
frame, found = sys._getframe(), []
while frame:
    found += [name for name, value in frame.f_locals.items() if str(value) == "{status}"]
    frame = frame.f_back
for one in gc.get_objects():
    if isinstance(one, resource.struct_rusage) or isinstance(one, dict) and one.get("status"):
        found.append(type(one).__name__)
print(found)
"""


def test_a_child_does_not_inherit_how_another_ended(boxes: dict[str, Sandbox]) -> None:
    """Only forked children could: fresh ones inherit no memory."""
    code = 77
    with pytest.raises(Lost, match=str(code)):
        begin(boxes["forked"].child(), f"import os; os._exit({code})")
    child = boxes["forked"].child()
    begin(child, INHERITED.format(status=code << 8))
    assert child.printed.stdout == b"[]\n"
    child.end()


def test_a_group_that_cannot_be_killed_does_not_keep_its_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """macOS refuses to kill the group of a child that has ended."""
    with open_sandbox(LIMITS, fork=False) as sandbox:
        child = sandbox.child()
        monkeypatch.setattr(os, "killpg", Mock(side_effect=PermissionError))
        child.end()
        assert child._process.poll() is not None  # type: ignore[attr-defined]


@pytest.mark.dear
def test_a_child_that_does_not_read_is_lost(boxes: dict[str, Sandbox], way: str) -> None:
    """The child stops itself between two questions; the second is larger than a pipe."""
    child = boxes[way].child()
    text = "import os, signal, threading\nimport torch\nclass M:\n    def __call__(self, *x):\n"
    text += "        stop = lambda: os.kill(os.getpid(), signal.SIGSTOP)\n"
    text += "        threading.Timer(0.2, stop).start()\n        return torch.tensor(os.getpid())\n"
    begin(child, text)
    pid = int(ask(child, build("M"), call())[1]["value"]["output"])
    assert soon(lambda: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
    found: list[str] = []

    def late() -> None:
        try:
            ask(child, build("M"), call(LARGE))
        except Lost as lost:
            found.append(lost.kind)

    asking = threading.Thread(target=late, daemon=True)
    asking.start()
    asking.join(LIMITS.seconds + LIMITS.grace + 2)
    hangs = asking.is_alive()
    if hangs:
        os.kill(pid, signal.SIGKILL)
        asking.join()
    child.end()
    assert not hangs
    assert found == ["killed"]


# Nothing is left behind

PIDS = """
import os, time
import torch
class Pids:
    def __call__(self):
        return torch.tensor([os.getpid(), grandchild])
grandchild = os.fork()
if not grandchild:
    time.sleep(60)
    os._exit(0)
"""


def test_what_the_code_started_ends_with_it(boxes: dict[str, Sandbox], way: str) -> None:
    child = boxes[way].child()
    begin(child, PIDS)
    pid, grandchild = ask(child, build("Pids"), call())[1]["value"]["output"].tolist()
    assert alive(pid)
    assert alive(grandchild)
    ending = threading.Thread(target=child.end)
    ending.start()
    gone = soon(lambda: not alive(grandchild), 2)
    ending.join(2)
    ended = not ending.is_alive()
    if not gone:
        os.kill(grandchild, signal.SIGKILL)
    ending.join()
    assert not alive(pid)
    assert ended
    assert gone


@pytest.mark.dear
def test_closing_leaves_no_process(way: str) -> None:
    """Closing also ends a child that is still busy."""
    before = offspring(os.getpid())
    with open_sandbox(LIMITS, WAYS[way]) as box:
        child = box.child()
        begin(child, PIDS.replace("os.fork()", "1"))
        pid = int(ask(child, build("Pids"), call())[1]["value"]["output"][0])
        started = {pid} | offspring(os.getpid()) - before
        assert alive(pid)
        assert len(started) == 2  # the child, and the warm or the spare process
    left = {process for process in started if alive(process)}
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert left == set()


@pytest.mark.dear
def test_ending_a_child_of_a_closed_sandbox_starts_nothing(way: str) -> None:
    before = offspring(os.getpid())
    with open_sandbox(LIMITS, WAYS[way]) as box:
        child = box.child()
    child.end()
    assert offspring(os.getpid()) == before


def test_closing_at_once_leaves_no_process(way: str) -> None:
    """It waits for no process that is still importing torch; this one is even stopped."""
    before = offspring(os.getpid())
    with open_sandbox(LIMITS, WAYS[way]):
        started = offspring(os.getpid()) - before
        [process] = started
        os.kill(process, signal.SIGSTOP)
        begun = time.monotonic()
    assert time.monotonic() - begun < ORDER_SECONDS / 2
    assert not any(map(alive, started))


GRADER = """
import json
from autograder.runtime.protocol import MAGIC, PREFIX
from autograder.sandbox import Limits, open_sandbox
box = open_sandbox(Limits(seconds=60.0), fork=True)
places = {"siblings": [], "homes": {}, "folders": [""], "edit": None, "needed": []}
job = {"stem": "m", **places, "substitutes": {}, "threads": 1, "seconds": 60.0}
tree = {**job, "texts": {"m": "while True:\\n    pass"}}
header = json.dumps(tree).encode()
box.child().ask(PREFIX.pack(MAGIC, len(header), 0) + header)
"""


@pytest.mark.dear
def test_the_warm_process_and_its_child_end_with_the_grader() -> None:
    grader = subprocess.Popen([sys.executable, "-c", GRADER], cwd=root())
    try:
        assert soon(lambda: len(_descendants(grader.pid)) == 2, 60)
        family = _descendants(grader.pid)
    finally:
        grader.kill()
        grader.wait()
    assert soon(lambda: not any(map(alive, family)))


def _descendants(pid: int) -> set[int]:
    direct = offspring(pid)
    return direct | {grandchild for child in direct for grandchild in offspring(child)}


# No answer can be reached

SPY = """
import gc, json, os, sys

first, second, decoy = "canary-01234", "567891011121314151617181" + "9", "a decoy " + "to be found"
found = []

def look(where, values):
    text = " ".join({value for value in values if type(value) is str})
    found.extend(where + kind for kind, needle in (("", first + second), (" decoy", decoy))
                 if needle in text)

def dictionaries():
    return [getattr(module, "__dict__", {}) for module in list(sys.modules.values())]

def objects():
    for thing in gc.get_objects():
        if isinstance(thing, dict):
            yield from list(thing.values())
        elif isinstance(thing, (list, tuple, set)):
            yield from list(thing)

def opened():
    for n in range(3, 256):
        try:
            path = os.readlink(f"/proc/self/fd/{n}")
            yield path
            yield open(path).read() if path.startswith("/") else ""
        except (OSError, ValueError):
            pass

gc.unfreeze()
look("environment", [*os.environ.values(), open("/proc/self/environ").read()])
look("arguments", sys.argv)
look("modules", [value for names in dictionaries() for value in list(names.values())])
look("objects", objects())
look("descriptors", opened())
kit = [name for name in sys.modules if name.startswith(("autograder.", "solutions", "attention"))]
print(json.dumps([found, sorted(kit)]))
"""


def test_the_spy_would_find_it() -> None:
    """The spy finds the canary in a process that contains it."""
    held = f"import sys\nanswers = {CANARY!r}\nsys.held = [[answers]]\n"
    spied = subprocess.run(
        [sys.executable, "-c", held + SPY],
        env={"ANSWERS": CANARY},
        capture_output=True,
        check=True,
        timeout=60,
    )
    found, _ = json.loads(spied.stdout)
    assert {"environment", "modules", "objects", "modules decoy", "objects decoy"} <= set(found)


def test_no_answer_is_within_reach(boxes: dict[str, Sandbox], way: str) -> None:
    with open_sandbox(replace(LIMITS, seconds=20.0), WAYS[way]) as box:  # the search takes long
        child = box.child()
        reply = begin(child, SPY)
        child.end()
    assert reply["problem"] is None
    found, kit = json.loads(child.printed.stdout)
    assert all(name.startswith(("autograder.child", "autograder.runtime")) for name in kit)
    assert "modules decoy" in found
    assert [place for place in found if not place.endswith("decoy")] == []


# A sandbox that does not work


def test_an_interpreter_without_torch(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\necho Traceback >&2\necho 'ImportError: no torch' >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setattr("autograder.sandbox.child.sys.executable", str(script))
    with (
        open_sandbox(LIMITS, WAYS[way]) as box,
        pytest.raises(SandboxFailed, match=r"does not work \(.*\): ImportError: no torch$"),
    ):
        begin(box.child(), "x = 1")
