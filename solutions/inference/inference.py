# ---
# order: 8
# hours: 4
# from: Shazeer 2019; Ainslie et al. 2023; Su et al. 2021; Beltagy et al. 2020; Dao et al. 2022
# ---

# %% [markdown]
# # Inference: attention in daily use
#
# A model is trained once and used a million times. It is used one token after
# the other: it reads a text, guesses the next token, appends it, and guesses
# again. What was cheap in training, where a whole text passes at once, becomes
# dear: every new token looks back at all tokens before it. The exercises here
# are what models in daily use do about it: they save memory or work, or let a
# model read further. Each stands by itself; write them in any order.
#
# Axes: B batch, T tokens, H heads, d features of one query or key. Scores are
# divided by sqrt(d), and attention is causal: token t looks at tokens 0 to t.
# Only in the last exercise do the queries come after all keys, and look at each
# of them.
#
# Rules for all exercises: read sizes from the arguments, never write them
# down as numbers; do not change the tensors that you are given, nor a setting
# of PyTorch (no `torch.manual_seed`, no `torch.set_default_dtype`); the
# sequences of a batch must not influence each other; make new tensors on the
# device of the ones that you are given. These need not be contiguous in
# memory: where `view` fails, `reshape` does not. float64 gives float64 and
# float32 gives float32. A gradient must be able to flow back from the results
# of a call to its inputs and to all parameters: nothing is detached on the
# way. What is hidden is hidden by minus infinity: when all other scores are as
# low as minus a million, any other number gets a share. The arguments keep
# their names and their order.

# %%
import math

import torch
from einops import rearrange
from torch import Tensor, nn

# %% [markdown]
# ## Exercise 1: GroupedQueryAttention
#
# A model that writes keeps the keys and values of all tokens so far, since
# each new token looks at them. For a long text that is more memory than the
# model itself. Queries are not kept: a token asks once. So let several heads
# of queries **share** one head of keys and values. With 32 heads of queries
# and 8 of keys and values there is a quarter to keep, and the model hardly
# gets worse.
#
# There are `nr_heads` heads of queries and `nr_kv_heads` heads of keys and of
# values, all with d = dim_h / nr_heads features; `nr_heads` is a multiple of
# `nr_kv_heads`. Neighbours share: with
#
#     r = nr_heads / nr_kv_heads
#
# the query heads 0 to r - 1 look at head 0 of keys and values, the next r at
# head 1, and so on. In a formula, with ⌊ ⌋ for division without remainder,
# query head h gives
#
#     weights_h = softmax(mask(q_h k_gᵀ / sqrt(d)))        g = ⌊h / r⌋
#     out       = to_out([weights_0 v_0 | ... | weights_h v_g | ...])
# <!-- $$
# \begin{aligned}
# \text{weights}_h &=
# \mathrm{softmax}\!\left(\mathrm{mask}\!\left(\frac{q_h k_g^\top}{\sqrt{d}}\right)\right)
# && g = \lfloor h / r \rfloor \\
# \text{out} &= \text{to\_out}\big(\,[\,\text{weights}_0 \, v_0 \mid \dots \mid
# \text{weights}_h \, v_g \mid \dots\,]\,\big)
# \end{aligned}
# $$ -->
#
# If `nr_kv_heads` equals `nr_heads`, this is the attention with many heads that
# you know. If it is 1, all heads share one, which is called multi-query
# attention. The result is that of attention with many heads in which the keys
# and values of a head are repeated r times; so that is one way to compute it.
#
# Names: `W_query`, `W_key` and `W_value`, linear layers **without bias**, from
# `dim_h` to `nr_heads * d`, `nr_kv_heads * d` and `nr_kv_heads * d` features;
# `to_out`, a linear layer with bias, from `nr_heads * d` to `dim_h`. The
# features of the heads follow each other, those of head 0 first, in einops'
# words `(h d)`.
#
# Shapes: `x (B, T, dim_h)`; q `(B, nr_heads, T, d)`; k and v
# `(B, nr_kv_heads, T, d)`; weights `(B, nr_heads, T, T)`; out `(B, T, dim_h)`.
#
# To check by hand: `GroupedQueryAttention(12, 6, 2)` has 144 numbers in
# `W_query`, 48 each in `W_key` and `W_value`, and 156 in `to_out`: 396 in all.
# For numbers, take `GroupedQueryAttention(4, 4, 2)`, so d = 1 and r = 2, with
# the tokens `[2, 10, 0, 0]` and `[4, 30, 0, 0]`. Let all queries be 0, the
# values the first two features of a token, and let `to_out` change nothing.
# All scores are 0, so token 1 takes the average of both tokens. Heads 0 and 1
# find it in head 0 of the values, (2 + 4) / 2 = 3, heads 2 and 3 in head 1,
# (10 + 30) / 2 = 20:
#
#     token 0    [ 2  2  10  10 ]
#     token 1    [ 3  3  20  20 ]


