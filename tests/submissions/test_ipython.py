"""Cells define what they define in Jupyter: each case is also run by IPython."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import IPython
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell

from autograder.runtime.source import Source
from autograder.runtime.standin import StandIn
from autograder.runtime.statements import bound
from autograder.submissions.source_text import decode

pytestmark = pytest.mark.skipif(
    IPython.version_info < (9, 18), reason="an older IPython takes off fewer prompts"
)
UNCALLED = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
NEXT = "\n====\n"  # between the cells of a case
LOOP = "def f(x):\n    total = 0\n    for i in range(x):\n        total += i\n    return total"
DOC = 'def f(x):\n    """Add.\n\n    >>> f(1)\n    0\n    """\n    return x'
PASTED = ">>> def f(x):\n...     y = x\n...\n...     return y\n..."
SESSION = "In [1]: def f(x):\n   ...:     y = x\n   ...:     return y\n   ...: "
GUARD = 'if __name__ == "__main__":\n'


def indented(text: str, indent: str = "    ") -> str:
    return "\n".join(indent + line if line.strip() else line for line in text.split("\n"))


MAGICS = [
    "%time x = 1", "%time x = 1; y = 2", "%time  x = 1", "%time x = 'a#b'  # c",
    "%time import math", "%time x, y = 1, 2", "%time x = [\\\n 1]", "%time x = 1 + \\\n  2\ny = 4",
    "%time %time x = 1", "%time %prun -q x = 1", "%time !true\nx = 1",
    "%time for i in (1, 2): x = i", "%time", "x = %time 5", "x = %time [i for i in range(3)]",
    "x = %time max('a', 'b')", "x =%time 5", "x=  %time 5", "x = %time %time 5", "x = %time 'a'",
    "d = {}\nd['x'] = %time 5", "x, y = %time 1, 2", "x: int = %time 5",
    "%time --no-raise-error x = 1", "%time x = '%time y = 2'", "%prun -q x = 1",
    "%prun -q -s cumulative x = 1", "%prun -q -l 3 -stime x = 1", "%prun -D {tmp}/p -q x = 1",
    "%prun -T {tmp}/p -q x = 1", "%prun -rq x = 1", "x = %prun -rq 5",
    "%timeit -n1 -r1 x = 1\ny = 2", "x = %timeit -n1 -r1 -o -q 1\ny = 2", "%timeit -n1 -r1 1",
    "%env CELL=7\nimport os\nx = os.environ['CELL']",
    "%env CELL 8\nimport os\nx = os.environ['CELL']",
    "%set_env CELL=a b\nimport os\nx = os.environ['CELL']",
    "%env CELL = 9 \nimport os\nx = os.environ['CELL']",
    "%set_env CELL 'q'\nimport os\nx = os.environ['CELL']",
    "%env CELL=a=b\nimport os\nx = os.environ['CELL']",
    "%env CELL=a\\b\nimport os\nx = os.environ['CELL']", "x = %env HOME", "%env HOME\nx = 1",
    "y = %pwd\nx = 2", "%precision 3\nx = 1 / 3", "%xmode Plain\nx = 1", "%who\nx = 1",
    "%who_ls\nx = 1", "%lsmagic\nx = 1", "%pwd\nx = 1", "  \n%pwd\nx = 1", "x = 1\n%pwd",
    "x = 1\n%pwd\n", "x = 1;\n%pwd", "# a\n%pwd\nx = 1", "# a \\\n%pwd\nx = 1",
    "x = 1  # \\\n%pwd\ny = 2", "%pwd \\\n  \nx = 1", "%precision \\\n 3\nx = 1",
    "if True:\n    %pwd\n    x = 1", "if True:\n    %pwd\nx = 1", "if True:  # c\n    %pwd\nx = 1",
    "if True:\n    %time x = 1\nelse:\n    %time x = 2", "for i in range(2):\n    %time x = i",
    "if False:\n    x = 1\nelse:\n    !true\nx = 2",
    "try:\n    !true\nexcept Exception:\n    !true\nx = 1",
    "with open('/dev/null') as f:\n    %pwd\n    x = 1", "while False:\n    %pwd\nx = 1",
    "def f():\n    %pwd\n    return 1\nx = f()", "def f():\n    !true\nx = f()",
    "def f():\n    y = %pwd\n    return 1\nx = f()", "class A:\n    %pwd\n    x = 1",
    "%load_ext autoreload\n%autoreload 2\nx = 1", "%load_ext autoreload\n%aimport math, json",
    "%load_ext autoreload\n%aimport -math\nx = 1", "%load_ext autoreload\n%aimport os.path",
    "%load_ext autoreload\n%aimport math, -json,os",
    "%load_ext autoreload\n%aimport", "%%time\nx = 1", "\n\n%%time\nx = 1", " \n%%time\n\nx = 1",
    "%%time\n%%time\nx = 1", "%%time\n%time x = 1\n!true", "%%time\n    x = 1\n    y = 2",
    "%%time\n>>> x = 1\n>>> y = 2", "%%time\nx = 1\n5", "%%time  \nx = 1", "    %%time\n    x = 1",
    "%%prun -q\nx = 1", "%%capture\nx = 1", "%%capture out\nx = 1",
    "%%capture --no-stderr out\nx = 1", "%%capture out\n%%time\nx = 1",
    "%%capture --no-stdout --no-display out\nprint(1)\nx = 1", "%%capture\n!true\nx = 1",
    "%%capture\n%pwd\nx = 1", "%%capture\n%%bash\ntrue",
    "%%bash\ntrue 'x' # y\nif true; then true; fi", "%%sh\nx=1", "%%script true\nx = 1",
    "%%html\n<b>x = 1</b>", "%%latex\n$x = 1$", "%%javascript\nx = 1", "%%markdown\nx = 1",
    "%%writefile {tmp}/t.txt\nx = 1", "%%file {tmp}/t.txt\nx = 1", "%%svg\n<svg></svg>",
    "%%!\ntrue", "%%sx\ntrue", "%%time?\nx = 1", "%%python\nx = 1", "%pinfo print\nx = 1",
    "get_ipython().run_line_magic('pwd', '')\nx = 1",
    "get_ipython().run_line_magic('time', 'x = 1')",
    "get_ipython().run_line_magic('time', 'x = \\'a\\'')",
    "x = get_ipython().run_line_magic('time', '5')",
    "get_ipython().run_cell_magic('time', '', 'x = 1\\ny = 2\\n')",
    "get_ipython().run_cell_magic('capture', '', 'x = 1\\n')",
    "get_ipython().system('true')\nx = 1", "get_ipython().system(\n    'true'\n)\nx = 1",
    "x = get_ipython().getoutput('true')", "if True:\n    get_ipython().system('true')\nx = 1",
]  # fmt: skip
SHELLS = [
    "!true\nx = 1", "!!true\nx = 1", "x = !true", "x=!true", "x =!true", "x, y = !printf 'a\\nb'",
    "d = {}\nd['x'] = !true\nx = 1\ndel d", "class A: pass\na = A()\na.x = !true", "(x) = !true",
    "x = !true \\\n  true\ny = 2", "!true \\\n  'a' \\\n (\ny = 2", "!true '\nx = 1",
    "!true (\nx = 1", "!true \"\"\"\nx = 1", "!true # ' \nx = 1", "if True: x = !true",
    "if True:\n    x = !true\n    y = 2", "for i in range(1):\n    !true {i}\n    x = i",
    "x = 1 if 1 != 2 else 0", "x = (1\n     != 2)", "x = 1 \\\n  != 2", "x = 1 !=2", "x = 1!=2",
    "x = '!true'", "x = '''\n!true\n%pwd\n?x\n'''\ny = 2", 'x = """a\n%time y = 1\n"""',
    "x = '''\n%%time\n'''", "x = [\n 5\n %3,\n 4]", "n = 3\nx = (7\n %n)", "x = '%d' \\\n  % 3",
    "n = 3\nx = 7 %n", "n = 3\nx = 7\nx %= n", "x = f'{1!r}'", "y = 1\nx = f'{y=!r}'",
    "x = '= !true'", "x = 1  # = !true", "x = dict(a=1)", "x = r'\\''\n!true",
    "x = 'it\\'s'\n!true\ny = 1", "x = 'a\\\n!true'", "x = {  # (\n 'a': 1}\n!true",
    "x = '\"'\n!true\ny = \"'\"", "!true\n!true\n%pwd\nx = 1\n!true", "x = ')'\n!true\ny = 2",
    "x = '#'\n!true\ny = 2",
]  # fmt: skip
HELPS = [
    "print?\nx = 1", "?print\nx = 1", "print??\nx = 1", "??print\nx = 1", "x = 1\nx?",
    "x = 1\n?x\ny = 2", "import os\nos.path?\nx = 1", "import os\nos.*dir*?\nx = 1", "?\nx = 1",
    "x = print?\ny = 1", "x = [1]\nx[0]?\ny = 1", "%time?\nx = 1", "?%time\nx = 1", "%%time?",
    "x = 'why?'", 'x = "a?"', "x = 1  # why?", "# why?\nx = 1", "x = '''why?\nhow?'''",
    "x = (1,  # why?\n 2)", "if True:\n    print?\nx = 1", "if True:\n    x = 1\n    x?",
    "x = ['a?',\n 'b?']", "y = 1; print?\nx = 1", "print(1)\nprint?\nx = 1",
]  # fmt: skip
PASTES = [
    indented(LOOP), indented(LOOP, "\t"), indented(LOOP, " "), "\n\n" + indented(LOOP),
    indented(LOOP + "\n\n\nx = 1"), indented(LOOP) + "\n  \n", "    # c\n" + indented(LOOP),
    indented("x = '''\na\n'''"), indented("%pwd\nx = 1"), indented("!true\nx = 1"),
    indented("%%time\nx = 1"), "    x = 1", "\tx = 1\n\ty = 2", "  x = 1\n\n  y = 2",
    indented("@staticmethod\ndef f(x):\n    return x"), indented("%time x = 1\ny = 2"), PASTED,
    PASTED + "\n>>> x = f(3)", indented(PASTED), ">>> x = 1", ">>> x = 1\n>>> y = 2", ">>>x = 1",
    ">>> x = 1\nprint(x)", ">>> x = 1\n>>> x\n1", ">>> if True:\n...     x = 1\n...\n>>> y = 2",
    ">>> for i in range(2):\n...   x = i", ">>> %time x = 1", ">>> !true\n>>> x = 1",
    ">>> x = [1,\n...      2]", ">>> x = '''a\n... b'''", ">>> class A:\n...     x = 1",
    ">>> def f():\n...     '''Doc.\n...     more'''\n...     return 1\n>>> x = f()",
    ">>> @property\n... def f(x):\n...     return x", "\n>>> x = 1", "x = 0\n>>> x = 1",
    ">>> x = 1\n\n>>> y = 2", ">>> # c\n>>> x = 1", ">>> x = '>>> y'",
    "    >>> x = 1\n    >>> y = 2", DOC, DOC + "\nx = f(2)", "class A:\n" + indented(DOC),
    "x = ...", "x = [...,\n ...]", "def f(): ...\nx = f()", "def f():\n    ...\nx = f()",
    "class A:\n    ...", "...\nx = 1", SESSION, SESSION + "\n   ...: x = f(2)", "In [1]: x = 1",
    "In [12]: x = 1\nIn [13]: y = 2", "In [1]: x = 1\n\nIn [2]: y = 2", "\nIn [1]: x = 1",
    "x = 0\nIn [1]: x = 1", "In [1]: %time x = 1", "In [1]: !true\nIn [2]: x = 1",
    "[ins] In [1]: x = 1", "In [1]: if True:\n   ...:     x = 1\n   ...: ",
    "In [100]: def f():\n     ...:     return 1", "In [1]: x = [1,\n   ...: 2]",
    "   ...: x = 1\n   ...: y = 2", "x = {'In [1]: ': 1}", "x = 1\ny = 2\nz = 'In [1]: '",
    "In [1]: %%time\n   ...: x = 1",
]  # fmt: skip
CODES = [
    LOOP, "", "\n", "# c", "x = 1", "x = 1;", "x = 1; y = 2;", "x = 1\r\ny = 2\r\n", "\fx = 1",
    "import functools\n@functools.cache\ndef f(x):\n    return x", "async def f():\n    return 1",
    "class A:\n    @staticmethod\n    def f(): return 1\nx = A.f()", "x = lambda: 1", "x: int = 3",
    "x = (yield_ := 3)", "match 1:\n    case 1:\n        x = 2", "def f(x, /, *, y=1): return x",
    "del_ = 1\ndel del_\nx = 1", "try:\n    x = 1 / 0\nexcept ZeroDivisionError:\n    x = 2",
    "for x in range(3): pass", "with open('/dev/null') as x: pass\ny = 1", "x = y = 1",
    "global x\nx = 1", "import asyncio\nawait asyncio.sleep(0)\nx = 1",
    "async def f(): return 4\nx = await f()",
    "async def f(): return 4\nfor i in range(2):\n    x = await f()",
    "if 1 > 2:\n    x = 1\nelse:\n    x = 2",
    "async def f():\n    yield 1\n    yield 2\nx = [i async for i in f()]",
    "async def f(): return 4\nif True:\n    x = await f()\ny = 1" + NEXT + "z = x + 1",
    "from __future__ import annotations\ndef f(x: Nothing): pass",
    "from __future__ import annotations" + NEXT + "def f(x: Nothing) -> None: pass",
    "from __future__ import annotations" + NEXT + "x = 1" + NEXT + "class A:\n    x: Nothing",
    "x = 1" + NEXT + "from __future__ import annotations\ny = 2" + NEXT + "def f(x: Nothing): pass",
    "x = 1" + NEXT + "y = x + 1", "def f(): return x" + NEXT + "x = 3\ny = f()",
    "x = 1" + NEXT + "%time y = x", "x = 1" + NEXT + "%%time\ny = x",
    "x = 1" + NEXT + "%%bash\ntrue", "%time x = 1" + NEXT + "def f(): return x\ny = f()",
    "run_ = 1\nx = run_", "time = 1\nx = time", "time x = 1",
    "env CELL=3" + NEXT + "import os\nx = os.environ['CELL']", "pwd" + NEXT + "x = 1",
    "prun -q x = 1", "prun -q -s time x = 1", "ls -l", "who", "cd {tmp}/nowhere", "precision 3",
    "time = 4" + NEXT + "time /= 2", "load = 4" + NEXT + "load **= 2",
    "config = [1]" + NEXT + "config *= 2",
    "lsmagic", "ls" + NEXT + "x = 1", "env = 3", "time = 4", "run = (1)", "time = 1\ntime in [1]",
]  # fmt: skip
GUARDED = [
    GUARD + "    x = 1" + NEXT + "def f(): return x", GUARD + "    x = 1\ndef f(): return x",
    "if __name__ == '__main__':\n    import math" + NEXT + "def f(): return math.pi",
    "if (__name__ == '__main__'):\n    x = 1\ndef f(): return x", GUARD + "    def f(): return 1",
    "if '__main__' == __name__:\n    x = 1\ndef f(): return x", GUARD + indented(LOOP),
    "if __name__ == '__main__' and True:\n    x = 1\ndef f(): return x",
    GUARD + "    x = 1\nelse:\n    x = 2\ndef f(): return x", GUARD + "    class A:\n        x = 1",
    "if __name__ != '__main__':\n    x = 1\nelse:\n    x = 2\ndef f(): return x",
    "x = __name__ == '__main__'", "def f(): return __name__ == '__main__'\nx = f()",
    GUARD + "    a = 1\n    x = {}\n    for i in range(3): x[i] = a\ndef f(): return x",
    GUARD + "    a = 1" + NEXT + "x = a + 1" + NEXT + "def f(): return x",
    GUARD + "    a = 1" + NEXT + GUARD + "    x = a + 1" + NEXT + "def f(): return x",
    GUARD + "    f = lambda x: x", "def g(): return 1\n" + GUARD + "    f = g",
    GUARD + "    x = 1\nclass A:\n    y = x", GUARD + "    x = 1\ndef f(y=x): return y",
    GUARD + "    x, y = 1, 2\ndef f(): return [x for i in range(y)]",
    GUARD + "    x = 1" + NEXT + GUARD + "    def f(): return x",
    "try:\n    x = 1\nfinally:\n    if __name__ == '__main__':\n        y = 1\ndef f(): return y",
    "x = 'if __name__ == \"__main__\":'",
    GUARD + "    x = 1\n    %time y = 2\ndef f(): return x + y",
    indented(GUARD + "    x = 1\ndef f(): return x"),
    "from functools import partial\n" + GUARD + "    x = 1\ndef f(): return x\ng = partial(f)",
]  # fmt: skip
SAME = [*MAGICS, *SHELLS, *HELPS, *PASTES, *CODES, *GUARDED]
# IPython refuses these or stops in them; here, the rest counts as well.
MORE = [
    "%pwd\n  %time y = 1\nx = 2", "# c\n%%time\nx = 1", "   %%time\nx = 1", "x = 1\n%%time\ny = 2",
    "x = 1\n1 / 0\ny = 2", "x = 1\ny = (\n" + NEXT + "z = 1", "%nothing\nx = 1",
    "print? \nx = 1", "x = 1;\n%pwd;", "%time\tx = 1",
    "from __future__ import annotations" + NEXT + "1 / x_\n" + NEXT + "def f(x: No): pass\nx = 1",
    "%run {tmp}/nowhere.py\nx = 1", "%load_ext nothing\nx = 1", "%time 1 / 0\nx = 1",
    "time x = 1\ny = 2", "pip install x\ny = 2", "x = y = !true\nz = 1", ",f a\nx = 1",
    ";f a\nx = 1", "/f a\nx = 1", "%memit x = 1", "%lprun -f f x = 1", "raise SystemExit\nx = 1",
    "import sys\nsys.exit()" + NEXT + "x = 1", "return 1\nx = 1",
]  # fmt: skip
# Left out: `%%timeit` runs its cell as a function, which defines nothing; here it defines.


def book(case: str) -> bytes:
    cells = [
        {"cell_type": "code", "source": one, "metadata": {}, "outputs": []}
        for one in case.split(NEXT)
    ]
    return json.dumps({"nbformat": 4, "cells": cells}).encode()


def described(names: dict[str, Any]) -> dict[str, object]:
    """Return comparable values by their names."""
    hidden = {"In", "Out", "get_ipython", "exit", "quit", "open", "original_open"}
    return {
        name: inspect.get_annotations(value) if inspect.isclass(value) else _plain(value)
        for name, value in names.items()
        if name not in hidden and not name.startswith("_")
    }


def _plain(value: object) -> object:
    if inspect.isfunction(value):
        annotated = value.__annotations__
        is_plain = (
            not value.__code__.co_flags & UNCALLED and not inspect.signature(value).parameters
        )
        return ("function", annotated, value() if is_plain else "")
    is_plain = isinstance(value, int | float | str | list | tuple | dict)
    return value if is_plain else type(value).__name__


@pytest.fixture(scope="module")
def shell() -> Iterator[Any]:
    made: Any = InteractiveShell()  # type: ignore[no-untyped-call]
    made.history_manager.enabled = False
    made.user_ns["__name__"] = "__main__"
    yield made
    made.history_manager.end_session()


def in_ipython(shell: Any, case: str) -> tuple[dict[str, object], bool]:
    """Return the names that a case defines, as `described`, and whether all of it ran."""
    shell.compile.reset_compiler_flags()
    before = {**shell.user_ns}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        results = [shell.run_cell(cell) for cell in case.split(NEXT)]
    names = {k: v for k, v in shell.user_ns.items() if k not in before or before[k] is not v}
    found = described(names)
    shell.user_ns.clear()  # shell.reset() takes long
    shell.user_ns.update(before)
    return found, all(result.success for result in results)


def here(case: str, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], Any]:
    """Return the names that a case defines in a process for student code, and the problem."""
    code = decode(book(case), Path("m.ipynb"))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    source = Source("m", {"m": code}, [])
    with contextlib.redirect_stdout(io.StringIO()):
        problem = source.load(keep=True)
    del sys.modules["m"]
    return source.namespace, problem


def agree(ours: dict[str, Any], theirs: dict[str, object]) -> bool:
    """Return whether all values agree; a stand-in agrees with what a command gave."""
    stand_ins = {name for name, value in ours.items() if isinstance(value, StandIn)}
    found = described(ours) | {name: theirs[name] for name in stand_ins & theirs.keys()}
    return found == theirs


@pytest.mark.parametrize("case", SAME)
def test_cells_define_what_they_define_in_ipython(
    case: str, shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = case.replace("{tmp}", str(tmp_path))
    monkeypatch.setattr(os, "environ", os.environ.copy())
    theirs, has_run = in_ipython(shell, case)
    ours, problem = here(case, monkeypatch)
    assert has_run
    assert problem is None
    assert agree(ours, theirs), (described(ours), theirs)


@pytest.mark.parametrize("case", MORE)
def test_what_ipython_refuses_defines_no_less_here(
    case: str, shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = case.replace("{tmp}", str(tmp_path))
    theirs, has_run = in_ipython(shell, case)
    ours, _ = here(case, monkeypatch)
    assert not has_run
    assert described(ours).items() >= theirs.items()
    assert {*described(ours)} & {"x", "y", "z"}


LINES = [
    "x = 1", "y = [", "]", "'''", '"""', "    z = 2", "if True:", "else:", "def f():",
    "    return 3", "%pwd", "!ls 'a", "a = !ls", "b = %who", "?q", "# c'", "# d \\", "e = 1 + \\",
    "    2", "g = (", "5)", "h = 'it\\'s'", 'i = "#"', "", "  ", "@dec", "class A:", "    %pwd",
    "    j = !ls", "    !ls", "k = '%s' % 3", "l = 3 # = !x", "m = {'a': 1,", "'b': 2}", "...",
    ">>> n = 1", "... o = 2", ">>> if x:", "In [1]: p = 1", "   ...: q = 2", "r = '''a", "b'''",
    "s = f'{x!r}'", "t = (7", "%n)", "async def u():", "    await v", "w = r'\\'", "!a \\",
    "aa = !b \\", "  c", "get_ipython().system('ls')", "bb = 3;", "for dd in e: pass",
    "with e as ee:", "\tff = 1", "%time? ", "from a import gg as hh",
]  # fmt: skip


