"""What interrupts a command waits for what must not stop half-way."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from autograder import interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")


def test_an_interrupt_waits_for_the_end_of_the_block() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupts.postponed():
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_a_second_interrupt_does_not_wait() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupts.postponed() as interrupt:
        interrupt.act(lambda: done.append("told"))
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["told"]


def test_an_import_is_never_interrupted() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupts.postponed(firmly=True):
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        done.append(True)
    assert done


def test_a_thread_postpones_nothing() -> None:
    def work() -> None:
        with interrupts.postponed():
            pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


@pytest.mark.parametrize("arrived", [False, True])
def test_a_process_is_interrupted_once_it_allows_it(arrived: bool) -> None:
    """A signal that is ignored, as under nohup, stays ignored."""
    kept = {number: signal.getsignal(number) for number in interrupts.SIGNALS}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        interrupts.start()
        for number in (signal.SIGTERM, signal.SIGHUP) if arrived else (signal.SIGHUP,):
            signal.raise_signal(number)
        if arrived:
            with pytest.raises(KeyboardInterrupt):
                interrupts.allow()
        else:
            interrupts.allow()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
