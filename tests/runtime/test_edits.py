"""Small changes of code: those that mend common mistakes are among them, each in its line."""

from __future__ import annotations

import ast
from collections.abc import Collection

import pytest
from conftest import sampled
from hypothesis import given
from hypothesis import strategies as st

from autograder.course import assignments, solution
from autograder.runtime.edits import (
    ADDS,
    CHANGES,
    EVERYWHERE,
    MOVES,
    REPAIRS,
    USES,
    Edit,
    edits_of,
    parts,
    returned,
)
from autograder.runtime.source import Code

BEFORE = "import torch\nfrom torch import nn\n\n\n"
PARTS = (
    "    def __init__(self, d):\n        self.norm = nn.LayerNorm(d)\n        self.p = d\n"
    "        self.m = 1\n"
)
FORWARD = (
    "class F:\n{parts}\n    def forward(self, x, y, p, q):\n{body}\n        return x, y, p, q\n"
)
MENDED: dict[str, tuple[str, str, int]] = {  # a wrong line, the right one, and the rank of the edit
    "a number": ("x.mean(dim=1)", "x.mean(dim=0)", CHANGES),
    "a size": ("x / 8", "x / y.shape[-1]", CHANGES),
    "a truth value": ("x.sum(dim=1, keepdim=False)", "x.sum(dim=1, keepdim=True)", CHANGES),
    "a name": ("x @ x.mT", "x @ y.mT", CHANGES),
    "an operator": ("x * y", "(x / y)", CHANGES),
    "operands": ("x @ y", "(y @ x)", CHANGES),
    "names in a product": ("p @ y.mT / q", "y @ p.mT / q", MOVES),
    "names in a product that is called": ("x.bmm(p, y.mT)", "x.bmm(y, p.mT)", MOVES),
    "names in a product that is a method": ("p.matmul(y.mT)", "y.matmul(p.mT)", MOVES),
    "a sign": ("x.f(y, float('inf'))", "x.f(y, (-float('inf')))", CHANGES),
    "a sign of a constant": ("x.f(y, torch.inf)", "x.f(y, (-torch.inf))", CHANGES),
    "a factor": ("x / y ** 0.5", "(x)", CHANGES),
    "the factors of two products": ("x * y + p * q", "p * y + x * q", CHANGES),
    "a function": ("torch.tril(x)", "torch.triu(x)", CHANGES),
    "no function": ("torch.relu(x)", "(x)", CHANGES),
    "no method": ("x.detach()", "(x)", CHANGES),
    "arguments": ("nn.Linear(x, y)", "nn.Linear(y, x)", CHANGES),
    "one argument less": ("x.softmax(dim=0, dtype=y)", "x.softmax(dim=0)", CHANGES),
    "a keyword": ("x.var(dim=1)", "x.var(dim=1, correction=0)", CHANGES),
    "axes of a pattern": ("f('b h t, b h s -> b t s')", "f('b h t, b h s -> b s t')", CHANGES),
    "axes of letters": ("f('ij,jk->ik')", "f('ij,kj->ik')", CHANGES),
    "a mask that is multiplied": ("x - y * 9", "(x).masked_fill((y).bool(), - (9))", CHANGES),
    "a root of a divisor": ("x / y", "x / (y) ** 0.5", CHANGES),
    "a layer's weight alone": ("x @ y.weight.T", "y(x)", CHANGES),
    "a layer by hand": ("torch.nn.functional.linear(x, y.weight)", "y(x)", CHANGES),
    "eps outside the root": ("x / (torch.sqrt(y) + p)", "x / (torch.sqrt(y + p))", CHANGES),
    "another size": ("x / p ** 0.5", "(x) / (y.shape[-1]) ** 0.5", CHANGES),
    "another size under a root": ("x / torch.sqrt(p)", "x / torch.sqrt(y.shape[-1])", CHANGES),
    "the sum in place of a softmax": ("x / x.sum()", "(x).softmax(-1)", CHANGES),
    "exponentials by hand": ("torch.exp(x) / y", "(x).softmax(-1)", CHANGES),
    "a bias": ("nn.Linear(x, y)", "nn.Linear(x, y, bias=q)", CHANGES),
    "a mask behind the softmax": (
        "torch.softmax(y, dim=-1) * p",
        "torch.softmax((y).masked_fill(p == 0, -float('inf')), dim=-1)",
        CHANGES,
    ),
    "a mask filled behind the softmax": (
        "y.softmax(-1).masked_fill(p, 0)",
        "(y).masked_fill(p, -float('inf')).softmax(-1)",
        CHANGES,
    ),
    "a divisor": ("x / y", "x / (y + 1)", CHANGES),
    "one of a list": ("p[0] + y", "q + y", CHANGES),
    "a bound": ("x[:y]", "x[:y + 1]", CHANGES),
    "a part": ("x + self.norm(y)", "x + self.p(y)", CHANGES),
    "a part around another": ("self.norm(x + y)", "(x + self.norm(y))", MOVES),
    "a factor elsewhere": ("torch.softmax(x, -1) / y", "torch.softmax(x / y, -1)", MOVES),
    "operands that are sums": ("(x + y) / p", "(x + y) * p", CHANGES),
    "shares of a sum": ("x * p + (1 - p) * y", "x * (1 - p) + p * y", CHANGES),
    "another sign of an exponent": ("x * y ** p", "x * y ** -p", CHANGES),
    "a quotient of sizes under a root": ("x * p ** -0.5", "x * (p // q) ** -0.5", CHANGES),
    "a size of a layer": ("math.sqrt(q)", "math.sqrt(p.weight.shape[0])", CHANGES),
    "a keyword that is there": ("nn.Linear(x, y, bias=False)", "nn.Linear(x, y, bias=p)", CHANGES),
    "a part of a pair": ("f((x, y))", "f((x, self.m))", CHANGES),
    "rows that add up": ("x * y", "x * y / (x * y).sum(-1, keepdim=True)", ADDS),
    "axes": ("x.reshape(y, p)", "x.transpose(1, 2).reshape(y, p)", ADDS),
    "an unbiased variance": ("y.mean(-1)", "y.mean(-1) * (1 + 1 / (y.shape[-1] - 1))", ADDS),
    "no future": ("x.masked_fill(y, 0.0)", "x.masked_fill(y, -float('inf'))", CHANGES),
    "no future in a choice": (
        "torch.where(y, x, torch.zeros_like(x))",
        "torch.where(y, x, -float('inf'))",
        CHANGES,
    ),
    "a causal attention": (
        "torch.nn.functional.scaled_dot_product_attention(x, y, p)",
        "torch.nn.functional.scaled_dot_product_attention(x, y, p, is_causal=True)",
        CHANGES,
    ),
    "one degree of freedom of an attribute": ("x / self.m", "x / (self.m - 1)", CHANGES),
    "parentheses": ("x * (y + p)", "x * y + p", CHANGES),
    "other parentheses": ("x - y / p", "(x - y) / p", CHANGES),
    "eps beside a deviation": ("x.std(0) + p", "(x.std(0) ** 2 + p) ** 0.5", CHANGES),
    "a power's sign and divisor": ("x * y ** -1 / 2", "x * y ** (-1 / 2)", CHANGES),
    "one degree of freedom": ("x / y", "x / (y - 1)", CHANGES),
    "numbers from 1": ("torch.arange(y)", "torch.arange(1, y + 1)", CHANGES),
    "numbers from 1 of a type": (
        "torch.arange(y, dtype=p)",
        "torch.arange(y, dtype=p) + 1",
        CHANGES,
    ),
    "a layer by einsum": ("torch.einsum('bc,dc->bd', x, p.weight)", "p(x)", CHANGES),
    "a number in place of an index": ("y[1]", "y[p]", CHANGES),
    "a mask by zeros": (
        "y.tril()",
        "(y).masked_fill(__import__('torch').ones_like(y).triu(1).bool(), -float('inf'))",
        CHANGES,
    ),
    "a mask by zeros of a function": (
        "torch.tril(y)",
        "(y).masked_fill(__import__('torch').ones_like(y).triu(1).bool(), -float('inf'))",
        CHANGES,
    ),
    "a mask as a factor": ("x * y", "x.masked_fill(y == 0, -float('inf'))", CHANGES),
    "a mask as the first factor": ("y * x", "x.masked_fill(y == 0, -float('inf'))", CHANGES),
    "a missing mask": (
        "y.softmax(-1)",
        "(y).masked_fill(__import__('torch').ones_like(y).triu(1).bool(), -float('inf'))"
        ".softmax(-1)",
        REPAIRS,
    ),
    "a missing mask of a function": (
        "nn.functional.softmax(y, -1)",
        "nn.functional.softmax((y).masked_fill("
        "__import__('torch').ones_like(y).triu(1).bool(), -float('inf')), -1)",
        REPAIRS,
    ),
    "a number of the module": ("x ** 0.5", "x ** self.m", CHANGES),
    "a divisor of each row": ("x / y", "x / y[..., None]", CHANGES),
    "a factor of each row": ("x * y", "x * y[..., None]", CHANGES),
    "axes of letters with spaces": ("f('ij, jk -> ik')", "f('ij, kj -> ik')", CHANGES),
    "arguments with names": ("f(p=x, q=y)", "f(p=y, q=x)", CHANGES),
    "numbers from the end": (
        "torch.arange(y - 1, -1, -1, device=p)",
        "torch.arange((y - 1) + 1, device=p)",
        CHANGES,
    ),
    "one more than the larger": ("max(y, 1)", "y + 1", CHANGES),
    "a GELU of tanh": ("1 + torch.tanh(x)", "1 + __import__('torch').erf(x / 2 ** 0.5)", CHANGES),
    "numbers that are all alike": (
        "torch.full(x, y)",
        "__import__('torch').ones_like(torch.full(x, y)).cumsum(0)",
        CHANGES,
    ),
    "ones for random numbers": ("torch.randn(y, p) * 0.1", "torch.ones(y, p)", CHANGES),
    "a layer by a product": ("torch.matmul(x, y.weight.T)", "y(x)", CHANGES),
    "heads that are in front": ("x.reshape(y, p)", "x.movedim(0, -2).reshape(y, p)", ADDS),
    "a pair without gradients": ("(x, y)", "(x.detach(), y.detach())", ADDS),
    "a view of other axes": ("x.view(y, p)", "x.transpose(1, 2).reshape(y, p)", ADDS),
    "eps beside a name": ("x / (y + p)", "x / ((y ** 2 + p) ** 0.5)", CHANGES),
    "the largest of each row": ("x - x.max()", "x - x.amax(-1, keepdim=True)", CHANGES),
    "two axes": ("x.transpose(0, 2)", "x.transpose(1, 2)", CHANGES),
    "axes in another order": ("x.permute(1, 0, 2)", "x.mT", CHANGES),
    "sizes in another order": ("x.view(y, p, q)", "x.view(y, q, p).transpose(1, 2)", ADDS),
    "part of a buffer": ("f(x, self.m)", "f(x, self.m[:y, :y])", ADDS),
    "a copy": ("torch.relu(f(x))", "torch.relu(f(x).clone())", ADDS),
    "the opposite": ("f(x == y)", "f(~(x == y))", ADDS),
    "a wider layer": ("nn.Linear(x, y)", "nn.Linear(x * p, y)", CHANGES),
    "a list of one": ("[x] * y", "[x for _ in range(y)]", CHANGES),
    "a part that is missing": ("x + y", "x + self.norm(y)", ADDS),
    "a path around": ("self.norm(x)", "(self.norm(x)) + x", ADDS),
    "a root": ("x @ y", "(x @ y) / y.shape[-1] ** 0.5", ADDS),
    "axes of letters, some of them apart": (
        "f('st, b s c -> b t c')",
        "f('ts, b s c -> b t c')",
        CHANGES,
    ),
    "a root, where a product is added": (
        "torch.baddbmm(x, y, p)",
        "(torch.baddbmm(x, y, p)) / y.shape[-1] ** 0.5",
        ADDS,
    ),
    "a root of a layer's size": ("p(x) @ y", "(p(x) @ y) / p.weight.shape[0] ** 0.5", ADDS),
    "a root of a part's size": (
        "self.norm(x) @ y",
        "(self.norm(x) @ y) / self.norm.weight.shape[0] ** 0.5",
        ADDS,
    ),
    "a mask the other way round": ("x.tril(-1)", "x.tril(-1).mT", CHANGES),
    "a layer that is some times as wide": ("nn.Linear(x, x)", "nn.Linear(x, 4 * x)", CHANGES),
    "a layer that is some times as wide by name": ("G(m=x, n=x)", "G(m=x, n=4 * x)", CHANGES),
    "in two places": (
        "x.mean(1) - x.sum(1)",
        "x.mean(1, keepdim=True) - x.sum(1, keepdim=True)",
        EVERYWHERE,
    ),
}


