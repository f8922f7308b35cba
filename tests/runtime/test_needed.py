"""What is left out of a slow notebook, and what stays."""

from __future__ import annotations

import ast

import pytest

from autograder.runtime.needed import Effects, only_needed

NET = "class Net:\n    def forward(self, x): return x @ W"
# The cells of a notebook, and those of their lines that "Net" does not need.
CELLS: dict[str, tuple[list[str], list[str]]] = {
    "a training": (
        ["import torch", "W = 1", NET, "net = Net()", "for i in range(9):\n    net.step()"],
        ["net = Net()", "for i in range(9):", "    net.step()"],
    ),
    "a training that is given a number": (
        ["W = 1", NET, "def train(n, w): pass", "train(Net(), W)"], ["train(Net(), W)"],
    ),
    "what makes a name": (["V = 1", "W = [V]", NET, "U = 1"], ["U = 1"]),
    "what makes it in a block": (["if x:\n    W = 1\nelse:\n    V = 2", NET], []),
    "what changes it": (
        ["W = []\nV = []", NET, "W.append(1)\nV.append(1)", "W[0] = 1", "W += 1", "del W"],
        ["V = []", "V.append(1)"],
    ),
    "what gives it to a function": (["W = torch.ones(2)", "fill(W)", "fill(V)", NET], ["fill(V)"]),
    "what changes it by a call": (
        ["W = []", "def fill(): W.append(1)", "def more():\n    global W\n    W = 2", NET,
         "fill()", "more()", "other()"],
        ["other()"],
    ),
    "what changes it by a call of a call": (
        ["W = []", "def fill(): W.append(1)", "class Fill:\n    def do(self): fill()", NET,
         "one = Fill()", "one.do()", "two = 2"],
        ["two = 2"],
    ),
    "what changes the class": ([NET, "Net.forward = f", "Other.a = f"], ["Other.a = f"]),
    "another name of the class": (["class A: pass", "Net = A", "B = A"], ["B = A"]),
    "what may do anything": (
        [NET, "exec(text)", "get_ipython().run_line_magic('run', 'a.py')", "setattr(Net, 'f', 1)",
         "from a import *", "sys.path.append('a')", "print(1)"],
        ["print(1)"],
    ),
    "what changes a module": (
        ["import torch", NET, "torch.nn.functional.gelu = mine", "torch.manual_seed(1)"],
        ["torch.manual_seed(1)"],
    ),
    "an import in a block": ([NET, "try:\n    import a\nexcept ImportError:\n    a = None"], []),
    "definitions": ([NET, "@wraps(f)\ndef g(): pass", "class A: pass"], []),
    "in one line": ([f"{NET}\nprint(1); W = 1\nprint(2)"], ["print(2)"]),
    "in one line of several": ([NET, "f(); W = 1; train(\n    2); g()\nh()"], ["h()"]),
    "not readable": ([NET, "W = 1 1\nprint(2)", "print(3)"], ["print(2)", "print(3)"]),
    "a demonstration that only Jupyter runs": (
        [NET, 'if __name__ == "__main__":\n    W = 1', 'if __name__ == "__main__":\n    V = 1'],
        ['if __name__ == "__main__":', "    V = 1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CELLS)
def test_what_is_not_needed_is_left_out(case: str) -> None:
    cells, left_out = CELLS[case]
    found, _ = only_needed(cells, {"Net"})
    lines = [line for text in cells for line in text.split("\n")]
    kept = [line for text in found for line in text.split("\n")]
    assert len(kept) == len(lines)
    assert [line for line, now in zip(lines, kept, strict=True) if line != now] == left_out


def test_the_names_that_are_not_made_are_returned() -> None:
    _, left_out = only_needed(["W = 1", NET, "net = Net()", "for i in a:\n    b, c = i"], {"Net"})
    assert left_out == {"net", "i", "b", "c"}


MADE: dict[str, tuple[str, set[str]]] = {  # by statements below `def fill(): global W; W = 2`
    "a name": ("a = slow()", {"a"}),
    "several": ("for a in b:\n    c = a\nelse:\n    del d", {"a", "c", "d"}),
    "a part": ("a.b[0] = slow()", {"a"}),
    "a part of a module": ("torch.nn.gelu = slow()", set()),
    "what a function declares": ("fill()", {"W"}),
    "what it is given": ("train(net, W)", set()),
    "what it calls": ("net.train()", set()),
}


@pytest.mark.parametrize("case", MADE)
def test_what_a_statement_makes_is_known(case: str) -> None:
    """What is only given to a call stays: a training is given what the exercises need."""
    text, names = MADE[case]
    above = "import torch\ndef fill():\n    global W\n    W = 2\n"
    body = ast.parse(above + text).body
    assert Effects(body).made_by(body[-1]) == names