# %%
class GroupedQueryAttention(nn.Module):
    """Causal attention in which several heads of queries share keys and values.

    x: (B, T, dim_h). Returns (B, T, dim_h). Ainslie et al. 2023, section 2.2.
    """

    def __init__(self, dim_h: int, nr_heads: int, nr_kv_heads: int) -> None:
        super().__init__()
        # TODO: keep the numbers of heads; make W_query, W_key and W_value (no
        # bias) and to_out.
        ### BEGIN SOLUTION
        self.nr_heads = nr_heads
        self.nr_kv_heads = nr_kv_heads
        d = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * d, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * d, bias=False)
        self.to_out = nn.Linear(nr_heads * d, dim_h)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: split into heads, share keys and values, attend to the past,
        # put the heads side by side, combine.
        ### BEGIN SOLUTION
        q = rearrange(self.W_query(x), "b n (h d) -> b h n d", h=self.nr_heads)
        k = rearrange(self.W_key(x), "b n (g d) -> b g n d", g=self.nr_kv_heads)
        v = rearrange(self.W_value(x), "b n (g d) -> b g n d", g=self.nr_kv_heads)
        r = self.nr_heads // self.nr_kv_heads
        keys = k.repeat_interleave(r, dim=1)  # (B, nr_heads, T, d)
        values = v.repeat_interleave(r, dim=1)
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        T = x.shape[1]
        later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
        weights = scores.masked_fill(later, -math.inf).softmax(dim=-1)
        return self.to_out(rearrange(weights @ values, "b h n d -> b n (h d)"))
        ### END SOLUTION


# %% tags=["active-ipynb"]
# shared = GroupedQueryAttention(4, 4, 2)
# assert shared.W_key.weight.shape == (2, 4), "expected W_key with a weight of (2, 4)"
# nn.init.zeros_(shared.W_query.weight)
# nn.init.eye_(shared.W_value.weight)
# nn.init.eye_(shared.to_out.weight)
# nn.init.zeros_(shared.to_out.bias)
# out = shared(torch.tensor([[[2.0, 10, 0, 0], [4, 30, 0, 0]]]))
# assert out.shape == (1, 2, 4), "expected the shape of x, (1, 2, 4)"
# expected = torch.tensor([[2.0, 2, 10, 10], [3, 3, 20, 20]])
# assert torch.allclose(out[0, 0], expected[0], atol=1e-4), "expected [2, 2, 10, 10] for token 0"
# assert torch.allclose(out[0, 1], expected[1], atol=1e-4), "expected [3, 3, 20, 20] for token 1"
# print("GroupedQueryAttention: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: who shares with whom
#
# Six heads of queries, with six, two and one head of keys and values. For each
# head of values, a row, the cell changes its parameters and looks which of the
# six heads, the columns, give another result. A dark square: this head listens
# there.
#
# With six, each head has its own (left). With two, neighbours share: heads 0,
# 1 and 2 the first, heads 3, 4 and 5 the second. With one, all listen to the
# same (right). The number under each picture is what has to be kept for each
# token: keys and values, counted from the parameters of your module.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "figure.dpi": 110})
#
#
# def listens(layer, head, d):
#     """Which of the heads give another result if a head of values changes."""
#     nn.init.eye_(layer.to_out.weight)
#     with torch.no_grad():
#         before = layer(x)
#         layer.W_value.weight[head * d : (head + 1) * d] += 1
#         moved = (layer(x) - before).abs().amax(dim=(0, 1))
#     return rearrange(moved, "(h d) -> h d", d=d).amax(dim=1) > 1e-4
#
#
# torch.manual_seed(0)
# x = torch.randn(1, 4, 24)  # six heads of d = 4
# fig, axes = plt.subplots(1, 3, figsize=(10, 2.6), layout="constrained")
# for ax, kv_heads in zip(axes, (6, 2, 1), strict=True):
#     layer = GroupedQueryAttention(24, 6, kv_heads)
#     table = torch.stack([listens(layer, head, 4) for head in range(kv_heads)])
#     ax.imshow(table, cmap="Blues", vmin=0, vmax=1.3, aspect="auto")
#     kept = len(layer.W_key.weight) + len(layer.W_value.weight)
#     ax.set_title(f"{kv_heads} of keys and values")
#     ax.set_xlabel(f"Head of queries\n{kept} numbers to keep for a token")
#     ax.set_xticks(range(6))
#     ax.set_yticks(range(kv_heads))
#     ax.spines[:].set_visible(False)
# axes[0].set_ylabel("Head of values")
# plt.show()

