# ---
# order: 6
# hours: 2
# from: Vaswani et al. 2017, section 3.2.2
# ---

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
# Axes: B batch, T tokens, H heads, d features of one head. The rules of the
# assignment on one attention layer hold here too.

# %%
import torch
from einops import rearrange
from torch import Tensor, nn

from attention_layer import AttentionHead  # your own, from that assignment
# (written in the notebook? then run: %run attention_layer.ipynb)

# %% [markdown]
# ## Exercise 1: MultiHeadList
#
# Give the same input to every head and lay the results side by side: for each
# token first the features of head 0, then those of head 1, and so on. The
# linear layer `aggregation_step` brings the `nr_heads * dim_k` features back
# to `dim_h`.
#
#     out = aggregation_step([head_0(x) | head_1(x) | ...])
# <!-- $$
# \text{out} = \text{aggregation\_step}
# \big(\,[\,\text{head}_0(x) \mid \text{head}_1(x) \mid \dots\,]\,\big)
# $$ -->
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


# %% tags=["active-ipynb"]
# several = MultiHeadList(5, 3, 2)
# count = sum(p.numel() for p in several.parameters())
# assert count == 131, "expected 131 parameters"
# x = torch.randn(2, 4, 5)
# before = x.clone()
# output = several(x)
# assert output.shape == (2, 4, 5), "expected the shape of x, (2, 4, 5)"
# assert torch.equal(x, before), "expected x to stay as it was"
# alone = several(x[1])
# assert torch.allclose(output[1], alone, atol=1e-5), "expected the same in a batch as alone"
# print("MultiHeadList: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: what each head contributes
#
# To lay the heads side by side and multiply by one matrix comes to the same as
# to give each head a matrix of its own, a block of three columns of
# `aggregation_step.weight`, and to add up what comes out. The picture shows
# these parts for three tokens: two heads and the bias, and on the right what
# your module returns. Each number there is the sum of the three numbers at its
# place, apart from rounding. Red is negative, blue is positive.
#
# Tokens 1 and 2 get nearly the same. As long as `W_q` and `W_k` are all ones,
# every head has the same weights, and these two tokens look at the same one.
# Only the values tell the heads apart, and through them training makes the
# rest different too.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "figure.dpi": 110})
#
#
# def heatmap(ax, matrix, title, rows, columns, cmap="viridis", low=0.0, high=1.0):
#     """Draw a matrix with its values; rows and columns are the names at its sides."""
#     matrix = matrix.detach()
#     picture = ax.imshow(matrix, cmap=cmap, vmin=low, vmax=high, aspect="auto")
#     for i, row in enumerate(matrix.tolist()):
#         for j, value in enumerate(row):
#             red, green, blue, _ = picture.cmap(picture.norm(value))
#             ink = "black" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "white"
#             ax.text(j, i, f"{value:.2f}", ha="center", va="center", color=ink)
#     ax.set_title(title)
#     ax.set_xticks(range(len(columns)), columns)
#     ax.set_yticks(range(len(rows)), rows)
#     ax.tick_params(length=0)
#     ax.spines[:].set_visible(False)
#
#
# torch.manual_seed(1)
# layer = MultiHeadList(4, 3, 2)
# x = torch.randn(3, 4)
# with torch.no_grad():
#     blocks = layer.aggregation_step.weight.split(3, dim=-1)  # two of shape (4, 3)
#     parts = {
#         f"head {h}": head(x) @ block.T
#         for h, (head, block) in enumerate(zip(layer.heads, blocks, strict=True))
#     }
#     parts["bias"] = layer.aggregation_step.bias.expand(3, 4)
#     output = layer(x)
# total = sum(parts.values())
# assert torch.allclose(total, output, atol=1e-5), "the parts do not add up to the output"
#
# fig, axes = plt.subplots(1, 4, figsize=(10, 2.3), layout="constrained")
# high = max(part.abs().max().item() for part in [*parts.values(), output])
# for ax, (title, part), sign in zip(
#     axes, [*parts.items(), ("output", output)], ["", "+ ", "+ ", "= "], strict=True
# ):
#     heatmap(ax, part, sign + title, range(3), range(4), "RdBu", -high, high)
#     ax.set_xlabel("Feature")
# axes[0].set_ylabel("Token")
# plt.show()

