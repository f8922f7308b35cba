"""However long a file is, reading it in the grader takes time in proportion to its length."""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import random
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import sampled

from autograder.course import solution
from autograder.submissions import archives, kits_own
from autograder.submissions.bindings import binds, does_nothing
from autograder.submissions.files import Unreadable
from autograder.submissions.finding import find
from autograder.submissions.imports import imports
from autograder.submissions.own_modules import MOST
from autograder.submissions.source_text import MAX_SOURCE, code_lines, decode
from autograder.submissions.undecided import MOST as UNDECIDED
from autograder.submissions.whose import left_out
from autograder.submissions.work import is_in

MANY, SEVERAL = f"holds more than {UNDECIDED} modules", "holds several files"
SLOWEST = 8.0  # seconds of CPU time on a busy machine; on an idle one all take less than 1
UNITS = (
    "!\n", " !\n", "if x:\n !a\n", "%time\n", "%%time\n", "x?\n", "x = !a\n", "x, ", "# %%\n",
    "# In [1]:\n", "# In[ ]:\n\n", "get_ipython().\n", "get_ipython().run_cell_magic('time', '",
    "get_ipython().run_cell_magic('time', '', \"", "<!---->", "<!--", "<?xml>", "<?xml", "<", "'",
    "'''", '"', "(", ")", "\\", "\\\n", "#", ":", ": ", ":\t#", " ", "\t", "\r", "\n", "\f",
    "<<<<<<< \n", ">>>>>>> \n", "<<<<<<<", "def f():\n", "class A:\n pass\n", "import a\n",
    '# %% tags=["active-ipynb"]\n', "#\n", "%run a.py\n", "%%writefile a.py\n", '%%file -a "a/',
    "check()", "check() ", "check() ;", "A.", "_", "1", "from a import *\n",
    "%time ", "%time x\n", "x = %time ", "x = !", "= ", "= !",
    "%env A=1\n", "%prun -q ", "%prun -s ", "%aimport a, ", "%%capture a\n", ">>> x\n", "... x\n",
    ">>> '''\n", "In [1]: ", "In [1]: x\n", "   ...: x\n", "    x\n", "x?\n ",
    "get_ipython().run_line_magic('time', '",
    "%cd a\n", "%cd -q ", "%run a/b.py\n", "%run -n ", "attention_layer ",
    "\ufeff", "\u2028", "\x1c", "é", "\u0301\u0323", "\0",
)  # fmt: skip
COMMANDS = (
    "%cd a", "%cd -q", "%run a", "%run a/b.py", "%run -n", "%env A=1", "%env A", "%aimport a",
    "%time", "%pylab", "%%capture a", "%%writefile a", "x = %time", "!a", "a?",
)  # fmt: skip


@contextlib.contextmanager
def quick(slowest: float = SLOWEST) -> Iterator[None]:
    """Fail if the block takes longer than any submission may hold up the grader."""
    gc.disable()  # other tests have left many objects
    begin = time.process_time()
    try:
        yield
    finally:
        gc.enable()
    assert time.process_time() - begin < slowest