def edits_of_text(code: Code, name: str, others: Collection[str] = ()) -> list[tuple[int, Edit]]:
    """Return the edits of a definition in a module or in cells."""
    return edits_of(parts({"f": code}, "f"), name, others)


def code(line: str) -> str:
    return BEFORE + FORWARD.format(parts=PARTS, body=f"        x = {line}")


def test_names_that_are_assigned_are_not_exchanged_in_a_product() -> None:
    """They may be wrong where they are assigned, as `x` is."""
    text, exchanged = code("p @ x.mT"), ast.dump(ast.parse(code("x @ p.mT")))
    assert not any(same(one.of(text), exchanged) for _, one in edits_of_text(text, "F"))


@pytest.mark.parametrize("case", MENDED)
def test_one_of_them_mends_the_mistake(case: str) -> None:
    wrong, right, rank = MENDED[case]
    text, want = code(wrong), ast.dump(ast.parse(code(right)))
    line = text[: text.index(wrong)].count("\n") + 1
    found = [one for _, one in edits_of_text(text, "F") if same(one.of(text), want)]
    assert [(one.line, one.rank) for one in found[:1]] == [(line, rank)]


def same(text: str, want: str) -> bool:
    try:
        return ast.dump(ast.parse(text)) == want
    except SyntaxError:
        return False


