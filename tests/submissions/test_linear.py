"""However long a file is, reading it in the grader takes time in proportion to its length."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import sampled

from autograder.submissions.files import Unreadable
from autograder.submissions.finding import find
from autograder.submissions.source_text import MAX_SOURCE, decode

SLOWEST = 2.0  # seconds of CPU time
UNITS = (
    "!\n", " !\n", "if x:\n !a\n", "%time\n", "%%time\n", "x?\n", "x = !a\n", "x, ", "# %%\n",
    "# In [1]:\n", "# In[ ]:\n\n", "get_ipython().\n", "get_ipython().run_cell_magic('time', '",
    "get_ipython().run_cell_magic('time', '', \"", "<!---->", "<!--", "<?xml>", "<?xml", "<", "'",
    "'''", '"', "(", ")", "\\", "\\\n", "#", ":", ": ", ":\t#", " ", "\t", "\r", "\n", "\f",
    "<<<<<<< \n", ">>>>>>> \n", "<<<<<<<", "def f():\n", "class A:\n pass\n", "import a\n",
    '# %% tags=["active-ipynb"]\n', "#\n", "%run a.py\n", "%%writefile a.py\n", "A.", "_", "1",
    "from a import *\n", "attention_layer ", "\ufeff", "\u2028", "\x1c", "é", "\0",
)  # fmt: skip


def spoiled() -> Iterator[tuple[str, bytes]]:
    """Yield texts of the greatest allowed length, each of one unit again and again."""
    for unit in UNITS:
        data = unit.encode()
        many = data * (MAX_SOURCE // len(data))
        yield repr(unit), many
        yield f"{unit!r} below a long line", b"x" * 1000 + b":" * 99_000 + b"\n" + many[:99_000]


TEXTS = dict(spoiled())


@pytest.mark.parametrize("name", sampled(TEXTS, each=30))
def test_a_module(name: str) -> None:
    begin = time.process_time()
    try:
        decode(TEXTS[name], Path("attention_layer.py"))
    except Unreadable as refused:
        assert len(str(refused)) < 500
    assert time.process_time() - begin < SLOWEST


CELLS = {
    "code": {"cell_type": "code", "source": "", "metadata": {}, "outputs": []},
    "commands": {"cell_type": "code", "source": "!a\nx = 1\n"},
    "no keys": {},
    "outputs only": {"outputs": 0},
    "nothing": None,
}


@pytest.mark.parametrize("kind", CELLS)
def test_a_notebook_of_many_cells(kind: str) -> None:
    one = json.dumps(CELLS[kind])
    data = f'{{"nbformat": 4, "cells": [{",".join([one] * 900_000)}]}}'.encode()
    begin = time.process_time()
    with pytest.raises(Unreadable, match="it has"):
        decode(data, Path("attention_layer.ipynb"))
    assert time.process_time() - begin < SLOWEST


def test_many_modules_beside_a_long_one(tmp_path: Path) -> None:
    for number in range(2900):
        (tmp_path / f"a{number}.py").write_text("x = 1\n")
    (tmp_path / "attention_layer.py").write_text("import b\n" * (MAX_SOURCE // 10))
    begin = time.process_time()
    [found] = find(tmp_path / "attention_layer.py", None)
    assert set(found.texts) == {"attention_layer"}
    assert time.process_time() - begin < SLOWEST