# %% [markdown]
# ## Exercise 2: CachedAttention
#
# When a model writes, it needs the result of the new token only. That token
# looks at the keys and values of all tokens before it. These have not changed
# since the last step, so they are kept, in a **KV cache**, and not made again.
# Its query meets the kept keys, and is then forgotten.
#
# `forward(x, start_pos)` gets the **new** tokens of each sequence, one or
# several, and the number of tokens that came before them:
#
#     keys    = [first start_pos keys of the cache | keys of x]
#     values  = [first start_pos values of the cache | values of x]
#     weights = softmax(mask(q keysᵀ / sqrt(d)))         d = d_out
#     out     = weights values
# <!-- $$
# \begin{aligned}
# \text{keys} &= [\,\text{cache}_{< \text{start\_pos}} \mid \text{keys of } x\,] \\
# \text{values} &= [\,\text{cache}_{< \text{start\_pos}} \mid \text{values of } x\,] \\
# \text{weights} &=
# \mathrm{softmax}\!\left(\mathrm{mask}\!\left(\frac{q \, \text{keys}^\top}{\sqrt{d}}\right)\right)
# \qquad d = \text{d\_out} \\
# \text{out} &= \text{weights} \; \text{values}
# \end{aligned}
# $$ -->
#
# Afterwards the cache holds the keys and values of all `start_pos + T` tokens,
# and of no others. Whether the tokens of a sequence come at once, one at a
# time, or in pieces of any length, the results are the same. So new token i
# stands at position start_pos + i: it looks at all tokens of the cache, at the
# new ones up to itself, and at none after it.
#
# `start_pos` says what the cache is good for. If it is 0, as when it is left
# out, new sequences begin, as many as there are in `x`, and what was kept is
# forgotten. If it is smaller than the number of kept tokens, the model goes
# back: the tokens from `start_pos` on are forgotten, and `x` stands in their
# place.
#
# Each object has a cache of its own, and each sequence of a batch its own part
# of it. The cache is neither trained nor saved: it is no parameter, and
# `state_dict()` does not hold it. A tensor that you assign to `self` as usual
# will do; its name is up to you. (The lines `keys: Tensor` and `values: Tensor`
# tell type checkers what kind of attribute these are, if you use these names.
# What is kept for later calls may be detached from the graph, and a later call
# may write over it: gradients of a call are computed before the next one.)
#
# Names: `W_query`, `W_key` and `W_value`, linear layers **without bias**, from
# `d_in` to `d_out`. There is one head.
#
# Shapes: `x (B, T, d_in)`; keys and values `(B, start_pos + T, d_out)`; weights
# `(B, T, start_pos + T)`; out `(B, T, d_out)`.
#
# To check by hand: d_in = d_out = 1, and the weights of all three layers are
# 1. Of the tokens 0, 1 and 2, token 0 gives 0. Token 1 has the scores 0 and 1,
# the weights 0.2689 and 0.7311, and gives 0.7311. Token 2 has the scores 0, 2
# and 4, the weights 0.0159, 0.1173 and 0.8668, and gives 1.8509. These numbers
# come from one call with three tokens, and from three calls with one. If the
# model now goes back to position 1, with a 3 there, the scores are 0 and 9,
# and the result is 2.9996; a 3 at position 0 gives 3.