STATEMENTS = {
    "a line too much": ("y = x\n        x.fill_(0)", "y = x\n        pass"),
    "two lines": ("y = x\n        x = y", "x = y\n        y = x"),
    "a block": ("with torch.no_grad():\n            x = y", "if True:\n            x = y"),
    "in place": ("x += y", "x = x + (y)"),
    "what each round begins with": (
        "y = 0\n        for i in x:\n            y += i",
        "pass\n        for i in x:\n            y = 0; y += i",
    ),
    "what a loop begins with anew": (
        "y = 0\n        for i in x:\n            p = 1\n            y += i",
        "y = 0; p = 1\n        for i in x:\n            pass\n            y += i",
    ),
    "an attribute that should not change": (
        "self.m = self.m[x]\n        x = self.m + y",
        "own_m = self.m[x]\n        x = own_m + y",
    ),
    "a list of one object": (
        "p = nn.Linear(x, y)\n        x = nn.ModuleList([p] * y)",
        "p = nn.Linear(x, y)\n        x = nn.ModuleList([nn.Linear(x, y) for _ in range(y)])",
    ),
    "the bound of a part that is set": ("x[p:] = y", "x[p + 1:] = y"),
    "what is thrown away": ("y = x\n        y.exp()", "y = x\n        y = y.exp()"),
    "what each round of two loops begins with": (
        "y = 0\n        for i in x:\n            for j in i:\n                y += j",
        "pass\n        for i in x:\n            y = 0\n            for j in i:\n"
        "                y += j",
    ),
    "names that are assigned together": (
        "p, q = x.exp(), y.exp()\n        y = x, y",
        "p, q = x.exp(), y.exp()\n        y = p, q",
    ),
    "names in another order": ("x, y = y", "y, x = y"),
    "a layer of its own": ("self.m = self.norm", "self.m = __import__('copy').deepcopy(self.norm)"),
    "what is returned and not printed": ("return x", "print(x)"),
    "a buffer": ("self.m = x", "self.register_buffer('m', x)"),
    "a result": ("print(x)", "return x"),
    "a call in all rounds but the last": (
        "for i in (p, q):\n            x = y.relu(i(x))",
        "for i in (p, q):\n            x = (i(x) if (i) == (p, q)[-1] else y.relu(i(x)))",
    ),
    "a method in all rounds but the first": (
        "for i in range(y):\n            x = p[i](x).relu()",
        "for i in range(y):\n            x = (p[i](x) if (i) == range(y)[0] else p[i](x).relu())",
    ),
    "a loop": (
        "for i in y:\n            x = i\n            return x",
        "for i in y:\n            x = i\n            pass\n        return x",
    ),
}


