"""Keeps the oracle busy: questions without end, of sizes that take long, and of no sense.

exercise: AttentionHead
safe: each question is small, and the time of all of them counts as its own
"""

import contextlib

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return V * 0


class QueryKeyValue(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()


class AttentionHead(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()
        self.aggregation_step = ScaledDotProduct()

    def forward(self, x):
        consult = getattr(type(self.aggregation_step), "consult", None)
        random = torch.default_generator.get_state()
        big = torch.zeros(64, 64)
        while consult:
            for inputs in ([big, big, big], [torch.zeros(0, 1 << 20)], [big] * 500, ["x"], 7):
                question = {"do": "call", "of": "ScaledDotProduct", "arguments": [], "named": {}}
                with contextlib.suppress(TypeError):
                    consult(
                        {
                            **question,
                            "inputs": inputs,
                            "parameters": {},
                            "training": True,
                            "part": "",
                        }
                        | {"random": random}
                    )
        return x * 0