# %%
class CachedAttention(nn.Module):
    """Causal attention with one head, which keeps the keys and values of earlier tokens.

    x: (B, T, d_in), the tokens from position start_pos on. Returns (B, T, d_out).
    Shazeer 2019, section 2.4.
    """

    keys: Tensor
    values: Tensor

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        # TODO: make W_query, W_key and W_value (no bias).
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        ### END SOLUTION

    def forward(self, x: Tensor, start_pos: int = 0) -> Tensor:
        # TODO: queries, keys and values of the new tokens; join keys and values
        # with the kept ones, and keep them; attend.
        ### BEGIN SOLUTION
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        if start_pos > 0:
            keys = torch.cat([self.keys[:, :start_pos], keys], dim=1)
            values = torch.cat([self.values[:, :start_pos], values], dim=1)
        self.keys, self.values = keys, values
        T, S = x.shape[1], keys.shape[1]  # new tokens, and all of them
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        hidden = torch.ones(T, S, dtype=torch.bool, device=x.device)
        later = hidden.triu(diagonal=start_pos + 1)
        weights = scores.masked_fill(later, -math.inf).softmax(dim=-1)
        return weights @ values
        ### END SOLUTION


# %% tags=["active-ipynb"]
# attention = CachedAttention(1, 1)
# for weight in attention.parameters():
#     nn.init.ones_(weight)
# tokens = torch.tensor([[[0.0], [1], [2]]])
# expected = torch.tensor([0.0, 0.7311, 1.8509])
# whole = attention(tokens)
# assert torch.allclose(whole.flatten(), expected, atol=1e-4), "expected 0, 0.7311, 1.8509"
# single = torch.cat([attention(tokens[:, t : t + 1], t) for t in range(3)], dim=1)
# assert torch.allclose(single, whole, atol=1e-5), "expected the same numbers one token at a time"
# three = torch.tensor([[[3.0]]])
# assert abs(attention(three, 1).item() - 2.9996) < 1e-3, "expected 2.9996 for a 3 at position 1"
# print("CachedAttention: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: what a new token costs
#
# The number of multiplications for each new token, counted by PyTorch while
# your module works. Without a cache the whole text passes again for each token
# (upper line): each of its tokens gets a query, a key and a value anew, and
# looks at all others. With a cache one token passes (lower line). Both grow,
# since a token far back in the text has more tokens to look at; but for the
# last of 200 tokens the upper line is 200 times as high as the lower one.

# %% tags=["active-ipynb"]
# from torch.utils.flop_counter import FlopCounterMode
#
#
# def multiplications(*call):
#     """How many multiplications a call of the module takes."""
#     with torch.no_grad(), FlopCounterMode(display=False) as counter:
#         layer(*call)
#     return counter.get_total_flops() // 2  # a multiplication and an addition count as two
#
#
# layer = CachedAttention(16, 16)
# text = torch.randn(1, 200, 16)
# positions = range(200)
# without = [multiplications(text[:, : t + 1]) for t in positions]
# layer(text[:, :1])
# with_cache = [multiplications(text[:, t : t + 1], t) for t in positions]
#
# fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
# ax.semilogy(positions, without, color="#8a6400", linestyle="--")
# ax.semilogy(positions, with_cache, color="#31688e")
# for costs, color, name in (
#     (without, "#8a6400", "the whole text again"),
#     (with_cache, "#31688e", "the new token only"),
# ):
#     ax.text(120, 2 * costs[120], name, color=color, ha="right")
# ax.set(xlabel="Position of the new token", ylabel="Multiplications", ylim=(300, 1e7))
# ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 3: RotaryEmbedding
#
# Attention sees a set of tokens: put them in another order, and the scores of
# each pair stay the same. To tell where a token stands, its query and its key
# are **turned**, by an angle that grows with the position. What a query at
# position m and a key at position n have in common then depends on m - n only:
# on how far apart they are, and not on where. Turning needs no parameters, and
# works for positions that no text in training had.
#
# A rotation needs two numbers, so the `dim` features (an even number) are taken
# in pairs of neighbours: features 0 and 1, features 2 and 3, and so on. At
# position m, pair i turns by m · θ_i:
#
#     θ_i         = base ** (-2i / dim)                i = 0, 1, ..., dim/2 - 1
#     out[2i]     = x[2i] cos(m θ_i) - x[2i+1] sin(m θ_i)
#     out[2i + 1] = x[2i] sin(m θ_i) + x[2i+1] cos(m θ_i)
# <!-- $$
# \begin{aligned}
# \theta_i &= \text{base}^{-2i / \text{dim}} \qquad i = 0, 1, \dots, \tfrac{\text{dim}}{2} - 1 \\
# \text{out}_{2i} &= x_{2i} \cos(m \theta_i) - x_{2i+1} \sin(m \theta_i) \\
# \text{out}_{2i+1} &= x_{2i} \sin(m \theta_i) + x_{2i+1} \cos(m \theta_i)
# \end{aligned}
# $$ -->
#
# The angles are in radians. Pair 0 turns by 1 for each position, and tells
# neighbours apart; the last pairs turn so slowly that they tell the beginning
# of a long text from its end. Some libraries pair feature i with feature
# i + dim/2 instead. That works as well, but not with the weights of a model
# that was trained with neighbours; here it is neighbours.
#
# The first of the T tokens stands at position `start_pos`, 0 if it is left
# out, the next one at the position after it, and so on. So a model with a
# cache can turn new tokens alone: tokens in pieces, each with the number of
# tokens before it, are turned as in one call. At position 0 nothing changes,
# and at no position does the length of a token change, the root of the sum of
# its squares. There are no parameters. No position is too far: a table of angles
# has an end, so it has to grow when a call needs more. Compute the angles in the
# type of `x` or in float32; half precision rounds positions from 2048 on to even
# numbers.
#
# Shapes: `x (..., T, dim)`, with any number of dimensions in front (none, one
# for a batch, two for a batch of heads), gives `(..., T, dim)`.
#
# To check by hand: `RotaryEmbedding(2)` has one pair, with θ_0 = 1. It turns
# the token `[1, 0]` at position 1 to `[cos 1, sin 1]` = `[0.5403, 0.8415]`, and
# at position 2 to `[-0.4161, 0.9093]`. The token `[0, 1]` becomes
# `[-0.8415, 0.5403]` at position 1. `RotaryEmbedding(4)` has
# θ_1 = 10000 ** (-2/4) = 0.01 as well, so that `[1, 0, 1, 0]` at position 100 becomes
# `[0.8623, -0.5064, 0.5403, 0.8415]`.


