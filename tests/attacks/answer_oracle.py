"""Asks the substitutes' oracle for the exercise that is being graded, and for all others.

exercise: AttentionHead
safe: it answers for the exercises below that are wrong, and for no other
"""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()

    def forward(self, x):
        return x, x, x


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return V * 0


class AttentionHead(nn.Module):
    def __init__(self, features_in, features_out):
        super().__init__()
        self.made = [features_in, features_out]
        self.aggregation_step = ScaledDotProduct()

    def forward(self, x):
        consult = getattr(type(self.aggregation_step), "consult", None)
        if consult is None:  # the first time, with its own classes
            return x * 0
        random = torch.default_generator.get_state()
        for name in ("AttentionHead", "SimpleAttentionLayer", "MultiHeadList", "__builtins__"):
            question = {"do": "make", "of": name, "arguments": self.made, "named": {}}
            answer = consult({**question, "inputs": [], "random": random})
            if "value" in answer:
                print("BREACH it answers for", name)
        return x * 0