def assigned(text: str) -> list[str]:
    """Return the names that a text binds. Raises SyntaxError."""
    tree = ast.parse(text)
    compile(tree, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return sorted(name for statement in tree.body for name in bound(statement))


@pytest.mark.dear
def test_cells_of_random_lines_bind_what_they_bind_in_ipython() -> None:
    made: Any = TransformerManager  # which has no types
    random, manager, read = Random(1), made(), 0
    while read < 400:
        cell = "\n".join(random.choices(LINES, k=random.randint(1, 7)))
        try:
            theirs = assigned(manager.transform_cell(cell))
        except (SyntaxError, RuntimeError):  # IPython refuses it
            continue
        code = decode(book(cell), Path("m.ipynb"))
        assert isinstance(code, list)
        [[_, ours]] = code
        assert ours.count("\n") == cell.count("\n")
        assert assigned(ours) == theirs, cell
        read += 1


def test_a_string_in_a_script_has_no_cells_in_it() -> None:
    text = '"""It\'s\n# %%\n%time x\n"""\n# don\'t\n{}\n'
    for command, python in (("# %%\n%time y = 1", "# %%\ny = 1"), ("# %%\n?", "# %%\n# ?")):
        data = text.format(command).encode()
        assert decode(data, Path("m.py")) == text.format(python)