# %%
class RotaryEmbedding(nn.Module):
    """Turn pairs of features by angles that grow with the position of a token.

    x: (..., T, dim), the tokens from position start_pos on; dim is even. Returns
    (..., T, dim). Su et al. 2021, section 3.2.2.
    """

    def __init__(self, dim: int, base: float = 10000.0) -> None:
        super().__init__()
        # TODO: keep what forward needs.
        ### BEGIN SOLUTION
        self.dim = dim
        self.base = base
        ### END SOLUTION

    def forward(self, x: Tensor, start_pos: int = 0) -> Tensor:
        # TODO: angles (T, dim / 2) of positions and pairs; turn each pair; put
        # the features back in their places.
        ### BEGIN SOLUTION
        end_pos = start_pos + x.shape[-2]
        positions = torch.arange(start_pos, end_pos, dtype=x.dtype, device=x.device)
        pairs = torch.arange(0, self.dim, 2, dtype=x.dtype, device=x.device)
        angles = positions[:, None] * self.base ** (-pairs / self.dim)  # (T, dim / 2)
        cos, sin = angles.cos(), angles.sin()
        even, odd = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
        turned = even * cos - odd * sin, even * sin + odd * cos
        return torch.stack(turned, dim=-1).flatten(-2)
        ### END SOLUTION


# %% tags=["active-ipynb"]
# turn = RotaryEmbedding(2)
# tokens = torch.tensor([[1.0, 0]]).repeat(3, 1)
# turned = turn(tokens)
# assert turned.shape == (3, 2), "expected the shape of x, (3, 2)"
# assert torch.allclose(turned[0], tokens[0]), "expected the token at position 0 as it was"
# expected = torch.tensor([[0.5403, 0.8415], [-0.4161, 0.9093]])
# assert torch.allclose(turned[1], expected[0], atol=1e-4), "expected 0.5403, 0.8415 next"
# assert torch.allclose(turned[2], expected[1], atol=1e-4), "expected -0.4161, 0.9093 at the end"
# assert torch.allclose(turn(tokens[:1], 2), turned[2:], atol=1e-5), "expected start_pos to count"
# four = RotaryEmbedding(4)(torch.tensor([[1.0, 0, 1, 0]]), 100)
# assert abs(four[0, 3].item() - 0.8415) < 1e-4, "expected 0.8415 for feature 3 at position 100"
# print("RotaryEmbedding: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: near and far
#
# On the left the first number of each pair, for a token that is 1, 0, 1, 0, ...
# at 60 positions. Pair 0 goes round within 6 positions. Each pair turns more
# slowly than the one before, and the last one hardly moves.
#
# On the right the score of such a token, as a query at position 30, with
# itself, as a key at all 60 positions, divided by its largest value. It is
# highest at the query's own position and falls off to both sides, in waves.
# The dotted line is for a query at position 10: the same curve, 20 positions
# earlier.

