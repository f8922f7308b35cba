"""Has children of the right names whose classes only bear the right names.

exercise: AttentionHead
safe: parts without right results earn nothing
"""

from torch import nn

PARTS = {"scaled_dot_product": "ScaledDotProduct", "qkv_mechanism": "QueryKeyValue"}


class AttentionHead(nn.Module):
    def __init__(self, dim_h, dim_k):
        super().__init__()
        self.dim_k = dim_k

    def named_children(self):
        for name, kind in PARTS.items():
            yield name, type(kind, (nn.Identity,), {})()

    def forward(self, X):
        return X.new_zeros(*X.shape[:-1], self.dim_k)
