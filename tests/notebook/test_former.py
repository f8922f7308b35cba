"""Which modules make a name otherwise than before they were reloaded, by their text."""

from __future__ import annotations

import sys
import types

import pytest

from autograder.notebook.former import made_otherwise

FROM, CLASS = "from own import A", "class A:\n    x = 1\n    def f(self): return g(self)\n"
RICH = """\
class A:
    sizes: list[int] = [1, 2]
    table = {"a": [1]}
    @property
    def p(self): return [i for i in self.sizes]
    @staticmethod
    def s(x=[]): return lambda: (x for x in x)
    @classmethod
    def c(cls):
        class Inner: y = 1
        return Inner
"""
WRAPS = "def wraps(f):\n    return lambda *x: n * f(*x)\n"
# The cells, the modules before and now, and those that make `A` otherwise.
TEXTS: dict[str, tuple[list[str], dict[str, str], dict[str, str], str]] = {
    "as it was": ([FROM], {"own": RICH}, {"own": RICH}, ""),
    "lines below": ([FROM], {"own": RICH}, {"own": f"import os\n\nx = 1\n{RICH}"}, ""),
    "a comment": ([FROM], {"own": CLASS}, {"own": CLASS.replace(": return", ":  # \n     return")},
                  ""),
    "its own text": ([FROM], {"own": CLASS}, {"own": CLASS.replace("g", "h")}, "own"),
    "an attribute": ([FROM], {"own": RICH}, {"own": RICH.replace("[1, 2]", "[1, 3]")}, "own"),
    "what a method uses": ([FROM], {"own": f"def g(x): return 1\n{CLASS}"},
                           {"own": f"def g(x): return 2\n{CLASS}"}, ""),
    "its base": ([FROM], {"own": f"class B: x = 1\n{CLASS.replace(':', '(B):', 1)}"},
                 {"own": f"class B: x = 2\n{CLASS.replace(':', '(B):', 1)}"}, "own"),
    "what a base's method uses": (
        [FROM], {"own": "def h(): return 1\nclass B:\n    def b(self): h()\nclass A(B): pass"},
        {"own": "def h(): return 2\nclass B:\n    def b(self): h()\nclass A(B): pass"}, ""),
    "its base in a module": (
        [FROM], {"own": "from deep import B\nclass A(B): pass", "deep": "class B: x = 1"},
        {"own": "from deep import B\nclass A(B): pass", "deep": "class B: x = 2"}, "deep"),
    "another in that module": (
        [FROM], {"own": "from deep import B\nclass A(B): pass", "deep": "class B: x = 1"},
        {"own": "from deep import B\nclass A(B): pass", "deep": "class B: x = 1\nclass C: pass"},
        ""),
    "its base from another module": (
        [FROM], {"own": "from deep import B\nclass A(B): pass", "deep": "class B: x = 1"},
        {"own": "class B: x = 2\nclass A(B): pass", "deep": "class B: x = 1"}, "deep own"),
    "its import, of no own module": (
        [FROM], {"own": "import torch.nn as nn\nclass A(nn.Module): pass"},
        {"own": "from torch import nn\nclass A(nn.Module): pass"}, ""),
    "a seed": ([FROM], {"own": "import torch\ntorch.manual_seed(1)\nA = torch.ones(2)"},
               {"own": "import torch\ntorch.manual_seed(2)\nA = torch.ones(2)"}, ""),
    "its decorator": ([FROM], {"own": f"n = 1\n{WRAPS}@wraps\ndef A(): pass"},
                      {"own": f"n = 1\n{WRAPS.replace('*x:', '*y:')}@wraps\ndef A(): pass"},
                      "own"),
    "what its decorator uses": ([FROM], {"own": f"n = 1\n{WRAPS}@wraps\ndef A(): pass"},
                                {"own": f"n = 2\n{WRAPS}@wraps\ndef A(): pass"}, "own"),
    "a default": ([FROM], {"own": "n = 1\ndef A(x=n): pass"}, {"own": "n = 2\ndef A(x=n): pass"},
                  "own"),
    "what makes a value": (
        [FROM], {"own": "n = 1\ndef h(): return g()\ndef g(): return n\nA = h()"},
        {"own": "n = 2\ndef h(): return g()\ndef g(): return n\nA = h()"}, "own"),
    "the same value, in another place": ([FROM], {"own": "A = [1]\nx = 1"},
                                         {"own": "x = 2\nA = [1]"}, ""),
    "a part of a value": ([FROM], {"own": "A = []\nfor i in (1, 2): A.append(i)"},
                          {"own": "A = []\nfor i in (1, 3): A.append(i)"}, "own"),
    "by a star": (["from own import *"], {"own": f"{CLASS}y = 1"}, {"own": f"{CLASS}y = 2"}, ""),
    "by a star, and changed": (["from own import *"], {"own": CLASS}, {"own": "A = 1"}, "own"),
    "with another name": (["from own import B as A"], {"own": "A = B = 1"}, {"own": "A = 2\nB = 1"},
                          "own"),
    "an attribute of the module": (["import own as o", "A = o.x / 2"], {"own": "x = 1"},
                                   {"own": "x = 2"}, "own"),
    "another attribute of it": (["import own as o", "A = o.x / 2"], {"own": "x = 1\ny = 1"},
                                {"own": "x = 1\ny = 2"}, ""),
    "what was called of it": (["import own", "A = own.h()"], {"own": "n = 1\ndef h(): return n"},
                              {"own": "n = 2\ndef h(): return n"}, "own"),
    "imported by its name": (
        ["from importlib import import_module\no = import_module('own')", "A = o.x"],
        {"own": "x = 1"}, {"own": "x = 2"}, "own"),
    "a class of a cell": (["import own", "class A(own.B):\n    def f(self): own.g()"],
                          {"own": "class B: pass\ndef g(): return 1"},
                          {"own": "class B: pass\ndef g(): return 2"}, ""),
    "its base there": (["import own", "class A(own.B): pass"], {"own": "class B: pass"},
                       {"own": "class B: x = 1"}, "own"),
    "of a package": (["from pack.own import A"], {"pack.own": "A = 1"}, {"pack.own": "A = 2"},
                     "pack.own"),
    "now elsewhere": ([FROM, "A = 3"], {"own": "A = 1"}, {"own": "A = 2"}, ""),
    "in a circle": ([FROM], {"own": "import deep\nA = deep.x", "deep": "import own\nx = own.y"},
                    {"own": "import deep\nA = deep.x\ny = 1", "deep": "import own\nx = own.y"},
                    "own"),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_only_another_text_makes_another_value(case: str) -> None:
    cells, former, now, expected = TEXTS[case]
    before, after = (
        {name: text.split("\n") for name, text in one.items()} for one in (former, now)
    )
    assert made_otherwise("A", None, cells, before, after) == expected.split()


def test_a_function_of_a_module_that_was_imported_anew_has_the_old_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of a module that was reloaded has the new ones."""
    former, now = (f"def g(): return {i}\ndef A(): return g()" for i in (1, 2))
    module = types.ModuleType("own")
    exec(former, module.__dict__)
    value, modules = module.A, [{"own": text.split("\n")} for text in (former, now)]
    for there, expected in ((module, []), (types.ModuleType("own"), ["own"])):
        monkeypatch.setitem(sys.modules, "own", there)
        assert made_otherwise("A", value, [FROM], *modules) == expected