def spoiled() -> Iterator[tuple[str, bytes]]:
    """Yield texts of the greatest allowed length, each of one unit again and again."""
    for unit in UNITS:
        data = unit.encode()
        many = data * (MAX_SOURCE // len(data))
        yield repr(unit), many
        yield f"{unit!r} below a long line", b"x" * 1000 + b":" * 99_000 + b"\n" + many[:99_000]
    for command in COMMANDS:
        for gap in (" ", "\t", "a", "a ", ".py "):
            text = command + gap * (MAX_SOURCE // len(gap) - 50) + "{\n"
            yield f"{command}, many times {gap!r} and a bracket", text.encode()


TEXTS = dict(spoiled())


def refusal(data: bytes, name: str) -> str:
    """Return why a file of this name is refused, or "" if it is read and has code."""
    try:
        assert decode(data, Path(name))
    except Unreadable as refused:
        assert len(str(refused)) < 500
        return str(refused)
    return ""


@pytest.mark.parametrize("name", sampled(TEXTS, each=3))
def test_a_module(name: str) -> None:
    with quick():
        refused = refusal(TEXTS[name], "attention_layer.py")
    text = TEXTS[name].decode()
    if "\0" in text:
        assert "contains NUL bytes" in refused
    elif text.strip(" \t\r\n\ufeff"):
        assert not refused
    else:
        assert "is empty" in refused


@pytest.mark.parametrize("name", sampled(TEXTS, each=10))
def test_a_cell(name: str) -> None:
    text = TEXTS[name].decode()
    data = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": text}]}).encode()
    with quick():
        refused = refusal(data, "attention_layer.ipynb")
    assert ("contains NUL bytes" in refused) if "\0" in text else not refused


BEGINNINGS = ("", "def running_mean_loop(x): ", "class A(nn.Module): ", "x = 1; ", "import ")
STATEMENTS = (
    "a:", "a.", "Module.", "super ", "raise ", "a = None ", "lambda: ", "(a)", "a=b=", "'a' ", "@",
    "import a,", "from a import ", "exec ", "run_line_magic('run', ", "with a as b, ",
    "for a in b ",
)  # fmt: skip


@pytest.mark.dear
@pytest.mark.parametrize("unit", STATEMENTS)
def test_a_long_statement(unit: str) -> None:
    for begin in BEGINNINGS:
        text = f"{begin}{unit * (MAX_SOURCE // len(unit) - 50)}=\nrunning_mean_loop = 1\n"
        with quick():
            assert not does_nothing(text)
            assert binds(text, {"running_mean_loop"})
            assert is_in(code_lines(text), "running_averages")
            found = imports(text)
        assert bool(found) is any(word in text for word in ("import", "exec", "run_line_magic"))


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
    with quick(), pytest.raises(Unreadable, match="it has"):
        decode(data, Path("attention_layer.ipynb"))


BEGIN, END = b'{"cells": [], "outputs": [', b'""], "nbformat": 4}'
MUCH, NO_OUTPUT = "there is too much in its outputs", "it has too much text that is no output"
OUTPUTS: dict[str, tuple[Callable[[], bytes], str]] = {  # a notebook, and why it is refused
    "short texts": (lambda: BEGIN + b'"",' * 4_900_000 + END, ""),
    "very many short texts": (lambda: BEGIN + b'"",' * 45_000_000 + END, MUCH),
    "backslashes": (lambda: BEGIN + b'"' + b"\\\\" * 70_000_000 + b'",' + END, MUCH),
    "quotes with backslashes": (lambda: BEGIN + b'"' + b'\\"' * 70_000_000 + b'",' + END, MUCH),
    "many backslashes in many texts": (
        lambda: BEGIN + (b'"' + b"\\n" * 101 + b'",') * 680_000 + END,
        MUCH,
    ),
    "a text without end": (lambda: BEGIN + b'"' + b"a" * 140_000_000, "Expecting value"),
    "brackets": (lambda: BEGIN + b"[],{}," * 24_000_000 + END, MUCH),
    "nothing": (
        lambda: b'{"cells": [], ' + b'"outputs": [], ' * 9_000_000 + b'"nbformat": 4}',
        "it has more than 50000 cells or outputs",
    ),
    "space behind the key": (
        lambda: b'{"cells": [], "outputs":' + b" " * 140_000_000 + b"[]}",
        NO_OUTPUT,
    ),
    "a tail": (
        lambda: b'{"a": [' + b'{"outputs": []}, ' * 49_000 + b"0]}" + b" " * 19_000_000,
        "it has no list of cells",
    ),
    "no outputs": (lambda: b'{"cells": "' + b"a" * 140_000_000 + b'"}', NO_OUTPUT),
}


@pytest.mark.dear
@pytest.mark.parametrize("kind", sampled(OUTPUTS))
def test_a_notebook_of_large_outputs(kind: str) -> None:
    make, reason = OUTPUTS[kind]
    data = make()
    with quick(), pytest.raises(Unreadable) if reason else contextlib.nullcontext() as refused:
        assert decode(data, Path("attention_layer.ipynb")) == []
    assert refused is None or reason in str(refused.value)


@pytest.mark.dear
def test_many_modules_beside_a_long_one(tmp_path: Path) -> None:
    for number in range(2900):
        (tmp_path / f"a{number}.py").write_text("x = 1\n")
    (tmp_path / "attention_layer.py").write_text("import b\n" * (MAX_SOURCE // 10))
    with quick():
        [found] = find(tmp_path / "attention_layer.py", None)
    assert set(found.texts) == {"attention_layer"}


@pytest.mark.dear
def test_many_imported_modules(tmp_path: Path) -> None:
    names = [f"a{number}" for number in range(2900)]
    for name in names:
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "attention_layer.py").write_text("".join(f"import {name}\n" for name in names))
    with quick():
        [found] = find(tmp_path / "attention_layer.py", None)
    read = [name for name, code in found.texts.items() if "x = 1" in str(code)]
    assert len(found.texts) == 2901 and len(read) == MOST


@pytest.mark.dear
@pytest.mark.parametrize("count", [UNDECIDED, 990])
def test_modules_that_import_each_other(count: int, tmp_path: Path) -> None:
    text = "".join(f"import a{number}\n" for number in range(count))
    with zipfile.ZipFile(tmp_path / "anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            archive.writestr(f"a{number}.py", text)
    with quick():
        [found] = find(tmp_path, "attention_layer")
    assert (SEVERAL if count == UNDECIDED else MANY) in found.problem


@pytest.mark.dear
@pytest.mark.parametrize("unit", ["# %%\na\nb\nc\n", "x = '\U0001f600'\n"])
def test_an_archive_of_long_modules(unit: str, tmp_path: Path) -> None:
    text = unit * ((MAX_SOURCE - 1000) // len(unit.encode()))
    with zipfile.ZipFile(tmp_path / "anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(990):
            archive.writestr(f"a{number}/attention_layer.py", f"y = {number}\n{text}")
    with quick():
        [found] = find(tmp_path, "attention_layer")
    assert MANY in found.problem


@pytest.mark.dear
def test_long_scripts_of_short_cells(tmp_path: Path) -> None:
    """Short cells take three times as long if each line is read as one that may begin a command."""
    text = "# %%\na\nb\nc\n" * ((MAX_SOURCE - 1000) // 11)
    with zipfile.ZipFile(tmp_path / "anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"a{number}/attention_layer.py", f"y = {number}\n{text}")
    with quick(4):
        [found] = find(tmp_path, "attention_layer")
    assert "has too much code in it" in found.problem


@pytest.mark.dear
def test_modules_in_other_letters_than_ascii(tmp_path: Path) -> None:
    """Each is read a few times, however much is asked about it."""
    line = "    x\u00e9 = \u00e9 + '\u00e4 \u00e4 \u00e4 \u00e4'  # \u2026\n"
    text = f"{solution('multi_head')}def f(\u00e9):\n{line * (140_000 // len(line.encode()))}"
    for name in ("anna", "ben"):
        (tmp_path / name).mkdir()
        for number in range(10):
            (tmp_path / name / f"f{number}.py").write_text(f"y = {number}\n{text}")
    with quick():
        found = find(tmp_path, "multi_head")
    assert all(SEVERAL in one.problem for one in found) and len(found) == 2


def test_large_files_of_other_kinds(tmp_path: Path) -> None:
    """Files of any kind are searched for a definition where nothing else holds work."""
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "attention_layer.py").write_text("x = 1\n")
    for number in range(50):
        data = random.Random(number).randbytes(2_000_000)
        (tmp_path / "anna" / f"{number}.bin").write_bytes(data)
    with quick(2.5):
        [found] = find(tmp_path, "attention_layer")
    assert not found.problem


def crowded(path: Path) -> None:
    """Write a zip archive whose members have 16,380 empty extra fields each."""
    extra = struct.pack("<HH", 0x9999, 0) * 16_380
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1000):
            entry = zipfile.ZipInfo(f"a{number}.py")
            entry.extra = extra
            archive.writestr(entry, "")


def long_name(path: Path) -> None:
    """Write a gzip stream with the name of a file of 140 MB."""
    path.write_bytes(b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 140_000_000)


def too_large(path: Path) -> None:
    """Write an archive of members that unpack to more than they may."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(8):
            archive.writestr(f"a{number}.ipynb", bytes(150_000_001))


def accents(path: Path) -> None:
    """Write an archive of members whose names are towers of accents."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(990):
            archive.writestr(f"a{number}" + "\u0301\u0323" * 120 + ".py", "")


@pytest.mark.dear
@pytest.mark.parametrize(
    ("write", "name"),
    [(crowded, "zip"), (long_name, "tar.gz"), (too_large, "zip"), (accents, "zip")],
)
def test_an_archive(write: Callable[[Path], None], name: str, tmp_path: Path) -> None:
    write(tmp_path / f"anna.{name}")
    with quick():
        [found] = find(tmp_path, "attention_layer")
    assert found.problem and len(found.problem) < 500


def test_a_check_file_in_an_archive_is_not_read_if_it_is_too_large(tmp_path: Path) -> None:
    """Where it is only looked for what may hold the work, members may be as large as notebooks."""
    text = "from autograder.x import Exercise\n" + "a=\n" * 4_000_000
    with zipfile.ZipFile(tmp_path / "anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("attention_layer.py", "x = 1\n")
        archive.writestr("test_a.py", text)
    tracemalloc.start()
    with quick():
        [found] = find(tmp_path, "attention_layer")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "test_a.py" in found.problem and "may have 200 kB" in found.problem
    assert peak < 6 * len(text)


@pytest.mark.dear
def test_archives_in_an_archive_share_what_may_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_CONTENT", 20_000_000)
    cells = '{"nbformat": 4, "cells": [], "metadata": "' + " " * 8_000_000 + '"}'
    inner = tmp_path / "inner.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("attention_layer.ipynb", cells)
    with zipfile.ZipFile(tmp_path / "anna.zip", "w") as archive:
        for number in range(10):
            archive.write(inner, f"a{number}.zip")
    tracemalloc.start()
    with quick():
        [found] = find(tmp_path / "anna.zip", "attention_layer")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.problem
    assert peak < 4 * archives.MAX_CONTENT


@pytest.mark.dear
def test_archives_of_many_files(tmp_path: Path) -> None:
    """Which file is in which is told at once."""
    inner = tmp_path / "inner"
    with zipfile.ZipFile(inner, "w") as archive:
        for number in range(archives.MAX_MEMBERS - 10):
            archive.writestr(f"{'a' * 60}{number}.py", "")
    with zipfile.ZipFile(tmp_path / "anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.write(inner, f"a{number}.zip")
    with quick():
        [found] = find(tmp_path / "anna.zip", "attention_layer")
    assert MANY in found.problem


@pytest.mark.dear
def test_no_more_check_files_are_read_than_a_kit_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(path: Path) -> bytes:
        read.append(path)
        return path.read_bytes()

    monkeypatch.setattr(kits_own, "read_data", counted)
    text = "from autograder.x import Exercise\n" + "a=\n" * ((MAX_SOURCE - 100) // 3)
    for folder, count in (("fits", kits_own.MOST), ("many", kits_own.MOST + 1)):
        (tmp_path / "class" / folder).mkdir(parents=True)
        for number in range(count):
            (tmp_path / "class" / folder / f"test_{number}.py").write_text(text)
    (tmp_path / "class" / "attention_layer.py").touch()
    with quick():
        left = left_out(tmp_path / "class")
    assert left == ["many"]  # all in the other are the kit's
    assert {path.parent.name for path in read} == {"fits"}


def test_a_large_cell_of_lines(tmp_path: Path) -> None:
    cell = json.dumps({"cell_type": "code", "source": "!a\n" * 4_900_000})
    (tmp_path / "anna.ipynb").write_text(f'{{"nbformat": 4, "cells": [{cell}]}}')
    with quick():
        [found] = find(tmp_path, "attention_layer")
    assert "has more than 200 kB of code" in found.problem


@pytest.mark.dear
def test_many_spellings(tmp_path: Path) -> None:
    words = " ".join(f"w{number}" for number in range(9000))
    for number in range(9):
        (tmp_path / f"h{number}.py").write_text(f"# {words}")
    imports = "".join(f"import h{number}\n" for number in range(9))
    for letters in itertools.islice(itertools.product("aA", "tT", "tT", "eE", "nN", "tT"), 60):
        (tmp_path / f"{''.join(letters)}ion_layer.py").write_text(imports)
    with quick():
        found = find(tmp_path, "attention_layer")
        left = left_out(tmp_path)
    assert [SEVERAL in one.problem for one in found] == [True]
    assert left == []