# %% [markdown]
# ## Exercise 2: MultiHeadAttention
#
# All heads at once. One linear layer `to_qkv`, **without bias**, computes the
# queries, keys and values of all heads in a single product. Its
# `3 * nr_heads * dim_head` output features are, in this order, all queries,
# all keys, all values; and within each third the heads follow each other, the
# features of head 0 first.
#
# `rearrange`, from the library einops, splits, reorders and joins dimensions:
# its pattern names them before and after the arrow. A dimension `(h d)` is made
# of h blocks of d numbers; if `t` is `[1, 2, 3, 4, 5, 6]`, then
# `rearrange(t, "(h d) -> h d", h=2)` is `[[1, 2, 3], [4, 5, 6]]`. The last
# dimension of each third is such an `(h d)`:
#
#     rearrange(q, "b n (h d) -> b h n d", h=nr_heads)
#
# With the heads as an axis of their own, scores and mixtures are computed for
# all of them by one product each:
#
#     weights = softmax(q kᵀ * scale)       scale = dim_head ** -scale_factor
#     out     = to_out(weights v)           heads side by side again, (h d)
# <!-- $$
# \begin{aligned}
# \text{weights} &= \mathrm{softmax}(q k^\top \cdot \text{scale}) &&
# \text{scale} = \text{dim\_head}^{-\text{scale\_factor}} \\
# \text{out} &= \text{to\_out}(\text{weights} \, v) &&
# \text{heads side by side again, (h d)}
# \end{aligned}
# $$ -->
#
# With the usual scale_factor of 0.5 this divides by sqrt(dim_head). Dropout
# with probability `dropout_p` falls on the weights, after the softmax: a
# dropped weight is a token that is not looked at this time. Every weight is
# drawn by itself, in each head and for each token. When all weights are dropped
# (`dropout_p=1.0`), only the bias of `to_out` is left. `to_out` is a linear
# layer with bias, from `nr_heads * dim_head` to `dim_input`, also where there is
# one head only. There is no mask: every token sees the whole sequence.
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


# %% tags=["active-ipynb"]
# attention = MultiHeadAttention(6, nr_heads=2, dim_head=3)
# assert attention.to_qkv.weight.shape == (18, 6), "expected to_qkv with a weight of (18, 6)"
# x = torch.randn(2, 4, 6)
# assert attention(x).shape == (2, 4, 6), "expected the shape of x, (2, 4, 6)"
# nn.init.zeros_(attention.to_qkv.weight[:6])  # the queries
# output = attention(x)
# average = output.mean(dim=1, keepdim=True).expand(2, 4, 6)
# assert torch.allclose(output, average, atol=1e-5), "expected equal tokens when queries are 0"
# dropping = MultiHeadAttention(6, dropout_p=1.0)
# bias = dropping.to_out.bias.expand(2, 4, 6)
# assert torch.allclose(dropping(x), bias), "expected the bias of to_out with dropout_p=1.0"
# print("MultiHeadAttention: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: the packing of to_qkv
#
# In a trained layer nobody tells a head what to look for. Here you do: the
# cell writes the parameters of three heads into `to_qkv`, with six features
# each.
#
# - Head 0 looks at the word before.
# - Head 1 looks at words of the same kind (article, noun, verb, adjective).
# - Head 2 has random queries and keys.
#
# The strip shows the part of `to_qkv.weight` that counts, transposed: a row
# for each word, a column for each of the 3 · 3 · 6 = 54 output features. Row
# "cat", columns "q h0", is the query of "cat" in head 0. A dark square is a 1
# (after this picture the cell makes queries and keys larger, for clearer
# weights). A query fits a key that has its squares in the same columns. In "q
# h0" the squares lie one column further left than in "k h0": a word asks for
# the key of the one before it, and the first word, which has none before it,
# asks for its own. In each value block every word has one square of its own,
# which says whose value it is.

