"""Each step of a question, asked of small modules in this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from autograder.client import answers
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.questions import (
    NUMPY,
    RETURN,
    Build,
    Call,
    CallStep,
    Descend,
    Exponentials,
    HandOver,
    Held,
    Hooked,
    Load,
    Move,
    Operations,
    Parameters,
    Products,
    Question,
    Rounds,
    Step,
    Take,
    Train,
    Values,
)
from autograder.runtime.source import Source
from autograder.runtime.wire import decode, encode

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
F64 = torch.float64


def source(text: str, **siblings: str) -> Source:
    """Return a loaded module `m` with siblings; it may import `absent`, which is missing."""
    loaded = Source("m", {"m": HEAD + text, **siblings}, ["absent", *siblings])
    assert loaded.load(keep=False) is None
    return loaded


def module(forward: str, init: str = "", arguments: str = "x", base: str = "nn.Module") -> str:
    """Return the text of a class M; its lines of code begin in line 5 of the module."""
    return (
        f"class M({base}):\n"
        f"    def __init__(self, size=3):\n        super().__init__()\n        {init or 'pass'}\n"
        f"    def forward(self, {arguments}):\n        {forward}\n"
    )


def build(of: int = 0, name: str = "M", *arguments: Any, **named: Any) -> Build:
    return Build(of, name, arguments, named, F64)


def call(*inputs: Tensor, of: int = 0, gradient: bool = False, strided: bool = False) -> Step:
    return Call(of, inputs, F64, gradient, strided)


def load(**weights: Tensor) -> Load:
    """Return a load step. Two underscores in a name stand for a dot."""
    dotted = {name.replace("__", "."): weight for name, weight in weights.items()}
    return Load(0, dotted)


def answers_to(text: str | Source, *steps: Step, seed: int = 0) -> list[dict[str, Any]]:
    loaded = text if isinstance(text, Source) else source(text)
    return Interpreter(loaded).answer(Question(steps, seed=seed))


def value(text: str | Source, *steps: Step) -> Any:
    """Return the value of the last step, after encoding and decoding; all steps must succeed."""
    found = decode(encode(answers_to(text, *steps)))
    assert all("value" in answer for answer in found), found
    return found[-1]["value"]


def problem(text: str | Source, *steps: Step) -> dict[str, Any]:
    """Return the problem of the last step, after checking that a client can read it."""
    found: dict[str, Any] = decode(encode(answers_to(text, *steps)))[-1]["problem"]
    answers.problem(found)
    return found


X = torch.arange(6.0).reshape(2, 3)


# build


def test_build_with_arguments_and_names() -> None:
    text = "class M:\n    def __init__(self, a, *, b): self.n = torch.tensor([a, b])\n"
    text += "    def __call__(self): return self.n\n"
    assert value(text, build(0, "M", 5, b=7), call())["output"].tolist() == [5, 7]


def test_build_in_a_type() -> None:
    double = answers_to(module("return x", "self.l = nn.Linear(3, 3)"), build(), Values(0))
    assert double[0] == {"value": None}
    single = replace(build(), dtype=torch.float32)
    assert value(module("return x", "self.b = nn.Parameter(torch.ones(1).double())"), single,
                 Values(0))["b"].dtype is torch.float32  # fmt: skip


@pytest.mark.parametrize(
    ("default", "init", "kind"),
    [
        ("float32", "nn.Linear(3, 3, dtype=torch.float64)", "float64"),
        ("float32", "nn.LazyLinear(3, dtype=torch.float64)", "float64"),
        ("float32", "nn.Linear(3, 3)", "float32"),
        ("float64", "nn.Linear(3, 3)", "float32"),  # all that its author writes is float64
    ],
)
def test_what_stays_as_it_was_built(default: str, init: str, kind: str) -> None:
    text = module("return self.l(x.to(self.l.weight.dtype))", f"self.l = {init}")
    made = replace(build(), dtype=torch.float32, as_built=True)
    called = Call(0, (X,), torch.float32)
    try:
        found = source(f"torch.set_default_dtype(torch.{default})\n{text}")
        weights = {"l.weight": torch.ones(3, 3).double()}
        found = value(found, made, Load(0, weights), called, Values(0))
    finally:
        torch.set_default_dtype(torch.float32)
    assert found["l.weight"].dtype is getattr(torch, kind)


@pytest.mark.parametrize("given", [(1, 2), (), (1, 2, 3)])
def test_build_with_a_signature_that_does_not_fit(given: tuple[int, ...]) -> None:
    found = problem("class M:\n    def __init__(self, a): pass\n", build(0, "M", *given))
    assert found["kind"] == "signature"
    assert found["text"].startswith(f"M({', '.join(map(str, given))}) does not fit: ")
    assert "argument" in found["text"]
    assert found["frames"] == []


def test_build_with_an_unknown_name_of_an_argument() -> None:
    found = problem("class M:\n    def __init__(self, a): pass\n", build(0, "M", 1, bias=True))
    assert found["kind"] == "signature"
    assert found["text"].startswith("M(1, bias=True) does not fit: ")
    assert "unexpected keyword argument 'bias'" in found["text"]


def test_a_type_error_inside_the_constructor_is_no_signature_problem() -> None:
    found = problem("class M:\n    def __init__(self): nn.Linear(1)\n", build())
    assert (found["kind"], found["type"], found["where"]) == ("raised", "TypeError", "M")


def test_an_argument_that_requires_a_gradient_after_the_call_was_changed() -> None:
    found = answers_to(module("x.requires_grad_(); return x * 1"), build(), Call(0, (X,), F64))
    assert found[1]["value"]["changed"] == [0]
    found = answers_to(module("return x * 1"), build(), Call(0, (X,), F64, gradient=True))
    assert found[1]["value"]["changed"] == []


def test_build_what_is_absent() -> None:
    found = problem("class N: pass", build())
    assert (found["kind"], found["text"]) == ("absent", "there is no M")


@pytest.mark.parametrize(
    "text, described", [("def M(): pass", "function"), ("M = 5", "int"), ("M = None", "NoneType")]
)
def test_build_what_is_no_class(text: str, described: str) -> None:
    found = problem(text, build())
    assert found["kind"] == "not_a_class"
    assert found["text"] == f"M is not a class but of type {described}"


def test_build_without_super() -> None:
    found = problem("class M(nn.Module):\n    def __init__(self): self.a = 1\n", build())
    assert found["kind"] == "no_super"
    assert found["text"] == "M.__init__ does not call super().__init__()"


@pytest.mark.parametrize("step", [Parameters(0), Values(0)], ids=repr)
def test_what_is_no_module_has_no_parameters(step: Step) -> None:
    found = problem("class M: pass", build(), step)
    assert (found["kind"], found["text"]) == ("not_a_module", "M does not inherit from nn.Module")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("class M:\n    def forward(self): pass\n", False),
        ("class M:\n    def __init__(self): self.register_buffer\n    forward = print\n", False),
        ("class M:\n    def forward(self): pass\n    __call__ = forward\n", True),
        ("class M: pass\n", True),
        ("class M(nn.Module): pass\n", True),
    ],
)
def test_a_class_with_only_a_forward_cannot_be_called(text: str, is_one: bool) -> None:
    found = answers_to(f"from torch import nn\n{text}", build())[0]
    if is_one:
        assert found == {"value": None}
    else:
        assert found["problem"]["kind"] == "no_call"
        assert found["problem"]["text"] == "M has no __call__"


def test_what_could_not_be_built_cannot_be_used() -> None:
    text = "class M: pass\nclass N:\n    def __init__(self): raise ValueError('no')\n"
    found = answers_to(text, build(0, "N"), call(of=0), Values(0), build(1))
    assert found[0] == found[1] == found[2]
    assert found[0]["problem"]["text"] == "no"
    assert found[3] == {"value": None}


COUNTING = "class M:\n    n = 0\n    def __init__(self, *a, **k): M.n += 1; self.n = M.n\n"
COUNTING += "    def __call__(self): return torch.tensor(self.n)\n"


def test_keep_reuses_an_object_built_the_same_way() -> None:
    kept = replace(build(), keep=True)
    interpreter = Interpreter(source(COUNTING))

    def number(step: Step) -> int:
        interpreter.forget()
        found = interpreter.answer(Question([step, call()]))
        return int(found[-1]["value"]["output"])

    assert number(kept) == number(kept) == 1
    assert number(build()) == 2
    assert number(replace(kept, arguments=(1,))) == 3
    assert number(replace(kept, named={"a": 1})) == 4
    assert number(replace(kept, dtype=torch.float32)) == 5
    assert number(replace(kept, arguments=(1,))) == 3
    assert number(kept) == 1


def test_forget_drops_objects_and_their_problems() -> None:
    interpreter = Interpreter(source(module("return x")))
    interpreter.answer(Question([build(0, "N"), build(1)]))
    interpreter.forget()
    found = interpreter.answer(Question([build(), call(X), call(X, of=1)]))
    assert "value" in found[1]
    assert found[2]["problem"]["type"] == "KeyError"


# load

HOLDING = module(
    "return [self.plain, self.state, self.inner.w, self.rows[0], self.weight]",
    "self.plain = torch.zeros(3); self.register_buffer('state', torch.zeros(2)); "
    "self.inner = nn.Module(); self.inner.w = nn.Parameter(torch.zeros(1)); "
    "self.rows = nn.ParameterList([torch.zeros(2)]); self.weight = nn.Parameter(torch.ones(1))",
    arguments="",
)
NUMBERS = {
    "plain": torch.tensor([1.0, 2, 3]),
    "state": torch.tensor([4.0, 5]),
    "inner__w": torch.tensor([6.0]),
    "rows__0": torch.tensor([7.0, 8]),
}


def test_load_by_name_into_tensors_of_any_kind() -> None:
    output = value(HOLDING, build(), load(**NUMBERS), call())["output"]
    assert [t.tolist() for t in output] == [[1, 2, 3], [4, 5], [6], [7, 8], [1]]
    assert output[0].dtype is torch.float32  # a plain tensor does not follow module.to
    assert output[1].dtype is torch.float64


def test_load_copies() -> None:
    text = module("self.w.data.add_(1); return self.w", "self.w = nn.Parameter(torch.zeros(1))", "")
    weight = torch.zeros(1, dtype=torch.float64)
    assert value(text, build(), load(w=weight), call(), call())["output"].item() == 2
    assert weight.item() == 0


@pytest.mark.parametrize(
    "weights",
    [
        {"plain": torch.ones(4)},
        {"plain": torch.ones(3, 1)},
        {"state": torch.ones(2), "missing": torch.ones(1)},
        {"inner": torch.ones(1)},
        {"inner__missing__w": torch.ones(1)},
        {"forward": torch.ones(1)},
        {"rows__1": torch.ones(2)},
    ],
)
def test_load_under_other_names(weights: dict[str, Tensor]) -> None:
    found = answers_to(HOLDING, build(), load(**weights), call())
    given = found[1]["problem"]
    assert given["kind"] == "names"
    assert given["have"].keys() == {"inner.w", "rows.0", "weight"}
    assert given["have"]["rows.0"] == {
        "shape": [2],
        "trained": True,
        "first": "rows.0",
    }
    assert given["want"] == {k.replace("__", "."): list(w.shape) for k, w in weights.items()}
    assert found[2] == found[1]


def test_load_all_or_nothing() -> None:
    loading = source(HOLDING)
    interpreter = Interpreter(loading)
    steps: list[Step] = [build(), load(state=torch.ones(2), missing=torch.ones(1))]
    interpreter.answer(Question(steps))
    assert interpreter.objects[0].state.tolist() == [0, 0]


# call


def test_call_in_the_type_of_the_module() -> None:
    tokens = torch.tensor([2, 0])
    text = module("return x, t", arguments="x, t")
    x, t = value(text, build(), call(X, tokens))["output"]
    assert (x.dtype, t.dtype) == (torch.float64, torch.int64)
    assert torch.equal(x, X.double())
    assert torch.equal(t, tokens)


@pytest.mark.parametrize(
    "returned, described",
    [
        ("5", "of type int"),
        ("{'a': x}", "of type dict"),
        ("x.numpy()", "of type numpy.ndarray"),
        ("[x] * 65", "of type list"),
        (
            "x.to_sparse()",
            "a tensor of shape (2, 3), torch.float64, on cpu, stored as torch.sparse_coo",
        ),
        ("x.to('meta')", "a tensor of shape (2, 3), torch.float64, on meta"),
        ("x.to(torch.complex64)", "a tensor of shape (2, 3), torch.complex64, on cpu"),
        ("torch.zeros(1000, 1001)", "a tensor of shape (1000, 1001), torch.float32, on cpu"),
        ("M", "of type type"),
    ],
)
def test_what_else_is_returned_is_described(returned: str, described: str) -> None:
    output = value(module(f"return {returned}"), build(), call(X))["output"]
    assert output == {"other": described}


def test_what_is_returned_in_lists() -> None:
    output = value(module("return x, [None, (x, [x])], 5"), build(), call(X))["output"]
    assert torch.equal(output[0], X.double())
    assert output[1][0] is None
    assert output[1][1][1] == {"other": "of type list"}
    assert output[2] == {"other": "of type int"}
    assert value(module("return None"), build(), call(X))["output"] is None


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_what_is_returned_can_always_be_sent() -> None:
    output = value(module("return torch.nested.nested_tensor([x, x[:1]])"), build(), call(X))
    assert output["output"].keys() == {"other"}


@pytest.mark.parametrize("returned", ["nn.Parameter(x)", "x.expand(2, 2, 3)", "x.T", "x.conj()"])
def test_what_is_returned_is_plain(returned: str) -> None:
    output = value(module(f"return {returned}"), build(), call(X))["output"]
    assert type(output) is Tensor
    assert output.sum().item() == X.sum() * (2 if "expand" in returned else 1)


def test_which_inputs_are_changed() -> None:
    text = module("b.add_(1); c += 0; return a", arguments="a, b, c")
    found = value(text, build(), call(X, X, X))
    assert found["changed"] == [1]
    assert torch.equal(found["output"], X.double())
    assert value(module("x.resize_(3); return x"), build(), call(X))["changed"] == [0]


def test_an_input_with_nan_is_not_changed_by_looking_at_it() -> None:
    found = value(module("return x"), build(), call(torch.tensor([1.0, float("nan")])))
    assert found["changed"] == []


def test_inputs_of_one_call_are_apart() -> None:
    text = module("a.add_(1); return b", arguments="a, b")
    assert torch.equal(value(text, build(), call(X, X))["output"], X.double())


GRADED = module(
    "return [a * self.w, (b * self.u).detach()]",
    "self.w = nn.Parameter(torch.ones(3)); self.u = nn.Parameter(torch.ones(3)); "
    "self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)",
    arguments="a, b, c",
)


def test_gradients_and_where_nothing_arrives() -> None:
    weight = torch.tensor([1.0, -2, 3])
    steps = [build(), load(w=weight), call(X, X, torch.tensor([1]), gradient=True)]
    found = value(GRADED, *steps)["gradients"]
    cosines = torch.arange(6, dtype=torch.float64).cos().reshape(2, 3)
    assert torch.allclose(found["inputs"][0], cosines * weight)
    assert torch.allclose(found["parameters"]["w"], (cosines * X).sum(0))
    assert found["inputs"][1:] == [None]  # integers are not passed to autograd
    assert found["parameters"].keys() == {"w", "u", "frozen"}
    assert found["parameters"]["u"] is found["parameters"]["frozen"] is None


def test_gradients_of_all_outputs_together() -> None:
    found = value(module("return x, (2 * x.sum(),)"), build(), call(X, gradient=True))
    cosines = torch.arange(6, dtype=torch.float64).cos().reshape(2, 3)
    assert torch.allclose(found["gradients"]["inputs"][0], cosines + 2)


@pytest.mark.parametrize("returned", ["None", "x.detach()", "5", "(x > 0)", "torch.zeros(3)"])
def test_gradients_of_what_has_none(returned: str) -> None:
    text = module(f"return {returned}", "self.w = nn.Parameter(torch.ones(1))")
    found = value(text, build(), call(X, gradient=True))["gradients"]
    assert found == {"inputs": [None], "parameters": {"w": None}}


def test_gradients_only_when_asked() -> None:
    text = module("return x * self.w, torch.tensor(torch.is_grad_enabled())",
                  "self.w = nn.Parameter(torch.ones(1))")  # fmt: skip
    found = value(text, build(), call(X))
    assert found["gradients"] is None
    assert not found["output"][1]


@pytest.mark.parametrize("shape", [(3,), (2, 3), (4, 2, 3), (2, 1, 3, 2)])
def test_strided_inputs_are_not_contiguous(shape: tuple[int, ...]) -> None:
    x = torch.randn(shape)
    text = module("return x, torch.tensor([x.is_contiguous(), x.is_leaf])")
    for gradient in (False, True):
        found = value(text, build(), call(x, strided=True, gradient=gradient))
        assert found["output"][1].tolist() == [False, True]
        assert torch.equal(found["output"][0], x.double())
        assert found["changed"] == []
        assert value(text, build(), call(x, gradient=gradient))["output"][1].tolist() == [True] * 2


def test_strided_inputs_are_not_even_viewed_as_flat() -> None:
    found = problem(module("return x.view(-1)"), build(), call(X, strided=True))
    assert found["kind"] == "raised"
    assert "view size is not compatible" in found["text"]


def test_a_strided_number_and_strided_integers() -> None:
    inputs = (torch.tensor(2.0), torch.tensor([1, 2]))
    found = value(module("return x, y", arguments="x, y"), build(), call(*inputs, strided=True))
    assert found["output"][0].item() == 2
    assert found["output"][1].tolist() == [1, 2]


def test_the_seed_decides() -> None:
    steps = [build(), call(torch.ones(100))]
    text = source(module("return F.dropout(x)"))
    first, again, other = (
        answers_to(text, *steps, seed=seed)[-1]["value"]["output"] for seed in (1, 1, 2)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize(
    "step",
    [
        call(),
        call(strided=True),
        Descend(0, (), torch.zeros(2, dtype=torch.int64), steps=1),
        Operations(0, (), F64),
        Products(0, (), F64, tokens=2),
        Exponentials(0, (), F64, tokens=2),
        Held(0, (), F64),
        Rounds(0, (), F64),
        Hooked(0, (), F64),
        Move(0, (), F64),
    ],
    ids=lambda step: type(step).__name__,
)
def test_no_step_changes_the_inputs_that_others_are_given(step: CallStep) -> None:
    text = module("x.fill_(1); return x * self.w", "self.w = nn.Parameter(torch.ones(1))")
    given = X.double()
    asked: Any = replace(step, inputs=(given,))
    assert "value" in answers_to(text, build(), asked)[-1]
    assert torch.equal(given, X.double())


# parameters, values, train, hand_over, hooked

TIED = (
    "self.a = nn.Linear(2, 1, bias=False); self.b = self.a; self.e = torch.ones(1); "
    "self.register_buffer('c', torch.ones(1)); "
    "self.d = nn.Parameter(torch.ones(2), requires_grad=False)"
)


def test_parameters() -> None:
    assert value(module("return x", TIED), build(), Parameters(0)) == {
        "a.weight": {"shape": [1, 2], "trained": True, "first": "a.weight"},
        "b.weight": {"shape": [1, 2], "trained": True, "first": "a.weight"},
        "d": {"shape": [2], "trained": False, "first": "d"},
    }


def test_values_are_those_loaded() -> None:
    given = torch.tensor([[3.0, 4]])
    steps: list[Step] = [build(), load(a__weight=given), Values(0)]
    found = value(module("return x", TIED), *steps)
    assert found.keys() == {"a.weight", "b.weight", "d"}
    assert found["a.weight"].tolist() == found["b.weight"].tolist() == [[3, 4]]
    assert found["a.weight"].dtype is torch.float64


@pytest.mark.parametrize("mode", [True, False])
def test_train(mode: bool) -> None:
    text = module("return torch.tensor([self.training, self.d.training])", "self.d = nn.Dropout()")
    steps = [build(), Train(0, mode), call(X)]
    assert value(text, *steps)["output"].tolist() == [mode, mode]


def test_hand_over() -> None:
    text = module("return self.w, self.p", "self.w = nn.Parameter(torch.zeros(2)); "
                  "self.p = torch.zeros(2)", arguments="")  # fmt: skip
    numbers = {"w": torch.ones(2), "p": torch.ones(2)}
    steps = [build(), build(1), load(**numbers), HandOver(0, to=1), call(of=1)]
    w, p = value(text, *steps)["output"]
    assert w.tolist() == [1, 1]
    assert p.tolist() == [0, 0]  # a plain tensor is in no state_dict


def test_hand_over_is_strict() -> None:
    text = module("return x", "self.w = nn.Parameter(torch.zeros(size))")
    steps: list[Step] = [build(0, "M", 2), build(1, "M", 3), HandOver(0, to=1)]
    assert "size mismatch for w" in problem(text, *steps)["text"]


@pytest.mark.parametrize(
    "own, fired", [("", 1), ("    def __call__(self, x): return self.forward(x)\n", 0)]
)
def test_hooked(own: str, fired: int) -> None:
    assert value(module("return x") + own, build(), Hooked(0, (X,), F64)) == fired
    text = module("return self.forward(x) if False else x")
    assert value(text, build(), Hooked(0, (X,), F64)) == 1


# move

ONES = {
    "a plain tensor": ("return x + self.w", "self.w = torch.ones(3)"),
    "torch.ones": ("return x + torch.ones(3)", ""),
    "torch.zeros of a shape": ("return x + torch.zeros(x.shape)", ""),
    "a mask": ("return x.masked_fill(torch.ones(2, 3).tril() > 0, 0.)", ""),
    "a mask in place": ("return x.masked_fill_(torch.ones(2, 3) > 0, 0.)", ""),
    "a product": ("return x @ torch.ones(3, 3)", ""),
    "in a list": ("return torch.cat([x, torch.ones(1, 3)])", ""),
    "by name": ("return torch.where(torch.ones(3) > 0, input=x, other=x)", ""),
    "a tensor in a list": ("return x + self.w[0]", "self.w = [torch.ones(3)]"),
    "after a single number": ("y = x + torch.tensor(2.0); return y + torch.ones(3)", ""),
    "after an operation in place": ("x += 1; x.clamp_(0); return x + torch.ones(3)", ""),
    "values for indices": (
        "y = x.clone(); y[:, torch.arange(2, device=x.device)] = torch.ones(2, 2)", ""),
    "values of attention": (  # which refuses them before any operation
        "q = x[None, None]; v = torch.ones(1, 1, 2, 3).double(); "
        "return F.scaled_dot_product_attention(q, q, v)",
        ""),
    "a mask of attention": (
        "q = x[None, None]; m = torch.ones(2, 2) > 0; "
        "return F.scaled_dot_product_attention(q, q, q, m)", ""),
    "next to a registered number": (
        "return self.w + torch.ones(3)", "self.w = nn.Parameter(torch.tensor(1.0))"),
}  # fmt: skip


@pytest.mark.parametrize("name", ONES)
def test_move_finds(name: str) -> None:
    assert len(value(module(*ONES[name]), build(), Move(0, (X,), F64))) == 1


OWN = "self.w = nn.Parameter(torch.arange(3.0)); self.register_buffer('b', torch.ones(3))"
# A failed assertion must not go unnoticed here: what stops is accepted, so it becomes a mixture.
CAUGHT = "y = x.softmax(-1); z = x.clone(); {} or (x + torch.ones(3))"
NUMBERS_THERE = [
    "bool((y > 0).all())",
    "abs(y.sum().item() - 2) < 1e-6",
    "y.sum(-1).allclose(torch.ones(2, device=x.device, dtype=x.dtype))",
    "bool(x.isfinite().all() and self.w[2] == 2 and self.b.sum() == 3)",
    "z.view(-1)[1:].mul_(0).sum().item() == 0 and z.sum() == x[0, 0]",  # a view in place
    "z.T.fill_diagonal_(7).trace() == 14 == z[0, 0] + z[1, 1]",
    "(z.zero_() is z or True) and z.add_(1).sum() == 6 == z.sum()",
    "z.split(1)[1].fill_(3).sum() == z[1].sum() == 9",
    "float(torch.distributions.Normal(0., 1.).cdf(x * 0)[0, 0]) == 0.5",
    "z.cpu().sum() == x.sum().item()",
    "len(x.nonzero()) + len((x == 0).nonzero()) == 6",
    "sorted(z.unbind()[0].tolist()) == sorted(x[0].tolist())",
    "z.copy_(torch.ones(2, 3)).sum() == 6",
    "(x[0] @ x.T).shape == (2,) and (x[0] @ x.T).sum() == x[0].dot(x[0]) + x[0].dot(x[1])",
    "z.unsqueeze_(0).shape == (1, 2, 3) and z.squeeze_().t_().shape == (3, 2) == x.mT.shape",
]
MOVES = {
    "a parameter": ("return x + self.w", "self.w = nn.Parameter(torch.ones(3))"),
    "a buffer": ("return x + self.w", "self.register_buffer('w', torch.ones(3))"),
    "layers": (
        "return self.n(self.l(x)).relu()", "self.l = nn.Linear(3, 3); self.n = nn.LayerNorm(3)"),
    "device=": ("return x + torch.ones(3, device=x.device)", ""),
    "device= of a mask": (
        "mask = torch.ones(2, 3, device=x.device).triu(1) > 0; return x.masked_fill_(mask, 0)", ""),
    "arange": ("return x * torch.arange(3, device=x.device)", ""),
    "like": ("return x + torch.ones_like(x) + x.new_ones(3)", ""),
    "to": ("return x + torch.ones(3).to(x.device) + torch.ones(3).to(x)", ""),
    "in place": ("y = x.clone(); y.masked_fill_(y > 1, 0); y += x; y[0] = 1; return y", ""),
    "item": ("return x * x.sum().item()", ""),
    "float": ("return x / float(x.shape[-1]) ** 0.5", ""),
    "a number": ("return x / torch.tensor(3.0).sqrt()", ""),
    "two numbers": ("return torch.where(x > 0, torch.tensor(1.0), torch.tensor(0))", ""),
    "einsum": ("return torch.einsum('ij,kj->ik', x, x)", ""),
    "attention": ("q = x[None, None]; return F.scaled_dot_product_attention(q, q, q)", ""),
    "masked attention": (
        "q = x[None, None]; return F.scaled_dot_product_attention(q, q, q, is_causal=True)", ""),
    "several results": ("a, b = x.max(dim=-1); q, k = x.split(1); return a + b, q + k", ""),
    "a list": ("return torch.stack([row.softmax(0) for row in x])", ""),
    "dropout": ("return self.d(x)", "self.d = nn.Dropout(0.5)"),
    "multi-head": ("return self.a(x, x, x)[0]", "self.a = nn.MultiheadAttention(3, 1)"),
    "what stops": ("raise RuntimeError('not on meta')", ""),
    "an unknown device": ("assert x.device.type in ('cpu', 'cuda'), x.device", ""),
    "NumPy on the CPU": ("return x + float(x.detach().cpu().numpy().sum())", ""),
    "NumPy by force": ("return x + float(x.numpy(force=True).sum())", ""),
    "NumPy if it can": (
        "try: y = x.numpy()\n        except TypeError: y = x.cpu()\n        return x + y.sum()",
        ""),
    "an error of NumPy": ("raise TypeError('NumPy has no such thing')", ""),
    **{f"numbers {test}": (f"{CAUGHT.format(test)}; return x", OWN) for test in NUMBERS_THERE},
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_move_accepts(name: str) -> None:
    assert value(module(*MOVES[name]), build(), Move(0, (X,), F64)) == []


def test_move_accepts_an_embedding() -> None:
    text = module("return self.e(x)", "self.e = nn.Embedding(5, 2)")
    assert value(text, build(), Move(0, (torch.tensor([[1, 4]]),), F64)) == []
    found = value(module("return self.e[x]", "self.e = torch.ones(5, 2)"), build(),
                  Move(0, (torch.tensor([[1, 4]]),), F64))  # fmt: skip
    assert found == ["index"]


@pytest.mark.parametrize(
    "forward",
    [
        "return x[:, torch.arange(3)]",  # "indices should be either on cpu or on the same device"
        "return x[:, torch.arange(3) > 0]",
        "y = torch.empty_like(x); y[:] = torch.ones(3); return y",  # copy_ works between devices
        "y = torch.zeros(2, 3); y[:] = x; return y.to(x)",
        "return [x, (x, [x + x.cpu().sum().item()])], 2.0, None",
        "return torch.empty_like(x).copy_(torch.ones(2, 3))",
    ],
)
def test_move_accepts_what_a_gpu_accepts(forward: str) -> None:
    assert value(module(forward), build(), Move(0, (X,), F64)) == []


def test_move_names_the_operation() -> None:
    assert value(module("return x + torch.ones(3)"), build(), Move(0, (X,), F64)) == ["add"]
    caught = "\n        ".join(
        ["for i in range(2):", "    try: x * torch.ones(3)", "    except RuntimeError: pass"]
    )
    assert value(module(caught), build(), Move(0, (X,), F64)) == ["mul", "mul"]


@pytest.mark.parametrize(
    "forward",
    [
        "y = torch.zeros(x.shape); y[:] = x; return y",
        "y = torch.zeros(x.shape)\n        for i in range(2): y[i] = x[i]\n        return x, y",
        "return torch.empty(2, 3).copy_(x)",
        "return torch.tensor(x.tolist())",
        "return x.cpu()",
        "return x.sum().cpu()",
        "return x, [x, (x, torch.ones(3))]",
    ],
)
def test_move_finds_a_result_that_stays_behind(forward: str) -> None:
    assert value(module(forward), build(), Move(0, (X,), F64)) == [RETURN]


def test_move_names_the_mixture_before_the_result() -> None:
    mixing = "try: x + torch.ones(3)\n        except RuntimeError: return torch.ones(3)"
    assert value(module(mixing), build(), Move(0, (X,), F64)) == ["add", RETURN]


@pytest.mark.parametrize(
    "forward",
    [
        "return x + torch.from_numpy(x.detach().numpy()).to(x)",
        "import numpy; return x + float(numpy.asarray(x).sum())",
        "import numpy; return x * float(numpy.sqrt(x.sum()))",
    ],
)
def test_move_finds_what_needs_numpy_as_a_gpu_does(forward: str) -> None:
    assert value(module(forward), build(), Move(0, (X,), F64)) == [NUMPY]


def test_move_is_not_watched_elsewhere() -> None:
    text = module("return x + torch.ones(3)")
    assert value(text, build(), Move(0, (X,), F64), build(1), call(X, of=1))["output"].sum() == 21


def test_what_is_kept_draws_numbers_of_its_own() -> None:
    """Building a kept object does not change the random numbers of later steps."""
    drawing = source(module("return self.w", "self.w = nn.Parameter(torch.rand(3))", ""))
    interpreter = Interpreter(drawing)
    kept = replace(build(), keep=True)
    first, second = (
        [
            answer["value"]["output"].tolist()
            for answer in interpreter.answer(Question(steps))
            if answer["value"]
        ]
        for steps in [[kept, build(1), call(), call(of=1)]] * 2
    )
    assert first == second


def test_random_numbers_are_reseeded_for_each_call() -> None:
    drawing = module("return torch.rand(3)", arguments="")
    first, *others = (
        value(drawing, *steps)["output"].tolist()
        for steps in (
            [build(), call()],
            [build(), call(), call()],
            [build(), build(1), replace(build(2), keep=True), call()],
        )
    )
    assert others == [first, first]


# take


def test_a_function_that_is_not_there_stays_the_problem() -> None:
    take = Take(0, "absent", {}, F64)
    missing, called = answers_to("", take, call(X))
    assert missing == called
    assert missing["problem"]["kind"] == "absent"


# properties


def test_a_plain_class_may_have_properties_that_fail() -> None:
    text = (
        "class M:\n    def __init__(self): self.kept = {'w': torch.ones(2)}\n"
        "    w = property(lambda self: self.kept['w'])\n"
        "    late = property(lambda self: self.kept['late'])\n"
        "    def __call__(self): return self.w\n"
    )
    loaded = Load(0, {"w": torch.tensor([1.0, 2]).double()})
    output = value(text, build(), loaded, call())["output"]
    assert (output.tolist(), output.dtype) == ([1, 2], torch.float64)


# rounds


@pytest.mark.parametrize(
    ("forward", "init", "rounds"),
    [
        ("return x / 3 ** 0.5", "", False),
        ("return x / torch.tensor(5)", "", False),
        ("return x / torch.sqrt(torch.tensor(5))", "", True),
        ("return x.float().double()", "", True),
        ("return x * self.scale", "self.scale = torch.tensor(0.1)", True),
        ("return x * self.scale", "self.register_buffer('scale', torch.tensor(0.1))", True),
        ("return x * self.scale", "self.register_buffer('scale', torch.tensor(0.5))", False),
        ("return x * self.scale", "self.scale = torch.tensor(0.1).item()", True),
        ("return x * self.scale", "self.scale = 0.1", False),
        ("return x * self.scale", "self.scale = nn.Parameter(torch.tensor(0.1))", False),
        ("return x * self.mask", "self.register_buffer('mask', torch.ones(3).bool())", False),
        ("return [x, x.float()]", "", True),
    ],
)
def test_rounds(forward: str, init: str, rounds: bool) -> None:
    assert value(module(forward, init), build(), Rounds(0, (X,), F64)) is rounds


@pytest.mark.parametrize(
    ("kept", "rounds"), [("torch.tensor(0.1)", True), ("torch.ones(3)", False), ("0.1", False)]
)
def test_a_plain_class_rounds_by_its_constants(kept: str, rounds: bool) -> None:
    text = (
        f"class M:\n    def __init__(self): self.w, self.kept = torch.rand(3), {kept}\n"
        "    def __call__(self, x): return self.w * x + self.kept\n"
        "    def parameters(self): return [self.w]\n"
    )
    assert value(text, build(), Rounds(0, (X,), F64)) is rounds


# problems


def test_a_problem_says_what_and_where() -> None:
    found = problem(module("return F.linear(x, torch.ones(1))\n"), build(), call(X))
    assert (found["kind"], found["type"], found["where"]) == ("raised", "RuntimeError", "M")
    (frame,) = found["frames"]
    assert frame == {
        "file": "m.py", "line": 9, "code": "return F.linear(x, torch.ones(1))", "where": "M",
    }  # fmt: skip


def test_frames_are_those_of_the_students_files() -> None:
    text = "from other import scale\n" + module("return self.l(x)", "self.l = Inner()")
    text = "class Inner(nn.Module):\n    def forward(self, x): return scale(x)\n" + text
    other = (
        "import torch\nimport functools\ndef scale(x):\n    return functools.reduce(by, [x, 3])\n"
    )
    other += "def by(x, n):\n    return torch.stack([x, n])\n"
    found = problem(source(text, other=other), build(), call(X))
    assert [(f["file"], f["where"]) for f in found["frames"]] == [
        ("m.py", "M"), ("m.py", "Inner"), ("other.py", "scale"), ("other.py", "by"),
    ]  # fmt: skip
    assert found["where"] == "by"


def test_frames_are_few() -> None:
    text = (
        module("return deep(100)") + "def deep(n):\n    return 1 / n if n == 0 else deep(n - 1)\n"
    )
    found = problem(text, build(), call(X))
    assert found["type"] == "ZeroDivisionError"
    assert 1 <= len(found["frames"]) <= 8
    assert problem(module("return self(x)"), build(), call(X))["type"] == "RecursionError"


INNER = "class Outer:\n    class Inner:\n        def run(self):\n"


def test_where_is_the_top_level_class() -> None:
    text = INNER + "            def local(): raise KeyError\n            local()\n"
    text += "class M:\n    def __call__(self, x): Outer.Inner().run()\n"
    found = problem(text, build(), call(X))
    assert found["where"] == "Outer"
    assert {frame["where"] for frame in found["frames"]} == {"M", "Outer"}


@pytest.mark.parametrize(
    "forward, kind",
    [
        ("raise NotImplementedError", "unwritten"),
        ("raise NotImplementedError('write me')", "unwritten"),
        ("raise type('Todo', (NotImplementedError,), {})", "unwritten"),
        ("raise NotImplementedError(\n            'write me'\n        )", "unwritten"),
        ("return helper(x)", "unwritten"),
        ("return nn.Module()(x)", "raised"),  # raised within PyTorch
        ("return torch.arange(3).softmax(0)", "raised"),
        ("return x.to('meta').cpu()", "raised"),
        ("return torch.arange(3).softmax(0)  # may raise", "raised"),
        ("raise ValueError", "raised"),
        ("raise KeyboardInterrupt", "raised"),
        ("raise SystemExit(3)", "exit"),
        ("import sys; sys.exit()", "exit"),
        ("raise MemoryError", "memory"),
        ("eval('1 +')", "raised"),
    ],
)
def test_kinds(forward: str, kind: str) -> None:
    text = module(forward) + "def helper(x):\n    raise NotImplementedError\n"
    assert problem(text, build(), call(X))["kind"] == kind


def test_a_module_without_forward_is_not_unwritten() -> None:
    found = problem("class M(nn.Module): pass", build(), call(X))
    assert (found["kind"], found["type"]) == ("raised", "NotImplementedError")
    assert found["frames"] == []


def test_what_another_module_lacks_is_unwritten_there() -> None:
    text = source("from absent import Part\nfrom other import Piece\n" + module(
        "return Part() if x.sum() else Piece()"), other="")  # fmt: skip
    found = problem(text, build(), call(X))
    assert (found["kind"], found["where"]) == ("unwritten", "Part")
    assert found["text"] == "Part is missing: absent.py was not submitted"
    found = problem(text, build(), call(X * 0))
    assert (found["kind"], found["where"]) == ("unwritten", "Piece")
    assert found["text"] == "Piece is missing: other.py does not define it"


@pytest.mark.parametrize("error", ["SyntaxError", "SyntaxError()", "SyntaxError(5)"])
def test_a_syntax_error_without_a_text(error: str) -> None:
    assert problem(module(f"raise {error}"), build(), call(X))["type"] == "SyntaxError"


def test_an_error_whose_text_cannot_be_had() -> None:
    text = "class E(Exception):\n    def __str__(self): raise ValueError\n" + module("raise E")
    assert problem(text, build(), call(X))["text"] == "(its text cannot be shown: ValueError)"


def test_texts_are_cut() -> None:
    found = problem(module("raise ValueError('x' * 10**6)"), build(), call(X))
    assert found["text"] == "x" * 500


@pytest.mark.parametrize(
    "text, kind, line",
    [
        ("class M:\n    def f(self)\n        pass\n", "syntax", 2),
        ("x = 1\n  y = 2\n", "syntax", 2),
        ("x = 1\nraise SystemExit\n", "exit", 2),
        ("x = 1\nx.y\n", "raised", 2),
        ("def f():\n    raise NotImplementedError\nf()\n", "unwritten", 2),
    ],
)
def test_a_module_that_does_not_load(text: str, kind: str, line: int) -> None:
    found = Source("m", {"m": text}, []).load(keep=False)
    assert found
    assert (found["kind"], found["frames"][-1]["line"]) == (kind, line)
    assert found["frames"][-1]["code"] in text
    answers.problem(decode(encode(found)))


# time

LATE = "from autograder.runtime.problems import TimeUp\nclass Late:\n"
LATE += "    def __init__(self, late=False):\n        if late: raise TimeUp('late')\n"
LATE += "    def __call__(self, x):\n        raise TimeUp('late')\n"
COUNT = "calls = []\nclass M:\n    def __call__(self, x):\n        calls.append(1)\n"


@pytest.fixture
def timed() -> Iterator[Source]:
    yield source(LATE + COUNT)


def test_after_a_timeout_no_other_step_is_tried(timed: Source) -> None:
    steps = [build(), build(1, "Late"), call(X), call(X, of=1), call(X), build(2, "N"), call(X)]
    found = answers_to(timed, *steps)
    assert found[2] == {"value": {"output": None, "changed": [], "gradients": None}}
    assert found[3]["problem"]["kind"] == "timeout"
    assert found[3]["problem"]["frames"][-1]["code"] == "raise TimeUp('late')"
    assert found[4] == found[5] == found[6] == found[3]
    assert timed.namespace["calls"] == [1]


def test_after_a_timeout_the_next_question_is_answered(timed: Source) -> None:
    interpreter = Interpreter(timed)
    late = [build(), build(1, "Late", True), call(X)]
    found = interpreter.answer(Question(late))
    assert [answer.get("problem", {}).get("kind") for answer in found] == [None, *["timeout"] * 2]
    assert "value" in interpreter.answer(Question([call(X)]))[0]
    assert timed.namespace["calls"] == [1]


def test_other_problems_do_not_end_the_question() -> None:
    found = answers_to(module("return x.y"), build(), call(X), Hooked(0, (X,), F64), build(1))
    assert [*map(list, found)] == [["value"], ["problem"], ["problem"], ["value"]]


# state


@pytest.mark.parametrize(
    ("forward", "init"),
    [
        (
            "y = x * self.w.sum(); self.w = self.w[:1]; return y",
            "self.register_buffer('w', torch.ones(2))",
        ),
        ("self.w += 1; return x * self.w", "self.register_buffer('w', torch.zeros(1))"),
        ("self.w += 1; return x * self.w", "self.w = 0"),
        ("self.w.append(1); return x * len(self.w)", "self.w = []"),
        ("w = vars(self).setdefault('w', []); w.append(1); return x * len(w)", ""),
    ],
)
def test_what_a_check_leaves_in_a_module_is_gone_in_the_next(forward: str, init: str) -> None:
    asked = Interpreter(source(module(forward, init)))
    kept = replace(build(), keep=True)
    first = asked.answer(Question([kept, call(X)]))
    asked.forget()
    second = asked.answer(Question([kept, call(X)]))
    assert torch.equal(first[-1]["value"]["output"], second[-1]["value"]["output"])


def test_a_module_may_have_a_list_called_modules() -> None:
    """PyTorch builds, moves and trains such a module, so the interpreter must too."""
    init = "self.a = nn.Linear(3, 3); self.modules = [self.a]"
    asked = Interpreter(source(module("return self.modules[0](x)", init)))
    for _ in range(2):
        found = asked.answer(Question([replace(build(), keep=True), call(X)]))
        assert all("value" in answer for answer in found), found
        asked.forget()


def test_a_module_that_nothing_changed_is_not_built_again() -> None:
    asked = Interpreter(source(module("return self.p(x)", "self.p = nn.Linear(3, 3)")))
    made = []
    for _ in range(2):
        asked.forget()
        steps = [replace(build(), keep=True), Train(0, False), call(X)]
        asked.answer(Question(steps))
        made.append(asked.objects[0])
    assert made[0] is made[1]


@pytest.mark.parametrize("ends", ["return x", "raise ValueError('no')"])
def test_what_a_call_sets_is_not_there_in_the_next(ends: str) -> None:
    """Settings of torch are reset for any class, whether the call returns or raises."""
    lines = "torch.set_default_dtype(torch.float16); torch.set_grad_enabled(True)"
    loaded = source(
        module(f"{lines}; {ends}") + "class N:\n    def __call__(self, x):\n        "
        "return torch.ones(2), torch.tensor(float(torch.is_grad_enabled()))\n"
    )
    x = torch.ones(2, 3)
    steps = build(), call(x), build(1, "N"), call(x, of=1)
    *_, last = answers_to(loaded, *steps)
    made, grad = last["value"]["output"]
    assert (made.dtype, float(grad)) == (torch.float32, 0.0)
