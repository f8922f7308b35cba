"""Which names a statement reads from outside of it."""

from __future__ import annotations

import ast

import pytest

from autograder.notebook.cell_names import reached
from autograder.runtime.reading import read_outside

# Statements, and the names that they read and have not bound before.
STATEMENTS = {
    "x = y": "y",
    "x = x": "x",
    "x += y": "x y",
    "x.y[z] = 1": "x z",
    "x: A = y": "A y",
    "del x": "x",
    "import a.b, c as d": "",
    "for name in names:\n    table.append(name)": "names table",
    "for name in name:\n    pass": "name",
    "for a, (b, *c) in d:\n    e = a + b + c\n    f(e)": "d f",
    "for a in b:\n    pass\nelse:\n    f(a)": "b f a",
    "with open(path) as file, file.inner as x:\n    data = file.read(x)": "open path",
    "with file as file:\n    pass": "file",
    "while a:\n    b = 1\n    f(b)": "a f",
    "while (a := f()):\n    g(a)": "f g",
    "while a:\n    b = 1\nelse:\n    f(b)": "a f b",
    "if a:\n    b = 1\nelse:\n    f(b)": "a f b",
    "for i in a:\n    if i:\n        b = 1\n    else:\n        b = 2\n    f(b)": "a f",
    "for i in a:\n    if i:\n        b = 1\n    f(b)": "a b f",
    "for i in a:\n    for j in i:\n        b = j\n    f(b)": "a b f",
    "try:\n    a = 1\nexcept E as e:\n    f(e, a)\nelse:\n    g(a)": "E f a g",
    "try:\n    import a\nfinally:\n    f(a)": "f",
    "if 1:\n    try:\n        import a\n    except E:\n        a = None\n    f(a)": "E f",
    "match a:\n    case [b, *c] if b:\n        f(b, c)\n    case {'x': d, **e}:\n        f(d, e)":
        "a f",
    "match a:\n    case A(x=b) as c:\n        f(b, c)\n    case d.E:\n        pass": "a A d f",
    "x = [g(y) for y in z if y]": "g z",
    "x = {y: w for y in z for w in y}": "z",
    "x = [y for y in y]": "y",
    "x = sum(y for y in z) + y": "sum y z",
    "f(lambda a, b=c: a + b + d)": "f c d",
    "x = [lambda: y for y in z]": "z",
    "def f(a, b=c):\n    d = a + e\n    return [d for a in b if g]": "c e g",
    "@a\ndef f(x: A) -> B:\n    global n\n    n = 1": "a A B n",
    "async def f():\n    await g()": "g",
    "await f(a)": "f a",
    "@a\nclass A(B, metaclass=C):\n    x = y\n    def f(self):\n        return z + x":
        "a B C y z x",
    "with a:\n    def f():\n        return b\n    f()": "a b",
}  # fmt: skip


@pytest.mark.parametrize("text", STATEMENTS)
def test_names_that_a_statement_binds_first_are_not_read_from_outside(text: str) -> None:
    [statement] = ast.parse(text).body
    assert read_outside(statement) == {*STATEMENTS[text].split()}


def test_what_another_cell_calls_by_the_name_of_a_loop_is_not_reached() -> None:
    texts = ["name = 1", "table = []\nnames = ['a']\nfor name in names:\n    table.append(name)"]
    assert reached(texts, {"table"}) == {"table", "names"}
