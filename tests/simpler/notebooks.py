"""Compute what the five source notebooks print, as recorded in tables.json.

A row of the file is one printed table, shape or text. Its key is `setup.name`: a function of this
module, the setup, computes the row under `name`. `same_as` names a row with the same numbers.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

References = Mapping[str, Any]  # the references' classes and functions, by name
Values = dict[str, Any]  # the values that a setup computes, by the names of rows


@dataclass(frozen=True)
class Row:
    """One table that a notebook prints. tolerance: None if it must be equal.

    status: 'exact'; 'rounding noise' (only the size of the numbers means something); or
    'unseeded' (only the shape and equal rows can be compared).
    """

    key: str
    where: str  # number of the notebook and cell
    assignment: str
    status: str
    expected: Any
    tolerance: float | None = None
    note: str = ""

    @property
    def setup(self) -> str:
        return self.key.split(".")[0]

    @property
    def name(self) -> str:
        return self.key.split(".")[1]

    def is_met_by(self, got: Any) -> bool:
        """Return whether a computed value agrees with what the notebook prints."""
        if self.tolerance is None:
            return bool(got == self.expected) if self.status == "exact" else self._has_form(got)
        numbers, printed = table(got), table(self.expected)
        if self.status == "rounding noise":
            printed = torch.zeros_like(printed)
        close = partial(torch.allclose, rtol=0.0, atol=self.tolerance)
        return numbers.shape == printed.shape and close(numbers, printed)

    def _has_form(self, got: Any) -> bool:
        """Return whether random numbers have the printed shape, and equal rows where printed."""
        numbers, printed = table(got), table(self.expected)
        equal = _has_equal_rows(numbers) or not _has_equal_rows(printed)
        return numbers.shape == printed.shape and equal


def rows() -> list[Row]:
    """Read the rows of tables.json."""
    entries = json.loads(Path(__file__).with_name("tables.json").read_text(encoding="utf-8"))
    tables = {entry["key"]: entry.get("expected") for entry in entries}
    for entry in entries:
        if "same_as" in entry:
            entry["expected"] = tables[entry.pop("same_as")]
    return [Row(**entry) for entry in entries]


def table(value: Any) -> Tensor:
    """Return a table of numbers, read or computed, as a tensor. "-inf" means minus infinity."""
    if isinstance(value, Tensor):
        return value.double()
    return torch.tensor(_floats(value), dtype=torch.float64)


def _floats(value: Any) -> Any:
    return [_floats(part) for part in value] if isinstance(value, list) else float(value)


def _has_equal_rows(numbers: Tensor) -> bool:
    lines = numbers.flatten(end_dim=-2)
    rounding = 1e-5 * float(numbers.abs().max())  # sums that cancel leave the error of their terms
    return torch.allclose(lines, lines[:1].expand_as(lines), rtol=0.0, atol=rounding)


def drawn(seed: int, *shape: int) -> Tensor:
    """Draw random numbers after setting the global seed; later draws continue the sequence."""
    torch.manual_seed(seed)
    return torch.randn(*shape)


def layers(count: int, d_in: int, d_out: int) -> list[nn.Linear]:
    return [nn.Linear(d_in, d_out, bias=False) for _ in range(count)]


def averages(references: References, x: Tensor, atol: float) -> Values:
    """Compute running averages in three ways; values are those of the first sequence."""
    loop = references["running_mean_loop"](x)
    matmul_weights, matmul = references["running_mean_matmul"](x)
    softmax_weights, softmax = references["running_mean_softmax"](x)
    return {
        "x": x[0],
        "loop": loop[0],
        "matmul_weights": matmul_weights,
        "matmul_agrees": torch.allclose(loop, matmul, atol=atol),
        "softmax_weights": softmax_weights,
        "softmax_agrees": torch.allclose(loop, softmax, atol=atol),
        "shape": list(x.shape),
        "matmul": matmul[0],
        "softmax": softmax[0],
    }


def averages_1337(references: References) -> Values:
    found = averages(references, drawn(1337, 4, 8, 2), atol=1e-4)
    unprinted = ("shape", "matmul", "softmax")
    return {name: value for name, value in found.items() if name not in unprinted}


def head_1337(references: References) -> Values:
    x = drawn(1337, 4, 8, 32)
    weights, _ = references["single_head"](x, *layers(3, 32, 16))  # query, key, value
    return {"weights": weights[0]}


def scaling(_: References) -> Values:
    drawn(1337, 4, 8, 32)
    layers(3, 32, 16)
    q, k = torch.randn(4, 8, 16), torch.randn(4, 8, 16)
    scores = q @ k.transpose(-2, -1)
    five = torch.tensor([0.1, -0.2, 0.3, -0.2, 0.5])
    return {
        "variances": torch.stack([t.var() for t in (q, k, scores, scores * 16**-0.5)]),
        "even": five.softmax(dim=-1),
        "peaked": (8 * five).softmax(dim=-1),
    }


def batch_norm(references: References) -> Values:
    x = references["BatchNorm1d"](100)(drawn(1337, 32, 100))
    return {
        "shape": list(x.shape),
        "feature_mean": x[:, 0].mean(),
        "feature_std": x[:, 0].std(),
        "sample": torch.stack([x[0].mean(), x[0].std()]),
    }


def layer_norm(references: References) -> Values:
    x = references["LayerNorm1d"](100)(drawn(1337, 32, 100))
    return {
        "shape": list(x.shape),
        "feature": torch.stack([x[:, 0].mean(), x[:, 0].std()]),
        "sample_mean": x[0].mean(),
        "sample_std": x[0].std(),
    }


def averages_42(references: References) -> Values:
    found = averages(references, drawn(42, 4, 8, 2), atol=1e-8)  # as allclose has it
    return {name: value for name, value in found.items() if name != "softmax_weights"}


def three_tokens(references: References) -> Values:
    torch.manual_seed(42)
    tokens = torch.randint(0, 10, (3, 2)).float()
    weights, means = references["running_mean_matmul"](tokens[None])
    return {"weights": weights, "tokens": tokens, "means": means[0]}


def hello(references: References) -> Values:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        references["TestModule"]()()
    return {"text": printed.getvalue()}


def sentence_of_two() -> Tensor:
    return torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]])


def projections(references: References) -> Values:
    parts = references["QueryKeyValue"](5, 3)(sentence_of_two())
    found: Values = dict(zip(("queries", "keys", "values"), parts, strict=True))
    return found | {f"{name}_shape": list(part.shape) for name, part in found.items()}


def head_of_ones(references: References) -> Values:
    """Compute attention with one-hot values, whose results are the weights."""
    sentence = sentence_of_two()
    batch = torch.stack([sentence, sentence])
    head = references["AttentionHead"](5, 5)
    queries, keys, _ = head.qkv_mechanism(sentence)
    return {
        "second_weights": head.scaled_dot_product(queries, keys, torch.eye(2))[:, 1],
        "sentence": head(sentence),
        "batch_shape": list(batch.shape),
        "batch": head(batch),
    }


def norms(_: References) -> Values:
    """Compute PyTorch's own norms: this notebook does not write any itself."""
    tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8222, 10]])
    layer, batch = nn.LayerNorm(5)(tokens), nn.BatchNorm1d(5)(tokens)
    return {
        "layer": layer,
        "layer_over_features": layer.sum(-1, keepdim=True),
        "layer_over_tokens": layer.sum(0, keepdim=True),
        "batch": batch,
        "batch_over_features": batch.sum(-1, keepdim=True),
        "batch_over_tokens": batch.sum(0, keepdim=True),
    }