USED = {  # a class in which something is prepared and not used, and with its use
    "a parameter in the place of a product": (
        "def __init__(self, d, e):\n        self.l = nn.Linear(d, 4 * d)",
        "def __init__(self, d, e):\n        self.l = nn.Linear(d, e)",
    ),
    "a parameter in the place of a number": (
        "def __init__(self, d, p=0.1):\n        self.drop = nn.Dropout(0.5)",
        "def __init__(self, d, p=0.1):\n        self.drop = nn.Dropout(p)",
    ),
    "a parameter that is not handed on": (
        "def __init__(self, d, p):\n        self.drop = nn.Dropout()",
        "def __init__(self, d, p):\n        self.drop = nn.Dropout(p)",
    ),
    "a parameter that is not handed on in several lines": (
        "def __init__(self, d, p):\n        self.l = nn.Linear(\n            d,\n        )",
        "def __init__(self, d, p):\n        self.l = nn.Linear(\n            d,p\n        )",
    ),
    "a parameter that is not handed on by its name": (
        "def __init__(self, d, bias):\n        self.l = nn.Linear(d, out_features=d)",
        "def __init__(self, d, bias):\n        self.l = nn.Linear(d, out_features=d, bias=bias)",
    ),
    "a part": (
        "def __init__(self, d):\n        self.norm = nn.LayerNorm(d)\n\n"
        "    def forward(self, x):\n        return f(x)",
        "def __init__(self, d):\n        self.norm = nn.LayerNorm(d)\n\n"
        "    def forward(self, x):\n        return f(self.norm(x))",
    ),
    "a factor and what is added": (
        "def __init__(self, d):\n        self.m = nn.Parameter(d)\n        self.n = d\n\n"
        "    def forward(self, x):\n        return f(x)\n\n"
        "    def parameters(self):\n        return [self.m, self.n]",
        "def __init__(self, d):\n        self.m = nn.Parameter(d)\n        self.n = d\n\n"
        "    def forward(self, x):\n        return self.m * (f(x)) + self.n\n\n"
        "    def parameters(self):\n        return [self.m, self.n]",
    ),
    "a table of places": (
        "def __init__(self, d):\n        self.table = nn.Embedding(d, d)\n\n"
        "    def forward(self, x):\n        return f(x)",
        "def __init__(self, d):\n        self.table = nn.Embedding(d, d)\n\n"
        "    def forward(self, x):\n        return f(x) + self.table("
        "__import__('torch').arange(x.shape[-1], device=x.device))",
    ),
}


