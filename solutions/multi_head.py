# %% [markdown]
# # Many heads
#
# One head can look for one thing at a time. A word may need several: its verb,
# the noun it stands for, the word before it. So real layers have several heads
# side by side, each with queries, keys and values of its own, and a last linear
# layer that combines what they found.
#
# You write this twice: first plainly, as a list of the heads that you already
# have, then as it is done in practice, with all heads in one tensor.
#
# Axes: B batch, T tokens, H heads, d features of one head.

# %%
import torch
from einops import rearrange
from torch import Tensor, nn

from attention_layer import AttentionHead  # your own, from that assignment

# %% [markdown]
# ## Exercise 1: MultiHeadList
#
# Give the same input to every head and lay the results side by side: for each
# token first the features of head 0, then those of head 1, and so on. The
# linear layer `aggregation_step` brings the `nr_heads * dim_k` features back
# to `dim_h`.
#
#     out = aggregation_step([head_0(x) | head_1(x) | ...])
#
# Keep the heads in an `nn.ModuleList` called `heads`. A plain Python list
# hides them from PyTorch, and `[head] * nr_heads` would be one head many
# times.
#
# Shapes: `x (..., T, dim_h)`; a head gives `(..., T, dim_k)`; side by side
# `(..., T, nr_heads * dim_k)`; out `(..., T, dim_h)`.
#
# To check by hand: `MultiHeadList(5, 3, 2)` has 2 · (15 + 15 + 18) numbers in
# its heads and 6 · 5 + 5 in its last layer: 131 in all.


# %%
class MultiHeadList(nn.Module):
    """Attention heads side by side, and a linear layer that combines them.

    x: (..., T, dim_h). Returns (..., T, dim_h).
    """

    def __init__(self, dim_h: int, dim_k: int, nr_heads: int) -> None:
        super().__init__()
        # TODO: make heads, a ModuleList of AttentionHead, and aggregation_step.
        ### BEGIN SOLUTION
        self.heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])
        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: put the outputs of the heads side by side and combine them.
        ### BEGIN SOLUTION
        side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)
        return self.aggregation_step(side_by_side)
        ### END SOLUTION


# %% [markdown]
# ## Exercise 2: MultiHeadAttention
#
# All heads at once. One linear layer `to_qkv`, **without bias**, computes the
# queries, keys and values of all heads in a single product. Its
# `3 * nr_heads * dim_head` output features are, in this order, all queries,
# all keys, all values; and within each third the heads follow each other, the
# features of head 0 first. In einops' words the last axis of each third is
# `(h d)`:
#
#     rearrange(q, "b n (h d) -> b h n d", h=nr_heads)
#
# With the heads as an axis of their own, scores and mixtures are computed for
# all of them by one product each:
#
#     weights = softmax(q kᵀ * scale)       scale = dim_head ** -scale_factor
#     out     = to_out(weights v)           heads side by side again, (h d)
#
# With the usual scale_factor of 0.5 this divides by sqrt(dim_head). Dropout
# with probability `dropout_p` falls on the weights, after the softmax: a
# dropped weight is a token that is not looked at this time. `to_out` is a
# linear layer with bias, from `nr_heads * dim_head` to `dim_input`. There is
# no mask: every token sees the whole sequence.
#
# Shapes: `x (B, T, dim_input)`; q, k, v `(B, H, T, d)`; weights `(B, H, T, T)`;
# out `(B, T, dim_input)`.
#
# To check by hand: if the parameters of `to_qkv` are such that all queries are
# 0, every score is 0, every weight is 1/T, and each token gets the plain
# average of all values.


# %%
class MultiHeadAttention(nn.Module):
    """Self-attention with all heads in one tensor; no mask.

    x: (B, T, dim_input). Returns (B, T, dim_input). Scores are multiplied by
    dim_head ** -scale_factor. Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(
        self,
        dim_input: int,
        nr_heads: int = 8,
        dim_head: int = 16,
        dropout_p: float = 0.0,
        scale_factor: float = 0.5,
    ) -> None:
        super().__init__()
        # TODO: keep nr_heads and the scale; make to_qkv (no bias), to_out and
        # dropout.
        ### BEGIN SOLUTION
        self.nr_heads = nr_heads
        self.scale = dim_head**-scale_factor
        self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
        self.dropout = nn.Dropout(dropout_p)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: split into heads, attend, put the heads side by side, combine.
        ### BEGIN SOLUTION
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        scores = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        weights = self.dropout(scores.softmax(dim=-1))
        out = torch.einsum("b h i j, b h j d -> b h i d", weights, v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))
        ### END SOLUTION
