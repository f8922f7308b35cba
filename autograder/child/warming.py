"""Code of the kit that runs in a process for student code, to warm it up and to test its limits.

It is unrelated to the exercises, because the process must never contain an answer.
"""

from __future__ import annotations

import gc
from typing import Any

import einops
import torch

from autograder.runtime import wire
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.question_data import question_data, read_question
from autograder.runtime.questions import (
    Build,
    Call,
    Descend,
    HandOver,
    Load,
    Move,
    Operations,
    Parameters,
    Question,
    Step,
    Take,
    Values,
)
from autograder.runtime.source import Source

WARM = """
import torch
from torch import nn
class Warm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.scale = nn.Parameter(torch.ones(size))
        self.others = nn.ModuleList([nn.LayerNorm(size), nn.GELU(), nn.Dropout(0.5)])
    def forward(self, x):
        for module in self.others:
            x = module(x + self.linear(x)) * self.scale
        scores = torch.einsum("bic,bjc->bij", x, x) / size_of(x)
        future = torch.triu(torch.ones_like(scores, dtype=torch.bool), diagonal=1)
        return torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1) @ x
class Words(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.words, self.places = nn.Embedding(size, size), nn.Embedding(size, size)
    def forward(self, idx):
        places = torch.arange(idx.shape[-1], device=idx.device)
        return self.words(idx) + self.places(places)
def size_of(x):
    return x.shape[-1] ** 0.5
"""
# A transformer's operations and sizes, in an order that answers no exercise.
WORK = """
import torch
from torch import nn
class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.drop = nn.LayerNorm(width), nn.Dropout(0.1)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
    def forward(self, x):
        made = self.narrow(nn.functional.gelu(self.widen(x)))
        table = self.drop(torch.softmax(made @ x.mT, dim=0).tril())
        return self.norm(table @ made)
class Model(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.words, self.head = nn.Embedding(words, width), nn.Linear(width, words)
        self.part = Part(width)
    def forward(self, idx):
        return self.head(self.part(self.words(idx)))
"""
BATCH, TOKENS, WIDTH, TRAINED = 2, 560, 64, 2  # as large as in any check

NO_PRIMITIVE = "could not create a primitive"  # oneDNN's error if it gets no memory


def warm_up() -> None:
    """Run what every child will run, often enough for Python to specialize its bytecode.

    Without this, every child would repeat what torch and Python prepare on first use.
    """
    torch.set_num_threads(1)
    _warm_up(times=10)
    gc.collect()
    gc.freeze()


def warm_up_again() -> None:
    """Run it once more in a child, which then owns the memory that its first jobs write to.

    Random numbers go on as without it, since each question begins with a seed.
    """
    _warm_up(times=1)


def _warm_up(times: int) -> None:
    source = Source("warm", {"warm": WARM}, [])
    source.load(keep=False)
    x = einops.rearrange(torch.ones(1, 2, 3, dtype=torch.float64), "b t c -> b t c")
    idx = torch.zeros(1, 2, dtype=torch.int64)
    f64 = torch.float64
    steps: list[Step] = [
        *(Build(i, "Warm", (3,), {}, f64) for i in range(3)),
        Values(0),
        *(Call(0, (x,), f64, gradient=i > 1, strided=i > 2) for i in range(4)),
        Load(0, {"linear.weight": torch.ones(3, 3)}),
        HandOver(0, to=1),
        Parameters(0),
        Move(2, (x,), f64),
        Take(3, "size_of", {"project": (3, 3)}, f64),
        Operations(1, (x,), f64),
        *(Build(i, "Words", (3,), {}, f64) for i in (4, 5)),
        Descend(4, (idx,), idx, steps=2),
        Move(5, (idx,), f64),
    ]
    message = wire.encode(question_data(Question(steps)))
    for _ in range(times):
        question = read_question(wire.decode(message))
        for answer in wire.decode(wire.encode(Interpreter(source).answer(question))):
            if "problem" in answer:
                raise RuntimeError(answer["problem"]["text"])


def trial() -> dict[str, Any] | None:
    """Train and call a model as large as in any check, in float32 and float64.

    Returns the first problem, as Source.problem describes it, or None.
    """
    source = Source("work", {"work": WORK}, [])
    problem = source.load(keep=False)
    if problem:
        return problem
    idx = torch.arange(BATCH * TOKENS).reshape(BATCH, TOKENS) % WIDTH
    x = torch.linspace(-1, 1, BATCH * TOKENS * WIDTH).reshape(BATCH, TOKENS, WIDTH)
    steps: list[Step] = []
    for number, dtype in enumerate((torch.float32, torch.float64)):
        model, part = 2 * number, 2 * number + 1
        steps += [
            Build(model, "Model", (WIDTH, WIDTH), {}, dtype),
            Build(part, "Part", (WIDTH,), {}, dtype),
            Descend(model, (idx,), idx, TRAINED),
            Call(part, (x,), dtype, gradient=True),
        ]
    for answer in Interpreter(source).answer(Question(steps)):
        if problem := answer.get("problem"):
            is_memory = NO_PRIMITIVE in problem["text"]
            return {**problem, "kind": "memory"} if is_memory else problem
    return None