# %% tags=["active-ipynb"]
# turn = RotaryEmbedding(32)
# turned = turn(torch.tensor([1.0, 0]).repeat(60, 16))  # a row for each position
#
# fig, axes = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
# picture = axes[0].imshow(turned[:, 0::2].T, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
# axes[0].set(xlabel="Position", ylabel="Pair", title="First number of each pair")
# fig.colorbar(picture, ax=axes[0])
# for position, line in ((30, "-"), (10, ":")):
#     axes[1].plot(turned @ turned[position] / 16, line, color="#31688e")
# axes[1].set(xlabel="Position of the key", ylabel="Score", title="Queries at 30 and 10 (dotted)")
# axes[1].spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 4: sliding_window_weights
#
# What was said a thousand words ago seldom matters for the next one. With a
# sliding window each token looks at the last `window` tokens only, itself
# included. The cost of a token then stays the same however long the text is,
# and a cache has to keep `window` tokens and no more.
#
#     scores  = Q Kᵀ / sqrt(d)
#     masked  = scores where i - window < j <= i, and -inf elsewhere
#     weights = softmax(masked) over the keys, that is, within each row
# <!-- $$
# \begin{aligned}
# \text{scores} &= \frac{Q K^\top}{\sqrt{d}} \\
# \text{masked}_{i,j} &=
# \begin{cases}
# \text{scores}_{i,j} & i - \text{window} < j \le i \\ -\infty & \text{elsewhere}
# \end{cases} \\
# \text{weights} &= \mathrm{softmax}(\text{masked}) \quad \text{over the keys, within each row}
# \end{aligned}
# $$ -->
#
# i is the row, which belongs to a query, and j the column, which belongs to a
# key. Token i sees `window` tokens, or all that there are, if it is one of the
# first. With a window of T or more nothing changes: these are the weights of
# causal attention. With a window of 1 a token sees itself alone, and has a
# weight of 1. The window is at least 1.
#
# Shapes: `queries` and `keys` `(..., T, d)`, with any number of dimensions in
# front (none, one for a batch, two for a batch of heads), give `(..., T, T)`.
#
# To check by hand: three queries, all `[2, 0, 0, 0]`; keys `[1, 0, 0, 0]`,
# `[0, 0, 0, 0]` and `[5, 0, 0, 0]`. Each query has the scores 1, 0 and 5. With a
# window of 2, token 0 has the weights 1, 0, 0. Token 1 sees itself and token
# 0: 0.7311, 0.2689, 0. Token 2 sees itself and token 1, but no longer token 0:
# 0, 1/(1 + e⁵) = 0.0067, and 0.9933.


# %%
def sliding_window_weights(queries: Tensor, keys: Tensor, window: int) -> Tensor:
    """Weights with which each token looks at itself and at the window - 1 before it.

    queries, keys: (..., T, d). Returns (..., T, T); each row adds up to 1.
    Beltagy et al. 2020, section 3.1, for a model that looks back only.
    """
    # TODO: scores, scaling, -inf outside of the window, softmax over the keys.
    ### BEGIN SOLUTION
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)  # (..., T, T)
    positions = torch.arange(T, device=queries.device)
    distance = positions[:, None] - positions  # of a query, a row, from a key
    is_seen = (distance >= 0) & (distance < window)
    return torch.softmax(scores.masked_fill(~is_seen, -math.inf), dim=-1)
    ### END SOLUTION