@pytest.mark.parametrize("case", USED)
def test_what_is_prepared_is_used_first(case: str) -> None:
    text, right = (f"{BEFORE}class F:\n    {body}\n" for body in USED[case])
    want = ast.dump(ast.parse(right))
    rest = right.split("\n")
    line = next(i for i, old in enumerate(text.split("\n"), 1) if old not in rest)
    found = [one for _, one in edits_of_text(text, "F") if same(one.of(text), want)]
    assert [(one.line, one.rank) for one in found[:1]] == [(line, USES)]


def test_what_is_used_is_not_used_first() -> None:
    text = code("self.norm(x) * self.m + self.p")
    assert USES not in {one.rank for _, one in edits_of_text(text, "F")}


def test_a_value_differs_in_evaluation() -> None:
    text = (
        "class F:\n    def __init__(self):\n        self.training = True\n        self.m = 0\n\n"
        "    def __call__(self, x):\n        y = x.mean(0)\n        return x - y\n"
    )
    made = [one.of(text) for _, one in edits_of_text(text, "F")]
    assert text.replace("x.mean(0)", "(x.mean(0)) if self.training else self.m") in made


LATE = (
    "def f(x):\n    a = x\n    b = [g(i, 1) for i in x]\n    for c in b:\n        a = c\n"
    "    return a\n"
)


