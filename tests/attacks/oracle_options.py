"""Has the oracle make modules with names, types and options that nobody gives.

exercise: AttentionHead
safe: it makes what the exercise offers, and nothing else
"""

import contextlib

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return V * 0


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.scaled_dot_product = ScaledDotProduct()
        self.dim_k = dim_k

    def forward(self, x):
        ask = self.scaled_dot_product
        with contextlib.suppress(Exception):
            odd = ({"bias": False}, {"self": 1}, {"__class__": 1}, {"device": 0}, {"a" * 10**5: 1})
            for more in odd:
                with contextlib.suppress(Exception):
                    type(ask)(**more)
            for given in ([float("nan")], [True] * 50, [-1], [2**63], [512] * 2, [1e308]):
                with contextlib.suppress(Exception):
                    type(ask)(*given)
        return x.new_zeros(*x.shape[:-1], self.dim_k)