# %% tags=["active-ipynb"]
# queries = torch.tensor([[2.0, 0, 0, 0]]).repeat(3, 1)
# keys = torch.tensor([[1.0, 0, 0, 0], [0, 0, 0, 0], [5, 0, 0, 0]])
# weights = sliding_window_weights(queries, keys, 2)
# assert weights.shape == (3, 3), "expected weights of shape (T, T), here (3, 3)"
# expected = torch.tensor([[0.7311, 0.2689, 0], [0, 0.0067, 0.9933]])
# assert torch.allclose(weights[1], expected[0], atol=1e-4), "expected 0.7311, 0.2689, 0"
# assert torch.allclose(weights[2], expected[1], atol=1e-4), "expected 0, 0.0067, 0.9933"
# alone = sliding_window_weights(queries, keys, 1)
# assert torch.allclose(alone, torch.eye(3)), "expected a weight of 1 for itself with window 1"
# whole = sliding_window_weights(queries, keys, 3)
# assert torch.equal(whole, sliding_window_weights(queries, keys, 9)), "expected all with window 9"
# print("sliding_window_weights: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: a window, and how far two layers reach
#
# All scores are 0 here, so every token that is seen has the same share. On the
# left a window of 3: below the diagonal there are never more than three shares
# in a row. In the middle what two layers with this window make of it: token 8
# takes from token 6 what token 6 has taken from token 4. So two layers reach 5
# tokens, and each further layer 2 more. On the right five layers, which reach
# 11 tokens: every token hears of all before it.

# %% tags=["active-ipynb"]
# zeros = torch.zeros(10, 4)
# one = sliding_window_weights(zeros, zeros, 3)
# fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
# for ax, layers in zip(axes, (1, 2, 5), strict=True):
#     mixed = torch.linalg.matrix_power(one, layers)
#     ax.imshow(mixed.where(mixed > 0, torch.nan), cmap="viridis", vmin=0, vmax=0.6)
#     ax.set_facecolor("0.88")
#     ax.set_title("One layer" if layers == 1 else f"{layers} layers")
#     ax.set(xlabel="Token that is looked at", xticks=range(10), yticks=range(10))
#     ax.tick_params(length=0)
#     ax.spines[:].set_visible(False)
# axes[0].set_ylabel("Token that looks")
# plt.show()

# %% [markdown]
# ## Exercise 5: online_softmax
#
# A new token looks at all tokens of a long text, so there is a score for each
# of them, and for many queries at once a whole table. The table is not needed:
# all that it is made for is one average of the values for each query. So read
# the keys and values in **blocks**, as from a book of which you remember the
# sum so far, and forget each block when it is read. Then the memory grows with
# the block and not with the text. Fast attention on a GPU works like this.
#
# A softmax divides by a sum over all keys, and before that subtracts their
# largest score, so that no exponential becomes too large. Neither is known
# before the last block. But both can be kept **as of now**: `best`, the largest
# score so far; `total`, the sum of the exponentials so far; and `out`, the sum
# of the values so far, weighted by these exponentials. If a block has a score
# above `best`, everything that was summed with the old one is too large, by the
# same factor, and shrinks. For each block, with the keys and values K and V:
#
#     scores = Q Kᵀ / sqrt(d)
#     new    = the larger one of best and the largest score, for each query
#     powers = exp(scores - new)
#     shrink = exp(best - new)
#     total  = shrink · total + sum of powers over the keys
#     out    = shrink · out + powers V
#     best   = new
# <!-- $$
# \begin{aligned}
# \text{scores} &= \frac{Q K^\top}{\sqrt{d}} \\
# \text{new} &= \max(\text{best},\ \max_{\text{keys}} \text{scores}) \\
# \text{powers} &= \exp(\text{scores} - \text{new}) \\
# \text{shrink} &= \exp(\text{best} - \text{new}) \\
# \text{total} &= \text{shrink} \cdot \text{total}
# + \textstyle\sum_{\text{keys}} \text{powers} \\
# \text{out} &= \text{shrink} \cdot \text{out} + \text{powers} \; V \\
# \text{best} &= \text{new}
# \end{aligned}
# $$ -->
#
# In the beginning `best` is minus infinity, and the sums are 0. In the end
# `out / total` is the average, and `best + log(total)` the logarithm of the sum
# of the exponentials of all scores. Return both. With the second one, results
# from two parts of a text can be joined, such as from two machines of which
# each keeps a half.
#
# The keys are those of a text that has been read, so **each query looks at all
# of them**; there is no mask here. `block` is the number of keys in a block, at
# least 1. The last block may be shorter, and there may be one block only. The
# results do not depend on `block`. At no time may your code hold a number for
# each query and each key, be it in one tensor or in a list of results of blocks:
# of 20 queries and 600 keys in blocks of 8, say, there are never 12,000 scores at
# the same time, but 160.
#
# Shapes: `queries (..., T, d)`, `keys (..., S, d)` and `values (..., S, d_v)`,
# with any number of dimensions in front (none, one for a batch, two for a batch
# of heads), give the average `(..., T, d_v)` and the logarithm `(..., T)`.
#
# To check by hand, with blocks of 1: the query `[2, 0, 0, 0]`; keys
# `[1, 0, 0, 0]`, `[0, 0, 0, 0]` and `[5, 0, 0, 0]`, so the scores 1, 0 and 5;
# values 10, 0 and 20.
#
#     key    score    best    shrink     total     out
#     0      1        1       0          1         10
#     1      0        1       1          1.3679    10
#     2      5        5       0.0183     1.0251    20.1832
#
# The average is 20.1832 / 1.0251 = 19.6899, and the logarithm is
# 5 + log(1.0251) = 5.0247.