def test_no_name_is_read_where_it_has_no_value() -> None:
    made = [one.of(LATE) for _, one in edits_of_text(LATE, "f")]
    assert LATE.replace("a = x", "a = b") not in made
    assert LATE.replace("in x]", "in b]") not in made
    for new in (("g(i, 1)", "g(a, 1)"), ("g(i, 1)", "g(x, 1)"), ("a = c", "a = b")):
        assert LATE.replace(*new) in made
    assert LATE.replace("return a", "return c") in made


@pytest.mark.parametrize("case", STATEMENTS)
def test_statements_are_changed(case: str) -> None:
    texts = [
        BEFORE + FORWARD.format(parts=PARTS, body=f"        {lines}") for lines in STATEMENTS[case]
    ]
    want = ast.dump(ast.parse(texts[1]))
    assert any(same(one.of(texts[0]), want) for _, one in edits_of_text(texts[0], "F"))


def test_a_number_is_changed_before_statements_are_exchanged() -> None:
    text = "def f(x):\n    n = 1\n    n += x\n    return n\n"
    ranks = {one.of(text): one.rank for _, one in edits_of_text(text, "f")}
    assert ranks[text.replace("n = 1", "n = 0")] == CHANGES
    assert ranks["def f(x):\n    n = 1\n    return n\n    n += x\n"] == MOVES


def test_a_result_that_is_used_is_not_printed() -> None:
    text = (
        "class F:\n    def g(self):\n        return 1\n\n"
        "    def forward(self):\n        x = self.g()\n        return x\n"
    )
    made = [one.of(text) for _, one in edits_of_text(text, "F")]
    assert text.replace("return x", "print(x)") in made
    assert text.replace("return 1", "print(1)") not in made


CONSTANTS = {  # code with a number outside of functions, and its line
    "of a module": ("N = 7\n\n\ndef f(x):\n    return x * N\n", 1),
    "of a class": ("class f:\n    n = 7\n\n    def g(self, x):\n        return x * self.n\n", 2),
    "of a function that is used": (
        "N = 7\n\n\ndef g(x):\n    return x + N\n\n\ndef f(x):\n    return g(x)\n",
        1,
    ),
}


@pytest.mark.parametrize("case", CONSTANTS)
def test_a_constant_outside_of_functions_is_changed(case: str) -> None:
    text, line = CONSTANTS[case]
    lines = [one.line for _, one in edits_of_text(text, "f") if "= 8" in one.of(text)]
    assert lines == [line]


def test_a_constant_that_is_not_used_is_not_changed() -> None:
    text = "N = 7\n\n\ndef f(x):\n    return x\n"
    assert 1 not in {one.line for _, one in edits_of_text(text, "f")}


ORIGINS = {  # code, a text that is replaced with another, and the lines that define what it reads
    "all lines of a statement": (
        "def f(x):\n    y = {\n        1: 2,\n    }\n    return g(x, **y)\n",
        "x, **y",
        "x, ",
        (2, 3, 4),
    ),
    "the head of a method": (
        "class f:\n    @d\n    def g(self):\n        pass\n\n"
        "    def forward(self):\n        return self.g()\n",
        "self.g()",
        "(self)",
        (2, 3),
    ),
}


@pytest.mark.parametrize("case", ORIGINS)
def test_an_edit_names_the_lines_that_define_what_it_reads(case: str) -> None:
    text, old, new, lines = ORIGINS[case]
    want = text.replace(old, new)
    found = [one for _, one in edits_of_text(text, "f") if one.of(text) == want]
    assert [one.origins for one in found[:1]] == [lines]


def test_what_is_prepared_late_is_prepared_first() -> None:
    text = code("x")
    assert "super().__init__(); self.norm" in "".join(
        one.of(text) for _, one in edits_of_text(text, "F")
    )


def test_a_method_is_given_the_name_that_is_called() -> None:
    text = "class F:\n    def foward(self):\n        pass\n"
    want = text.replace("foward", "forward")
    assert [one.line for _, one in edits_of_text(text, "F") if one.of(text) == want] == [2]