def journey(references: References) -> Values:
    """Compute attention for the six tokens of "Your journey starts with one step"."""
    inputs = torch.tensor(
        [
            [0.43, 0.15, 0.89],
            [0.55, 0.87, 0.66],
            [0.57, 0.85, 0.64],
            [0.22, 0.58, 0.33],
            [0.77, 0.25, 0.10],
            [0.05, 0.80, 0.55],
        ]
    )
    batch = torch.stack([inputs, inputs])
    torch.manual_seed(123)
    parameters = references["SelfAttention"](3, 2)
    torch.manual_seed(789)
    linear = references["SelfAttentionV2"](3, 2)
    torch.manual_seed(123)
    causal = references["CausalAttention"](3, 2, batch.shape[1], 0.0)
    return {
        "starts": references["context_vector"](inputs, 2)[2],
        "simple": references["simple_self_attention"](inputs)[1],
        "parameters": parameters(inputs),
        "linear": linear(inputs),
        "causal_weights": references["causal_weights"](
            linear.W_query(inputs), linear.W_key(inputs)
        ),
        "batch_shape": list(batch.shape),
        "causal": causal(batch),
    }


def uniform(references: References) -> Values:
    weights, means = references["running_mean_softmax"](drawn(1337, 4, 8, 32))
    return {"shape": list(means.shape), "weights": weights}


def undivided(_: References) -> Values:
    """Compute attention without dividing the scores, in plain PyTorch: no exercise covers it."""
    x = drawn(1337, 4, 8, 32)
    key, query, value = layers(3, 32, 16)
    raw = query(x) @ key(x).transpose(-2, -1)
    masked = raw.masked_fill(torch.ones(8, 8).triu(1).bool(), -torch.inf)
    weights = masked.softmax(dim=-1)
    return {
        "shapes": [list((table @ x).shape) for table in (weights, raw, masked)],
        "weights": weights[0],
        "raw": raw[0],
        "masked": masked[0],
        "weights_again": weights[0],
        "out_shape": list((weights @ value(x)).shape),
    }


SETUPS: dict[str, Callable[[References], Values]] = {
    setup.__name__: setup
    for setup in (
        averages_1337, head_1337, scaling, batch_norm, layer_norm, averages_42, three_tokens,
        hello, projections, head_of_ones, norms, journey, uniform, undivided,
    )
}  # fmt: skip
