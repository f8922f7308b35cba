"""What code sees of its own files: Python's rules of imports, and folders that are on no disk."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from autograder.client import Session, SubmissionImplementation, Text
from autograder.runtime.own_files import ROOT, is_own
from autograder.runtime.source import Code, Source
from autograder.sandbox import Limits, Sandbox, open_sandbox

MAIN = "hw/work.py"
FOLDERS = ("hw", "", "earlier")
FILES = {
    "hw/one.py": "a = 'hw/one'\n",
    "hw/src/two.py": "a = 'hw/src/two'\n",
    "hw/src/one.py": "a = 'hw/src/one'\n",
    "hw/pack/__init__.py": "from .first import a\nfrom . import second\n",
    "hw/pack/first.py": "a = 'hw/pack/first'\n",
    "hw/pack/second.py": "from ..src.two import a\n",
    "hw/plain/inner/three.py": "from ..inner import four\na = __file__\n",
    "hw/plain/inner/four.py": "a = __name__\n",
    "one.py": "a = 'one'\n",
    "lib/five.py": "import os\na = os.path.dirname(os.path.abspath(__file__))\n",
    "earlier/six.py": "a = 'earlier/six'\n",
    "earlier/functional.py": "",
    "earlier/one.py": "a = 'earlier/one'\n",
}
SEEN: dict[str, str] = {
    "its own folder first": "import one; assert one.a == 'hw/one'",
    "other folders last": "import six; assert six.a == 'earlier/six'",
    "where the file lies": (
        "import os; assert os.path.dirname(os.path.abspath(__file__)) == os.getcwd()"
    ),
    "a folder put before": "sys.path.insert(0, 'src'); import one; assert one.a == 'hw/src/one'",
    "a folder put after": "sys.path.append('src'); import one; assert one.a == 'hw/one'",
    "a folder taken away": (
        "sys.path.pop(0); sys.path.append('..'); import one; assert one.a == 'one'"
    ),
    "a folder above": "sys.path.insert(0, '..'); import one; assert one.a == 'one'",
    "a folder beside": "sys.path.append('../lib'); import five; assert five.a.endswith('/lib')",
    "a folder beside, by the file's": (
        "import os\nhere = os.path.dirname(__file__)\n"
        "sys.path.append(os.path.join(here, os.pardir, 'lib')); import five"
    ),
    "a folder of another machine": "sys.path.append(r'C:\\me\\hw\\src'); import two",
    "the end of a path of another machine": "sys.path.append('/home/me/lib'); import five",
    "a path that is none": (
        "from pathlib import Path; sys.path.insert(0, Path('src')); sys.path.insert(0, None)\n"
        "import one; assert one.a == 'hw/one'"
    ),
    "a package": (
        "sys.path.append('..'); from hw import pack\n"
        "assert (pack.a, pack.second.a) == ('hw/pack/first', 'hw/src/two')"
    ),
    "above the package": (
        "try:\n    import pack\nexcept ImportError as error:\n"
        "    assert 'beyond top-level' in str(error)\nelse:\n    assert False"
    ),
    "folders without __init__": (
        "from plain.inner.three import a, four\n"
        "assert (a, four.a) == (f'{ROOT}/hw/plain/inner/three.py', 'plain.inner.four')"
    ),
    "beside, relative": "from .one import a; from . import src; assert a == 'hw/one'",
    "above, relative": "from ..one import a; assert a == 'one'",
    "itself in a package": (
        "x = object()\nsys.path.append('..')\nfrom hw import work as again\nassert again.x is x"
    ),
    "another assignment in a package": (
        "import six\nsys.path.append('..')\nimport earlier.sibling as one, sibling\n"
        "assert one is sibling and sibling.f"
    ),
    "once": "import one; one.a = 'new'; import importlib; assert __import__('one').a == 'new'",
    "again": "import one, importlib; one.a = 1; assert importlib.reload(one).a == 'hw/one'",
    "found by importlib": (
        "from importlib.util import find_spec\n"
        "assert find_spec('one').origin == f'{ROOT}/hw/one.py' and not find_spec('none')"
    ),
    "folders and files": (
        "import os\nfrom os.path import exists, isdir, isfile\n"
        "assert isdir('src') and isdir('../lib') and not isdir('lib') and not isdir('one.py')\n"
        "assert isfile('one.py') and isfile(__file__) and not exists('none.py')"
    ),
    "the folders above": (
        "import pathlib, os\nabove = pathlib.Path(__file__).resolve().parents[3]\n"
        "sys.path.insert(0, str(above)); import one; assert above.is_dir() and one.a == 'hw/one'\n"
        "os.chdir('../../../..'); os.chdir(ROOT); assert os.getcwd() == ROOT"
    ),
    "another folder": (
        "import os; os.chdir('src'); assert os.getcwd() == f'{ROOT}/hw/src'\n"
        "import one; assert one.a == 'hw/one'; sys.path.insert(0, ''); import two"
    ),
    "a folder that is not there": (
        "import os\ntry:\n    os.chdir('none'); assert False\nexcept OSError:\n    pass\n"
        "assert os.getcwd() == f'{ROOT}/hw'"
    ),
    "no library of its own": "import colorsys, torch; assert colorsys.rgb_to_hsv(0, 0, 0)",
    "a file's text": (
        "import pathlib; exec(open('one.py').read()); assert a == 'hw/one'\n"
        "assert pathlib.Path('../one.py').read_text() == open('../one.py', 'rb').read().decode()"
    ),
    "what a module defines": "import runpy; assert runpy.run_module('one')['a'] == 'hw/one'",
    "a module's source": "import one; assert \"'hw/one'\" in one.__loader__.get_source('one')",
    "a file of earlier work": (
        "a = ''\nexec(open('sibling.py').read()); assert f\n"
        "exec(open('../earlier/six.py').read()); assert a == 'earlier/six'\n"
        "import os; assert os.path.isfile('six.py') and os.path.isfile('../../../gone/six.py')\n"
        "assert not os.path.exists('/none/six.py') and not os.path.exists('../seven.py')"
    ),
    "what a file defines": "import runpy; assert runpy.run_path('src/two.py')['a'] == 'hw/src/two'",
    "a module made of a file": (
        "from importlib import util; spec = util.spec_from_file_location('new', 'src/two.py')\n"
        "new = util.module_from_spec(spec); spec.loader.exec_module(new)\n"
        "assert new.a == 'hw/src/two'"
    ),
    "an installed file of the same name": (
        "import torch, posixpath; from importlib.machinery import SourceFileLoader as Loader\n"
        "there = posixpath.join(posixpath.dirname(torch.__file__), 'nn', 'functional.py')\n"
        "assert b'def relu' in Loader('x', there).get_data(there)"
    ),
    "a finder of one's own": (
        "import types\nfrom importlib import abc, machinery\n"
        "class Made(abc.MetaPathFinder, abc.Loader):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        return machinery.ModuleSpec(name, self) if name == 'made' else None\n"
        "    def exec_module(self, module):\n        module.a = 'made'\n"
        "sys.meta_path.insert(0, Made()); import made, one\n"
        "assert (made.a, one.a) == ('made', 'hw/one')"
    ),
    "no file of others": (
        "try:\n    open('none.py'); assert False\nexcept OSError:\n    pass\n"
        "try:\n    open('one.py', 'w'); assert False\nexcept OSError:\n    pass\n"
        "try:\n    open('new.py', 'w'); assert False\nexcept OSError as error:\n"
        "    assert error.errno == 30\n"
    ),
    "the lines of a class": (
        "import inspect\nclass C:\n    a = 1\n"
        "assert inspect.getsource(C) == 'class C:\\n    a = 1\\n'"
    ),
}
WITH = {**FILES, "hw/colorsys.py": "raise SystemExit\n", "torch/__init__.py": "raise SystemExit\n"}


@pytest.fixture(scope="module")
def room() -> Iterator[Sandbox]:
    with open_sandbox(Limits(), locked=True) as sandbox:
        yield sandbox


@pytest.mark.dear
@pytest.mark.parametrize("way", SEEN)
def test_code_sees_its_files_as_on_a_disk(way: str, room: Sandbox) -> None:
    texts = {
        "work": f"import sys\nROOT = {ROOT!r}\n{SEEN[way]}\n",
        "sibling": "def f(): pass\n",
        **WITH,
    }
    homes = {"work": MAIN, "sibling": "earlier/sibling.py"}
    session = Session(room)
    try:
        whole = Text("work", texts, ("sibling",), homes, FOLDERS)
        loaded = SubmissionImplementation(session, whole).load()
    finally:
        session.clear()
    assert (loaded.problem, loaded.missing) == (None, ())


WITHIN: dict[str, dict[str, str]] = {  # packages whose __init__.py imports the graded module
    "by a relative import": {
        "hw/__init__.py": "from .work import x\nfrom .seven import a\n",
        "hw/work.py": "from .seven import *\nx = a\n",
    },
    "by its name": {
        "hw/__init__.py": "from .work import x\n",
        "hw/work.py": "from hw.seven import *\nx = a\n",
    },
    "through another module": {
        "hw/__init__.py": "from .api import *\n",
        "hw/api.py": "from .work import x\nassert x == 7\n",
        "hw/work.py": "from . import seven\nx = seven.a\n",
    },
    "in a package of a package": {
        "lib/__init__.py": "from .hw.work import x\n",
        "lib/hw/__init__.py": "from .work import x\n",
        "lib/hw/work.py": "from lib.hw.seven import a\nx = a\n",
        "lib/hw/seven.py": "a = 7\n",
    },
    "around all files": {
        "__init__.py": "from .work import x\n",
        "work.py": "from .hw.seven import a\nx = a\n",
    },
    "of another assignment": {
        "hw/work.py": "import sibling\nx = sibling.f\nassert x == 7\n",
        "earlier/__init__.py": "from .sibling import f\n",
        "earlier/sibling.py": "from .seven import *\nf = a\n",
        "earlier/seven.py": "a = 7\n",
    },
    "with another assignment": {
        "hw/__init__.py": "from .sibling import f\nfrom .work import x\n",
        "hw/work.py": "from .sibling import f\nfrom . import sibling\nx = sibling.f\n",
        "hw/sibling.py": "from .seven import a\nf = a\n",
    },
    "as a module of its own": {
        "hw/__init__.py": "from work import x\nfrom .seven import a\n",
        "hw/work.py": "from .seven import *\nx = a\n",
    },
}


@pytest.mark.parametrize("way", WITHIN)
def test_a_package_imports_the_whole_module(way: str, room: Sandbox) -> None:
    texts = {"hw/seven.py": "a = 7\n", **WITHIN[way]}
    homes = {}
    for place in [*texts]:
        if (name := place.rpartition("/")[2].removesuffix(".py")) in ("work", "sibling"):
            texts[name], homes[name] = texts.pop(place), place
    session = Session(room)
    try:
        folders = (homes["work"].rpartition("/")[0], "", "earlier")
        whole = Text("work", texts, ("sibling",), homes, folders)
        loaded = SubmissionImplementation(session, whole).load()
    finally:
        session.clear()
    assert (loaded.problem, loaded.missing) == (None, ())


def test_what_a_package_leaves_out_behind_the_import_of_the_module_is_told(room: Sandbox) -> None:
    texts = {"hw/seven.py": "a = 7\n", "hw/__init__.py": "from .work import x\n1 / 0\n"}
    texts["work"] = "from .seven import *\nx = a\n"
    session = Session(room)
    try:
        work = Text("work", texts, (), {"work": "hw/work.py"}, ("hw", ""))
        loaded = SubmissionImplementation(session, work).load()
    finally:
        session.clear()
    assert "x" in loaded.names
    assert loaded.problem
    assert loaded.problem.text == "division by zero"


def test_a_package_that_fails_before_the_module_is_told(room: Sandbox) -> None:
    for main in ("hw/work.py", "work.py"):
        package = main.replace("work", "__init__")
        texts = {"work": "from .seven import a\n", package: "1 / 0\n", "hw/seven.py": "a = 7\n"}
        session = Session(room)
        try:
            work = Text("work", texts, (), {"work": main}, ("hw", ""))
            loaded = SubmissionImplementation(session, work).load()
        finally:
            session.clear()
        assert loaded.problem
        assert loaded.problem.type == "ZeroDivisionError"


def test_the_lines_of_classes_in_cells(room: Sandbox) -> None:
    classes = ["class C:\n    a = 1\n", "class D:\n    b = 2\n"]
    asked = f"import inspect\nassert [*map(inspect.getsource, (C, D))] == {classes}"
    session = Session(room)
    try:
        cells: Code = [[f"cell {n}", text] for n, text in enumerate([*classes, asked], 1)]
        work = Text("work", {"work": cells}, (), {"work": "hw/work.ipynb"}, FOLDERS)
        loaded = SubmissionImplementation(session, work).load()
    finally:
        session.clear()
    assert loaded.problem is None


def test_a_notebooks_imports_follow_its_folder(room: Sandbox) -> None:
    text = "import os; os.chdir('src'); import two, one; assert one.a == 'hw/src/one'"
    session = Session(room)
    try:
        texts: dict[str, Code] = {"work": [["cell 1", text]], **FILES}
        loaded = SubmissionImplementation(
            session, Text("work", texts, (), {"work": "hw/work.ipynb"}, FOLDERS)
        ).load()
    finally:
        session.clear()
    assert loaded.problem is None


LEFT_OUT = {
    "a folder that it makes": "import os\nos.makedirs('out', exist_ok=True)\nx = 1\n",
    "a log": "import logging\nlogging.basicConfig(filename='run.log')\nx = 1\n",
    "a file at its end": "x = 1\nwith open('cache.txt', 'w') as f:\n    f.write('x')\n",
    "a tensor": "import torch\ntorch.save(torch.zeros(2), 'x.pt')\nx = 1\n",
    "a file that is not there": "text = open('none.txt').read()\nx = 1\n",
}
TAKEN = {
    "a name": "from own import x",
    "all": "from own import *",
    "where another error is caught": "try:\n    from own import x\nexcept ImportError:\n    x = 2",
    "%run": "get_ipython().run_line_magic('run', 'own.py')",
}


def loaded(room: Sandbox, work: str, own: str) -> tuple[str, str]:
    """Return the type and the text of the problem that a module has with an own one."""
    session = Session(room)
    try:
        texts = {"work": f"{work}\n", "hw/own.py": own}
        found = SubmissionImplementation(
            session, Text("work", texts, (), {"work": MAIN}, FOLDERS)
        ).load()
    finally:
        session.clear()
    problem = found.problem
    return (problem.type, problem.text) if problem else ("", "")


@pytest.mark.parametrize("way", TAKEN)
@pytest.mark.parametrize("what", LEFT_OUT)
def test_an_own_module_goes_on_behind_what_it_cannot_do_here(
    what: str, way: str, room: Sandbox
) -> None:
    """Like the graded one, which cannot write either; the grade says what was left out."""
    kind, _ = loaded(room, f"{TAKEN[way]}\nif x != 1:\n    raise KeyError('x')", LEFT_OUT[what])
    assert kind in ("PermissionError", "OSError", "RuntimeError", "FileNotFoundError")


ENDS = {
    "an import": ("ImportError", "raise ImportError('no GPU')\nx = 1\n"),
    "an exit": ("SystemExit", "raise SystemExit\nx = 1\n"),
    "a syntax error": ("SyntaxError", "x = 1\ny = (\n"),
    "what is not defined": ("FileNotFoundError", "x = open('none.txt').read()\n"),
    "what needs it": ("FileNotFoundError", "y = open('none.txt').read()\nx = y + 'a'\n"),
}


@pytest.mark.parametrize("what", ENDS)
def test_an_import_raises_what_keeps_a_name_from_being_defined(what: str, room: Sandbox) -> None:
    kind, text = ENDS[what]
    assert loaded(room, "from own import x", text)[0] == kind


@pytest.mark.parametrize("caught", ["OSError", "Exception", "(ValueError, OSError)", ""])
def test_an_own_module_ends_where_the_code_that_imports_it_catches_the_error(
    caught: str, room: Sandbox
) -> None:
    work = f"try:\n    import own\nexcept {caught}:\n    x = 2\nassert x == 2"
    assert loaded(room, work, "import ctypes\nctypes.CDLL('none.so')\nx = 1\n") == ("", "")


def test_a_name_that_an_own_module_lacks_is_none_of_those_left_out(room: Sandbox) -> None:
    work = "import own\nassert not hasattr(own, 'z')\nown.y"
    assert loaded(room, work, "1 / 0\ny = open('none.txt')\n")[0] == "FileNotFoundError"


def test_nothing_of_it_stays_in_this_process() -> None:
    before = [*sys.path], [*sys.meta_path], {*sys.modules}
    texts = {"work": "import one\nfrom plain.inner import three\n", **FILES}
    source = Source("work", texts, [], homes={"work": MAIN}, folders=FOLDERS)
    assert source.load(keep=False) is None
    assert ([*sys.path], [*sys.meta_path], {*sys.modules}) == before


def test_a_path_that_begins_alike_is_none_of_its_own() -> None:
    assert is_own(ROOT)
    assert is_own(f"{ROOT}/one.py")
    assert not is_own(f"{ROOT}2/one.py")