def test_parameters_are_exchanged() -> None:
    text = "class F:\n    def forward(self, a, b):\n        return a - b\n"
    wanted = {
        text.replace("a, b", "b, a"): (2, MOVES),
        text.replace("a - b", "(b - a)"): (3, CHANGES),
    }
    found = {one.of(text): one for _, one in edits_of_text(text, "F")}
    assert {new: (found[new].line, found[new].rank) for new in wanted} == wanted


def test_a_method_that_is_called_keeps_its_name() -> None:
    text = "class F:\n    def __init__(self):\n        pass\n"
    made = [one.of(text) for _, one in edits_of_text(text, "F")]
    assert made
    assert all("__init__" in one for one in made)


def test_the_last_value_is_returned() -> None:
    text = "def f(x):\n    y = x\n    y + 1\n"
    made = [one.of(text) for _, one in edits_of_text(text, "f")]
    assert "def f(x):\n    y = x\n    return (y + 1)\n" in made


@pytest.mark.parametrize(
    ("new", "lines"),
    [("(y)", (3,)), ("(y / self.m)", ()), ("(y) ** 0.5 * self.m", ())],
)
def test_an_edit_knows_the_lines_that_assign_what_it_reads_no_more(
    new: str, lines: tuple[int, ...]
) -> None:
    """With another operator or a root, the line that assigns it may be as right as this one."""
    text = (
        "class F:\n    def __init__(self):\n        self.m = 1\n\n"
        "    def forward(self, x):\n        y = x\n        return y * self.m\n"
    )
    made = text.replace("y * self.m", new)
    [found] = [one for _, one in edits_of_text(text, "F") if one.of(text) == made]
    assert found.origins == lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s.masked_fill(m, 0)", "s.masked_fill(~m, 0)"),
        ("torch.masked_fill(s, m, 0)", "torch.masked_fill(s, ~m, 0)"),
        ("torch.where(m, s, 0)", "torch.where(~m, s, 0)"),
        ("torch.where(m == 0, s, 0)", "torch.where(~((m == 0)), s, 0)"),
    ],
)
def test_a_mask_is_turned_round(old: str, new: str) -> None:
    text = f"def f(s, m):\n    return {old}\n"
    assert text.replace(old, new) in [one.of(text) for _, one in edits_of_text(text, "f")]


def test_a_mask_as_an_index_is_turned_round() -> None:
    text = "def f(s, m):\n    s[m] = 0\n    return s\n"
    made = [one.of(text) for _, one in edits_of_text(text, "f")]
    assert text.replace("[m]", "[~m]") in made


def test_helpers_are_changed_too_but_no_other_exercise() -> None:
    helpers = "def g(x):\n    return h(x) + 1\n\n\ndef h(x):\n    return x - 1\n\n\n"
    text = helpers + "def f(x):\n    return g(x)\n\n\ndef k(x):\n    return 1\n"
    lines = {one.line for _, one in edits_of_text(text, "f", {"h"})}
    assert lines == {2, 10}


F = "class F:\n    def forward(self, x):\n        return x + 1\n"


@pytest.mark.parametrize(
    ("patch", "lines"),
    [
        ("F.forward = g\n", {(1, 2)}),
        ("setattr(F, 'forward', g)\n", {(1, 2)}),
        ("F.forward = lambda self, x: x + 1\n", set()),
        ("F.other = g\n", {(0, 2), (0, 3), (1, 2)}),
        ("F.forward = g\n" + F, {(1, 5), (1, 6)}),
    ],
)
def test_a_method_that_is_replaced_is_not_changed(patch: str, lines: set[tuple[int, int]]) -> None:
    """A right method that another replaces could be renamed to be called again."""
    cells = [
        ["", F],
        ["", f"def g(self, x):\n    return x - 1\n{patch}"],
    ]
    made = {(i, one.line) for i, one in edits_of_text(cells, "F") if one.rank == CHANGES}
    assert made == lines


def test_of_several_cells_each_has_its_own() -> None:
    cells = [
        ["cell 1", "def g(x):\n    return 1\n"],
        ["cell 2", "1 +"],
        ["cell 3", "def f():\n    return 2\n"],
    ]
    assert {(cell, one.line) for cell, one in edits_of_text(cells, "f")} == {(2, 2)}


