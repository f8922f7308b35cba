"""Each operator: a source, and the lines that it makes of it."""

from __future__ import annotations

import ast

import pytest

from autograder.mutants.making import OPERATORS, mutants

FORWARD = """
class Head(nn.Module):
    def __init__(self, d):
        super().__init__()
        {init}

    def forward(self, x):
        {forward}
"""


def function(body: str, parameters: str = "x, y") -> str:
    """Return a function of two tensors with this body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"def f({parameters}):\n{lines}"


def init(body: str) -> str:
    """Return a module with this line in its constructor."""
    return FORWARD.format(init=body, forward="return x").replace("Head", "f")


def forward(body: str, made: str = "pass") -> str:
    """Return a module with this line in forward. made: a line in its constructor."""
    return FORWARD.format(init=made, forward=body).replace("Head", "f")


CASES: dict[str, list[tuple[str, list[str]]]] = {
    "other axis": [
        (
            function("return torch.softmax(x, dim=-1)"),
            ["return torch.softmax(x, dim=-2)", "return torch.softmax(x, dim=0)"],
        ),
        (function("return x.softmax(1)"), ["return x.softmax(0)", "return x.softmax(2)"]),
        (
            function("return torch.cat([x, y], -1)"),
            ["return torch.cat([x, y], -2)", "return torch.cat([x, y], 0)"],
        ),
        (function("return f(x, dim=-1)"), []),
    ],
    "no axis": [
        (function("return x.mean(dim=0, keepdim=True)"), ["return x.mean()"]),
        (function("return torch.sum(x, 1)"), ["return torch.sum(x)"]),
    ],
    "other keepdim": [
        (function("return x.sum(1, keepdim=True)"), ["return x.sum(1, keepdim=False)"])
    ],
    "no transpose": [
        (function("return x @ y.mT"), ["return x @ y"]),
        (function("return (x + y).transpose(1, 2)"), ["return x + y"]),
        (function("return torch.transpose(x, 1, 2)"), ["return x"]),
    ],
    "other axes transposed": [
        (
            function("return x.transpose(-2, -1)"),
            ["return x.transpose(0, 1)", "return x.transpose(-3, -1)"],
        ),
        (
            function("return x.permute(0, 2, 1)"),
            ["return x.permute(2, 0, 1)", "return x.permute(0, 1, 2)"],
        ),
    ],
    "reshape for transpose": [
        (
            function("return x.transpose(1, 2)"),
            ["return x.reshape(x.shape[0], x.shape[2], x.shape[1], *x.shape[3:])"],
        )
    ],
    "another product": [
        (function("return x @ y"), ["return x @ y.mT", "return x.mT @ y", "return y @ x"]),
        (function("return x @ y.mT"), ["return x.mT @ y.mT", "return y.mT @ x"]),
    ],
    "no root": [
        (function("return x / math.sqrt(y)"), ["return x / y"]),
        (function("return y.rsqrt()"), ["return y"]),
    ],
    "other power": [
        (
            function("return x ** -y"),
            [f"return x ** {new}" for new in ("1", "(-1)", "0.5", "(-0.5)", "2", "y")],
        )
    ],
    "times for divided by": [
        (function("return x / y"), ["return x * y"]),
        (function("return x * y"), ["return x / y"]),
        (function("return [x] * y"), []),
    ],
    "other divisor": [
        (function("return x / y"), ["return x / (y + 1)", "return x / (2 * y)"]),
    ],
    "other diagonal": [
        (
            function("return x.triu(1)"),
            ["return x.triu(diagonal=0)", "return x.triu(diagonal=2)"],
        ),
        (
            function("return torch.tril(x)"),
            ["return torch.tril(x, diagonal=-1)", "return torch.tril(x, diagonal=1)"],
        ),
    ],
    "other triangle": [(function("return x.tril()"), ["return x.triu()"])],
    "mask negated": [
        (function("return x[~y]"), ["return x[y]"]),
        (function("return x.masked_fill(y, 0.0)"), ["return x.masked_fill(~y, 0.0)"]),
        (function("return torch.where(y, x, 0)"), ["return torch.where(y, 0, x)"]),
    ],
    "other fill": [
        (
            function("return x.masked_fill(y, -math.inf)"),
            [
                f"return x.masked_fill(y, {fill})"
                for fill in ("0.0", "-1.0", "-100.0", "-10000.0", "-1000000000.0", "float('inf')")
            ],
        )
    ],
    "no mask": [
        (function("return x.masked_fill(y, 0)"), ["return x"]),
        (function("return torch.where(y, x, 0)"), ["return x", "return 0"]),
    ],
    "mask after softmax": [
        (
            function("return torch.softmax(x.masked_fill(y, -math.inf), dim=-1)"),
            ["return torch.softmax(x, dim=-1).masked_fill(y, 0.0)"],
        )
    ],
    "no term": [
        (function("return x + f(y)"), ["return x", "return f(y)"]),
        (function("return x - y"), ["return x"]),
        (function("x += y\nreturn x"), ["x = y"]),
    ],
    "other sign": [
        (function("return x + y"), ["return x - y"]),
        (function("return x - y"), ["return x + y"]),
        (function("return -x"), ["return x"]),
        (function("return [x] + y"), []),
    ],
    "no factor": [
        (function("return x * y"), ["return x", "return y"]),
        (function("return x / y"), ["return x"]),
        (function("return x.div(y)"), ["return x"]),
    ],
    "no call": [
        (forward("return self.norm(x)"), ["return x"]),
        (function("return x.softmax(-1)"), ["return x"]),
        (function("return F.gelu(x)"), ["return x"]),
    ],
    "no statement": [
        (function("x = x + y\nreturn x"), ["pass"]),
        (function("x[0] = y\nreturn x"), ["pass"]),
        (init("self.d = d"), ["pass", "pass"]),
    ],
    "other condition": [
        (
            function("return x if y else 0"),
            [f"return x if {new} else 0" for new in ("True", "False", "not y")],
        ),
        (function("return x and y"), ["return x", "return y"]),
    ],
    "other order of results": [(function("return x, y"), ["return (y, x)"])],
    "other order of parts": [(function("a, b = x\nreturn a - b"), ["b, a = x"])],
    "other order in a list": [
        (function("return torch.cat([x, y])"), ["return torch.cat([y, x])"]),
    ],
    "arguments exchanged": [
        (function("return g(x, y)"), ["return g(y, x)"]),
        (function("return x - y"), ["return y - x"]),
        (function("return g(x, x)"), []),
    ],
    "another name": [
        (
            function("return q @ k.mT", "q, k, v"),
            ["return k @ k.mT", "return v @ k.mT", "return q @ q.mT", "return q @ v.mT"],
        )
    ],
    "size of another tensor": [(function("return q.shape[-1]", "q, k"), ["return k.shape[-1]"])],
    "other rounds of a loop": [
        (
            forward("return [h(x) for h in self.heads]"),
            [
                "return [h(x) for h in list(self.heads)[1:]]",
                "return [h(x) for h in list(self.heads)[:-1]]",
                "return [h(x) for h in list(self.heads)[::-1]]",
            ],
        ),
        (
            function("for i in range(3):\n    g(i)"),
            ["for i in list(range(3))[1:]:", "for i in list(range(3))[:-1]:"],
        ),
    ],
    "other order of layers": [
        (
            init("self.a = nn.Linear(d, 1)\n        self.b = nn.Linear(d, 2)"),
            ["self.b = nn.Linear(d, 2)\nself.a = nn.Linear(d, 1)"],
        )
    ],
    "other axes in a pattern": [
        (
            function("return rearrange(x, 'a (h d) -> a h d')"),
            [
                "return rearrange(x, 'h (a d) -> a h d')",
                "return rearrange(x, 'd (h a) -> a h d')",
                "return rearrange(x, 'a (d h) -> a h d')",
                "return rearrange(x, 'a (h d) -> h a d')",
                "return rearrange(x, 'a (h d) -> d h a')",
                "return rearrange(x, 'a (h d) -> a d h')",
            ],
        ),
        (
            function("return torch.einsum('id,jd->ij', x, y)"),
            [
                "return torch.einsum('di,jd->ij', x, y)",
                "return torch.einsum('id,dj->ij', x, y)",
                "return torch.einsum('id,jd->ji', x, y)",
            ],
        ),
        (
            function("return torch.einsum('i d, j d -> i j', x, y)"),
            [
                "return torch.einsum('d i, j d -> i j', x, y)",
                "return torch.einsum('i d, d j -> i j', x, y)",
                "return torch.einsum('i d, j d -> j i', x, y)",
            ],
        ),
    ],
    "other bias": [
        (init("self.a = nn.Linear(d, 1)"), ["self.a = nn.Linear(d, 1, bias=False)"]),
        (init("self.a = nn.Linear(d, 1, bias=False)"), ["self.a = nn.Linear(d, 1, bias=True)"]),
    ],
    "eps outside of the root": [
        (function("return torch.sqrt(x + y)"), ["return torch.sqrt(x) + y"]),
        (function("return (x + y).rsqrt()"), ["return x.rsqrt() + y"]),
        (function("return (x + y) ** 0.5"), ["return x ** 0.5 + y"]),
    ],
    "other variance": [
        (function("return x.var(dim=0)"), ["return x.var(dim=0, correction=0)"]),
        (function("return x.var(0, unbiased=False)"), ["return x.var(0, correction=1)"]),
    ],
    "another function": [
        (function("return torch.rand(3)"), ["return torch.randn(3)", "return torch.zeros(3)"]),
        (function("return x.mean(0)"), ["return x.sum(0)"]),
    ],
    "approximate GELU": [
        (init("self.a = nn.GELU()"), ["self.a = nn.GELU(approximate='tanh')"]),
    ],
    "other default": [
        (function("return x", "x, eps=1e-05"), ["def f(x, eps=0.0001):"]),
        (
            function("return x", "x, bias=False, heads=8"),
            ["def f(x, bias=True, heads=8):", "def f(x, bias=False, heads=9):"],
        ),
    ],
    "shares exchanged": [
        (function("return (1 - m) * x + m * y"), ["return m * x + (1 - m) * y"]),
    ],
    "another number": [
        (function("return x + 0.5"), ["return x + 5.0", "return x + 0.0", "return x + -0.5"])
    ],
    "detached": [
        (function("return x"), ["return x.detach()"]),
        (function("return x, y"), ["return (x.detach(), y)", "return (x, y.detach())"]),
        (function("a = torch.ones(3).triu()\nreturn []"), []),
        (function("a = x @ y\nreturn []"), ["a = (x @ y).detach()"]),
    ],
    "no gradients": [(forward("return x"), ["@torch.no_grad()"])],
    "not detached": [
        (function("y = x.detach()\nreturn []"), ["y = x"]),
        (function("with torch.no_grad():\n    g(x)"), ["if True:"]),
    ],
    "kept otherwise": [
        (
            init("self.register_buffer('mask', m)"),
            [
                "self.mask = m",
                "self.mask = torch.nn.Parameter(m, requires_grad=False)",
                "self.register_buffer('mask', m, persistent=False)",
            ],
        ),
        (
            init("self.w = nn.Parameter(w)"),
            [
                "self.w = w",
                "self.w = torch.nn.Parameter(w, requires_grad=False)",
                "self.register_buffer('w', w)",
            ],
        ),
    ],
    "plain list of layers": [
        (init("self.heads = nn.ModuleList([a, b])"), ["self.heads = [a, b]"]),
    ],
    "other mode": [
        (
            forward("return g(x, self.training)"),
            ["return g(x, True)", "return g(x, False)", "return g(x, not self.training)"],
        ),
        (function("return F.dropout(x, training=y)"), ["return F.dropout(x)"]),
    ],
    "made in each call": [
        (
            forward("return self.drop(x)", "self.drop = nn.Dropout(0.5)"),
            ["return torch.nn.Dropout(self.drop.p)(x)"],
        )
    ],
    "shared layer": [
        (
            init("self.a = nn.Linear(d, d)\n        self.b = nn.Linear(d, d)"),
            ["self.b = self.a"],
        ),
        (init("self.a = [nn.GELU() for _ in range(3)]"), ["self.a = [nn.GELU()] * 3"]),
    ],
    "another index": [
        (function("return x[0]"), ["return x[1]", "return x[-1]"]),
        (function("return x.shape[-1]"), ["return x.shape[-2]", "return x.shape[0]"]),
        (function("return x.size(0)"), ["return x.size(1)", "return x.size(-1)"]),
    ],
    "off by one": [
        (
            function("return x[:y]"),
            ["return x[:y + 1]", "return x[:y - 1]", "return x[y:]"],
        ),
        (
            function("return range(y)"),
            ["return range(y + 1)", "return range(y - 1)", "return range(1, y)"],
        ),
    ],
    "another count": [
        (function("return y + 1"), ["return y + 0", "return y + 2"]),
        (function("return 3 * y"), ["return 2 * y", "return 4 * y"]),
    ],
    "size written as a number": [
        (function("return x.shape[-1]"), ["return 4"]),
        (init("self.a = nn.Linear(d, 1)"), ["self.a = nn.Linear(4, 1)"]),
    ],
    "another comparison": [(function("return x < y"), ["return x <= y", "return x > y"])],
    "in place": [
        (function("return g(x + y), 0"), ["return (g(x.add_(y)), 0)"]),
        (function("return x.masked_fill(y, 0), 0"), ["return (x.masked_fill_(y, 0), 0)"]),
        (forward("return g(x)"), ["return (g(x), x.zero_())[0]"]),
    ],
    "default type or device": [
        (
            function("return torch.ones(3, dtype=a, device=b)"),
            ["return torch.ones(3, device=b)", "return torch.ones(3, dtype=a)"],
        )
    ],
    "other type": [
        (
            function("return torch.ones_like(x)"),
            [
                "return torch.ones_like(x, dtype=torch.float32)",
                "return torch.ones_like(x, device='cpu')",
            ],
        ),
        (function("return x.to(y)"), ["return x"]),
    ],
    "result of another type": [
        (function("return x"), ["return x.float()", "return x.double()"]),
    ],
}


def made_of(operator: str, source: str) -> list[str]:
    """Return the changed lines of the mutants that an operator makes of a source."""
    found = [m for m in mutants("f", "f/reference", source, ()) if m.operator == operator]
    for one in found:
        ast.parse(one.text)
    return ["\n".join(line.strip() for line in one.after) for one in found]


def test_every_operator_has_a_case() -> None:
    assert CASES.keys() == OPERATORS.keys()


@pytest.mark.parametrize("operator", OPERATORS)
def test_makes_these_lines_of_a_source(operator: str) -> None:
    for source, expected in CASES[operator]:
        assert made_of(operator, source) == expected, source