# %% tags=["active-ipynb"]
# words = ["the", "cat", "sees", "the", "small", "dog"]
# kinds = [0, 1, 2, 0, 3, 1]  # article, noun, verb, article, adjective, noun
# before = [0, 0, 1, 2, 3, 4]  # the number of the word before, for the first its own
# one_hot = torch.eye(6)
#
# torch.manual_seed(4)
# layer = MultiHeadAttention(18, nr_heads=3, dim_head=6)
# x = torch.eye(6, 18)[None]  # word j has feature j, and nothing else
# with torch.no_grad():
#     packed = layer.to_qkv.weight.view(3, 3, 6, 18)[..., :6]  # q, k, v; head; feature; word
#     packed.zero_()
#     packed[0, 0], packed[1, 0] = one_hot[before].T, one_hot
#     packed[0, 1], packed[1, 1] = one_hot[kinds].T, one_hot[kinds].T
#     packed[:2, 2] = torch.rand(2, 6, 6)
#     packed[2] = one_hot
#     strip = layer.to_qkv.weight[:, :6].T.clone()
#     packed[:2, :2] *= 3  # larger, for clearer weights: a score of 9 where there was 1
#     packed[:2, 2] *= 2
#
# fig, ax = plt.subplots(figsize=(10, 2.1), layout="constrained")
# ax.imshow(strip, cmap="Greys", vmin=0, vmax=1.15, aspect="auto")
# for edge in range(0, 55, 6):
#     ax.axvline(edge - 0.5, color="#b8860b", linewidth=3 if edge % 18 == 0 else 1)
# names = [f"{which} h{head}" for which in "qkv" for head in range(3)]
# ax.set_xticks([6 * block + 2.5 for block in range(9)], names)
# ax.set_yticks(range(6), words)
# ax.tick_params(length=0)
# ax.spines[:].set_color("#b8860b")
# for third, name in enumerate(["all queries", "all keys", "all values"]):
#     ax.text(18 * third + 8.5, -0.8, name, ha="center", va="bottom")
# ax.set_xlabel("Output features of to_qkv, 0 to 53, six to a block")
# plt.show()

# %% [markdown]
# ### Picture: three heads, three ways to look
#
# The same module at work on the six words. The value of word j is 1 at place j
# and 0 elsewhere, and `to_out` passes everything on, so what comes out for a
# word are its weights: first those of head 0, then of head 1, then of head 2.
#
# Compare with the strip. Head 0 has its weights beside the diagonal; in head 1
# the two articles share, as do the two nouns; head 2 follows no rule. No
# single head could do all three: its rows add up to 1, and what goes to one
# word is missing at another.
#
# Should your picture look different although your output has the right shape,
# then the 54 features are split in another way than the strip shows them.

# %% tags=["active-ipynb"]
# with torch.no_grad():
#     layer.to_out.weight.copy_(torch.eye(18))
#     layer.to_out.bias.zero_()
#     weights = layer(x)[0].split(6, dim=-1)  # of each head (6, 6)
#
# fig, axes = plt.subplots(1, 3, figsize=(10, 3.3), layout="constrained")
# titles = ["Head 0: the word before", "Head 1: words of the same kind", "Head 2: random"]
# for ax, matrix, title in zip(axes, weights, titles, strict=True):
#     heatmap(ax, matrix, title, words, words)
#     ax.set_xlabel("Key: word that is looked at")
# axes[0].set_ylabel("Query: word that looks")
# plt.show()