HELPER = "def g(x):\n    return x + 1\n"
IMPORTING = {  # how a module takes `g` out of another one and uses it
    "by its name": ("from helpers import g", "g"),
    "by all names": ("from helpers import *", "g"),
    "by another name": ("from helpers import g as h", "h"),
    "with the module": ("import helpers", "helpers.g"),
    "with the module, by another name": ("import helpers as h", "h.g"),
}


@pytest.mark.parametrize("case", IMPORTING)
def test_a_helper_in_another_file_is_changed_too(case: str) -> None:
    above, name = IMPORTING[case]
    texts: dict[str, Code] = {
        "f": f"{above}\n\n\ndef f(x):\n    return {name}(x)\n",
        "helpers.py": [["helpers.py", HELPER]],
        "unused.py": [["unused.py", HELPER.replace("g", "k")]],
    }
    there = parts(texts, "f")
    found = {(there[i].label, one.line) for i, one in edits_of(there, "f", ())}
    assert ("helpers.py", 2) in found
    assert {label for label, _ in found} <= {"", "helpers.py"}


def test_of_two_files_with_a_helper_of_one_name_both_are_changed() -> None:
    text = "from b import g\n\n\ndef f(x):\n    return g(x)\n"
    there = parts({"a": text, "b": HELPER, "c": HELPER}, "a")
    assert {there[i].file for i, _ in edits_of(there, "f", ())} >= {"b", "c"}


@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_an_edit_changes_the_line_that_it_says_and_moves_no_other(assignment: str) -> None:
    text = solution(assignment)
    names = [n.name for n in ast.parse(text).body if isinstance(n, ast.ClassDef | ast.FunctionDef)]
    assert names
    for name in names:
        edits = edits_of_text(text, name)
        assert edits
        for _, one in edits:
            before, after = text.split("\n"), one.of(text).split("\n")
            first = next(
                i for i, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b
            )
            assert first == one.line or (one.theme.startswith("move") and first < one.line)


RETURNED = {  # a body, the number of its line, and what becomes of it
    "a name": ("y = x + 1\n        x = y", 1, "return x + 1\n        x = y"),
    "a second line": ("y = x + 1\n        x = y", 2, "y = x + 1\n        return y"),
    "an attribute": ("self.m = (x +\n            1)", 2, "return (x +\n            1)"),
    "in place": ("x /= y", 1, "x /= y; return x"),
    "with a type": ("y: int = x", 1, "return x"),
    "a condition": ("if x:\n            y = x", 2, "if x:\n            return x"),
    "several": ("x, y = x, x", 1, "return x, x"),
}


@pytest.mark.parametrize("case", RETURNED)
def test_what_a_line_assigns_is_returned(case: str) -> None:
    body, number, want = RETURNED[case]
    texts = [
        BEFORE + FORWARD.format(parts=PARTS, body=f"        {lines}") for lines in (body, want)
    ]
    first = texts[0][: texts[0].index(body)].count("\n") + 1
    assert returned(texts[0], "F", first + number - 1) == texts[1]


def test_a_function_returns_what_it_assigns() -> None:
    assert returned("def f(x):\n    y = x\n", "f", 2) == "def f(x):\n    return x\n"


@pytest.mark.parametrize("body", ["for x in y:\n            x = 1", "return x", "print(x)"])
def test_what_is_carried_out_often_or_assigns_nothing_is_not_returned(body: str) -> None:
    text = BEFORE + FORWARD.format(parts=PARTS, body=f"        {body}")
    line = text[: text.index(body)].count("\n") + 1
    assert returned(text, "F", line) is None
    assert returned(text, "F", line + 1) is None
    assert returned(text, "G", line) is None


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    edits_of_text([["", text], ["", f"def f(x):\n    {text}\n"]], "f")


def test_what_is_used_from_another_cell_is_edited_there() -> None:
    """A variable there that only has the name of a parameter is not used."""
    cells = [
        ["1", "x = 5\n\n\ndef table(t):\n    return t / 8\n"],
        ["2", "def f(x):\n    return table(x)\n"],
    ]
    found = {(i, one.line) for i, one in edits_of_text(cells, "f")}
    assert (0, 5) in found and (0, 1) not in found
    assert not [i for i, _ in edits_of_text(cells, "f", {"table"}) if i == 0]