# %%
def online_softmax(
    queries: Tensor, keys: Tensor, values: Tensor, block: int
) -> tuple[Tensor, Tensor]:
    """Attention to all keys, of which a block is read at a time.

    queries: (..., T, d). keys: (..., S, d). values: (..., S, d_v). block: keys in a block.
    Returns the averages of the values (..., T, d_v), and the logarithms of the sums of the
    exponentials of the scores (..., T). Milakov and Gimelshein 2018; Dao et al. 2022.
    """
    # TODO: keep best, total and out; read block after block; divide, and take
    # the logarithm.
    ### BEGIN SOLUTION
    d = queries.shape[-1]
    best = queries.new_full(queries.shape[:-1], -math.inf)  # (..., T)
    total = torch.zeros_like(best)
    out = queries.new_zeros(*queries.shape[:-1], values.shape[-1])
    for first in range(0, keys.shape[-2], block):
        K = keys[..., first : first + block, :]
        V = values[..., first : first + block, :]
        scores = queries @ K.transpose(-2, -1) / math.sqrt(d)  # (..., T, block)
        new = torch.maximum(best, scores.amax(dim=-1))
        powers = torch.exp(scores - new[..., None])
        shrink = torch.exp(best - new)
        total = shrink * total + powers.sum(dim=-1)
        out = shrink[..., None] * out + powers @ V
        best = new
    return out / total[..., None], best + total.log()
    ### END SOLUTION


# %% tags=["active-ipynb"]
# query = torch.tensor([[2.0, 0, 0, 0]])
# keys = torch.tensor([[1.0, 0, 0, 0], [0, 0, 0, 0], [5, 0, 0, 0]])
# values = torch.tensor([[10.0], [0], [20]])
# average, logarithm = online_softmax(query, keys, values, 1)
# assert average.shape == (1, 1), "expected an average of shape (T, d_v), here (1, 1)"
# assert logarithm.shape == (1,), "expected a logarithm for each query, of shape (T,)"
# assert abs(average.item() - 19.6899) < 1e-3, "expected 19.6899 with blocks of 1"
# assert abs(logarithm.item() - 5.0247) < 1e-3, "expected 5.0247 with blocks of 1"
# whole, _ = online_softmax(query, keys, values, 9)
# assert torch.allclose(whole, average, atol=1e-4), "expected the same with a single block"
# print("online_softmax: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: what is known after each key
#
# One query reads 60 keys. Above, the value of each key, the larger the higher
# its score. Below, what your function gives for the first key, for the first
# two, and so on. The average (the line) is shaken by a key with a high score
# and hardly by the others. The dotted line, the logarithm, never falls, since
# each key adds to the sum; it jumps where a score is higher than all before.

# %% tags=["active-ipynb"]
# torch.manual_seed(1)
# query, keys, values = 4 * torch.randn(1, 4), torch.randn(60, 4), torch.randn(60, 1)
# shares = (query @ keys.T / 2).softmax(dim=-1)
# known = [online_softmax(query, keys[:n], values[:n], 8) for n in range(1, 61)]
#
# fig, (above, below) = plt.subplots(2, 1, figsize=(8, 4.4), sharex=True, layout="constrained")
# above.scatter(range(60), values.flatten(), s=8 + 400 * shares, color="#8a6400")
# above.set_ylabel("Value")
# below.plot([average.item() for average, _ in known], color="#31688e")
# below.plot([logarithm.item() for _, logarithm in known], color="#31688e", linestyle=":")
# below.set(xlabel="Keys that were read", ylabel="Average, logarithm")
# for ax in (above, below):
#     ax.spines[["top", "right"]].set_visible(False)
# plt.show()
