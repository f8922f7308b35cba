# ---
# order: 3
# hours: 2
# from: Vaswani et al. 2017, section 3.2.3
# ---

# %% [markdown]
# # Causal attention: looking back only
#
# A language model reads a sentence from left to right and guesses at each
# token which one comes next. If a token could look at the ones after it, it
# could copy the answer, and would learn nothing. So attention in such a model
# is **causal**: token t looks at tokens 0 to t, itself included, and never
# further.
#
# You write this three times: first the weights alone, as a function; then a
# whole head with projections that are handed to it; then the module that a
# model is built from, with a stored mask and with dropout.
#
# Axes: B batch, T tokens, C features of a token, d features of one query or
# key. Row i of a matrix of weights belongs to the query of token i, column j
# to the key of token j. The example is the sentence of the assignment on
# self-attention, "Your journey starts with one step": 6 tokens with 3 features
# each.
#
# About the scale: everything in this course divides the scores by sqrt(d), as
# the published formula does. One picture below shows scores and weights that
# are **not** divided; its text says so.
#
# Rules for all exercises: read sizes from the arguments, never write them
# down as numbers; do not change the tensors that you are given, nor a setting
# of PyTorch (no `torch.manual_seed`, no `torch.set_default_dtype`); the
# sequences of a batch must not influence each other; make new tensors on the
# device of the ones that you are given. These need not be contiguous in
# memory: where `view` fails, `reshape` does not. float64 gives float64 and
# float32 gives float32. A gradient must be able to flow back from the results
# to the inputs and to all parameters: nothing is detached on the way.

# %%
import math

import torch
from torch import Tensor, nn

# %% tags=["active-ipynb"]
# inputs = torch.tensor(
#     [
#         [0.43, 0.15, 0.89],  # Your
#         [0.55, 0.87, 0.66],  # journey
#         [0.57, 0.85, 0.64],  # starts
#         [0.22, 0.58, 0.33],  # with
#         [0.77, 0.25, 0.10],  # one
#         [0.05, 0.80, 0.55],  # step
#     ]
# )

# %% [markdown]
# ## Exercise 1: causal_weights
#
# Attention weights are a softmax of scores. To make them causal, the scores of
# the future are replaced before the softmax by minus infinity:
#
#     scores  = Q Kᵀ / sqrt(d)
#     masked  = scores where j <= i, and -inf where j > i
#     weights = softmax(masked) over the keys, that is, within each row
# <!-- $$
# \begin{aligned}
# \text{scores} &= \frac{Q K^\top}{\sqrt{d}} \\
# \text{masked}_{i,j} &=
# \begin{cases} \text{scores}_{i,j} & j \le i \\ -\infty & j > i \end{cases} \\
# \text{weights} &= \mathrm{softmax}(\text{masked}) \quad \text{over the keys, within each row}
# \end{aligned}
# $$ -->
#
# Why minus infinity? The softmax takes e to the power of each score, and e to
# the power of -inf is exactly 0. A score of 0 would not do: e⁰ = 1 is an
# ordinary share. Nor would -10 or -100, or minus a million: when the other
# scores of a row are as low as that, the future gets a share again.
#
# Why before the softmax? Each row of the result has to add up to 1. If you put
# zeros into the weights after the softmax, a part of the 1 has already gone to
# the future, and is lost. To divide each row by what is left of it does not
# bring it back: where a score of the future is 110 higher than those of the
# past, float32 has nothing left, and 0 / 0 is `nan`. For the same reason a
# softmax made by hand subtracts the maximum of each row, of what it may see:
# one maximum for all rows leaves 0 / 0 in those that lie far below it.
#
# The diagonal stays: token 0 has nobody to look at but itself, and a row in
# which every score is -inf becomes `nan`, "not a number".
#
# Shapes: `queries` and `keys` `(..., T, d)`, with any number of dimensions in
# front (none, one for a batch, two for a batch of heads), give
# `(..., T, T)`.
#
# To check by hand: three queries, all `[2, 0, 0, 0]`; keys `[1, 0, 0, 0]`,
# `[0, 0, 0, 0]` and `[5, 0, 0, 0]`. Each query scores 2, 0 and 10, divided by
# sqrt(4): 1, 0 and 5. Token 0 sees the first score only: its weights are
# 1, 0, 0. Token 1 sees two: e/(e+1) = 0.7311, 1/(e+1) = 0.2689, and 0. Token 2
# sees all three: 0.0179, 0.0066, 0.9756.
#
# After `torch.manual_seed(789)`, let two layers `nn.Linear(3, 2, bias=False)`
# make first the queries, then the keys of the example sentence. The weights
# are
#
#      1.0000   0.0000   0.0000   0.0000   0.0000   0.0000
#      0.5517   0.4483   0.0000   0.0000   0.0000   0.0000
#      0.3800   0.3097   0.3103   0.0000   0.0000   0.0000
#      0.2758   0.2460   0.2462   0.2319   0.0000   0.0000
#      0.2175   0.1983   0.1984   0.1888   0.1971   0.0000
#      0.1935   0.1663   0.1666   0.1542   0.1666   0.1529


# %%
def causal_weights(queries: Tensor, keys: Tensor) -> Tensor:
    """Weights with which each token looks at itself and at those before it.

    queries, keys: (..., T, d). Returns (..., T, T); each row adds up to 1.
    Vaswani et al. 2017, equation 1, masked as in section 3.2.3.
    """
    # TODO: scores, scaling, -inf for the future, softmax over the keys.
    ### BEGIN SOLUTION
    T, d = queries.shape[-2:]
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(d)  # (..., T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(diagonal=1)
    return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    ### END SOLUTION


# %% tags=["active-ipynb"]
# queries = torch.tensor([[2.0, 0, 0, 0]]).repeat(3, 1)
# keys = torch.tensor([[1.0, 0, 0, 0], [0, 0, 0, 0], [5, 0, 0, 0]])
# weights = causal_weights(queries, keys)
# assert weights.shape == (3, 3), "expected weights of shape (T, T), here (3, 3)"
# assert torch.allclose(weights[0], torch.tensor([1.0, 0, 0])), "expected 1, 0, 0 for token 0"
# sums = weights.sum(dim=-1)
# assert torch.allclose(sums, torch.ones(3)), "expected rows of weights that add up to 1"
# expected = torch.tensor([0.7311, 0.2689, 0])
# assert torch.allclose(weights[1], expected, atol=1e-4), "expected 0.7311, 0.2689, 0 for token 1"
# batch = causal_weights(torch.randn(4, 5, 7, 3), torch.randn(4, 5, 7, 3))
# assert batch.shape == (4, 5, 7, 7), "expected (4, 5, 7, 7) for 4 sequences, 5 heads, 7 tokens"
# print("causal_weights: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: from a plain average to weights that depend on the data
#
# Four matrices for one sequence of eight random tokens. Read each of them row
# by row: row 5 belongs to the query of token 5.
#
# 1. When all queries and keys are 0, all scores are equal, and each token
#    takes the plain average of what it may see: 1, then 0.5000 twice, then
#    0.3333, 0.2500, 0.2000, 0.1667, 0.1429, and 0.1250 eight times at the end.
# 2. Real queries and keys give each pair a score of its own, positive or
#    negative. They are **undivided** here, and run from -3.33 to 3.38. Your
#    function divides by sqrt(16) = 4. To undo that, the cell hands it queries
#    that are four times as long.
# 3. The mask takes away the future: -inf right of the diagonal.
# 4. The softmax makes shares out of each row. The lower triangle has the shape
#    of matrix 1, but now the numbers depend on the tokens. In row 4 the score
#    of 2.04 stands out, and takes a share of 0.79.
#
# The layers are made in the order key, query, value here. Exercise 2 makes the
# query first, so its numbers are others, although the seed is the same.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
#
# def heatmap(ax, table, title, cmap="viridis", low=0.0, high=1.0):
#     """Draw a square matrix with its values; None stays blank, -inf is grey."""
#     n = len(table)
#     shown = [[math.nan if v is None or v == -math.inf else v for v in row] for row in table]
#     ax.set_facecolor("0.88")
#     picture = ax.imshow(shown, cmap=cmap, vmin=low, vmax=high)
#     for i, row in enumerate(table):
#         for j, value in enumerate(row):
#             if value is None:
#                 continue
#             r, g, b, _ = picture.cmap(picture.norm(value)) if value > -math.inf else (1, 1, 1, 1)
#             ink = "black" if 0.3 * r + 0.6 * g + 0.1 * b > 0.5 else "white"
#             text = f"{value:.2f}" if value > -math.inf else "-inf"
#             ax.text(j, i, text, ha="center", va="center", fontsize=8, color=ink)
#     ax.set_title(title, fontsize=11)
#     ax.set_xlabel("Key of token ...")
#     ax.set_ylabel("Query of token ...")
#     ax.set_xticks(range(n))
#     ax.set_yticks(range(n))
#     ax.tick_params(length=0)
#     for side in ax.spines.values():
#         side.set_visible(False)
#
#
# def past(table):
#     """The lower triangle as lists; None for the future, if its weight is 0."""
#     rows = enumerate(table.detach().tolist())
#     return [[None if j > i and v == 0 else v for j, v in enumerate(row)] for i, row in rows]
#
#
# torch.manual_seed(1337)
# x = torch.randn(4, 8, 32)
# key, query = nn.Linear(32, 16, bias=False), nn.Linear(32, 16, bias=False)
# value = nn.Linear(32, 16, bias=False)
# q, k, v = query(x), key(x), value(x)
#
# uniform = causal_weights(torch.zeros(8, 16), torch.zeros(8, 16))
# raw = q[0] @ k[0].T  # not divided by sqrt(16)
# rows = enumerate(raw.tolist())
# masked = [[s if j <= i else -math.inf for j, s in enumerate(row)] for i, row in rows]
# undivided = causal_weights(math.sqrt(16) * q, k)  # your function divides: undone beforehand
#
# printed_raw = torch.tensor(
#     [
#         [-1.7629, -1.3011, 0.5652, 2.1616, -1.0674, 1.9632, 1.0765, -0.4530],
#         [-3.3334, -1.6556, 0.1040, 3.3782, -2.1825, 1.0415, -0.0557, 0.2927],
#         [-1.0226, -1.2606, 0.0762, -0.3813, -0.9843, -1.4303, 0.0749, -0.9547],
#         [0.7836, -0.8014, -0.3368, -0.8496, -0.5602, -1.1701, -1.2927, -1.0260],
#         [-1.2566, 0.0187, -0.7880, -1.3204, 2.0363, 0.8638, 0.3719, 0.9258],
#         [-0.3126, 2.4152, -0.1106, -0.9931, 3.3449, -2.5229, 1.4187, 1.2196],
#         [1.0876, 1.9652, -0.2621, -0.3158, 0.6091, 1.2616, -0.5484, 0.8048],
#         [-1.8044, -0.4126, -0.8306, 0.5899, -0.7987, -0.5856, 0.6433, 0.6303],
#     ]
# )
# printed_undivided = torch.tensor(
#     [
#         [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
#         [0.1574, 0.8426, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
#         [0.2088, 0.1646, 0.6266, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
#         [0.5792, 0.1187, 0.1889, 0.1131, 0.0000, 0.0000, 0.0000, 0.0000],
#         [0.0294, 0.1052, 0.0469, 0.0276, 0.7909, 0.0000, 0.0000, 0.0000],
#         [0.0176, 0.2689, 0.0215, 0.0089, 0.6812, 0.0019, 0.0000, 0.0000],
#         [0.1691, 0.4066, 0.0438, 0.0416, 0.1048, 0.2012, 0.0329, 0.0000],
#         [0.0210, 0.0843, 0.0555, 0.2297, 0.0573, 0.0709, 0.2423, 0.2391],
#     ]
# )
# printed_uniform = torch.tensor(
#     [[1 / (i + 1) if j <= i else 0.0 for j in range(8)] for i in range(8)]
# )
# assert torch.allclose(uniform, printed_uniform, atol=1e-4), "equal scores: are the shares equal?"
# assert (uniform @ x).shape == (4, 8, 32)
# assert torch.allclose(raw, printed_raw, atol=1e-4)
# assert torch.allclose(torch.tensor(masked).tril(), printed_raw.tril(), atol=1e-4)
# assert (torch.tensor(masked).triu(1) == torch.full((8, 8), -torch.inf).triu(1)).all()
# assert torch.allclose(undivided[0], printed_undivided, atol=1e-4), "matrix 4 differs"
# assert (undivided @ x).shape == (4, 8, 32)  # a mixture of the tokens themselves ...
# assert (undivided @ v).shape == (4, 8, 16)  # ... or, in a real head, of their values
#
# figure, axes = plt.subplots(2, 2, figsize=(9, 9), layout="constrained")
# heatmap(axes[0, 0], past(uniform), "1. Uniform: all scores equal")
# heatmap(axes[0, 1], raw.tolist(), "2. Raw scores, undivided", "RdBu", -3.5, 3.5)
# heatmap(axes[1, 0], masked, "3. Masked: no score for the future", "RdBu", -3.5, 3.5)
# heatmap(axes[1, 1], past(undivided[0]), "4. After the softmax: rows add up to 1")
# plt.show()

# %% [markdown]
# ## Exercise 2: single_head
#
# One head from input to output. Three linear layers look at each token `x[b,
# t]`: `q_proj` makes its query (what it is looking for), `k_proj` its key
# (what it has to offer), `v_proj` its value (what it hands over). Then each
# token gathers the values of its past:
#
#     q, k, v = q_proj(x), k_proj(x), v_proj(x)
#     weights = softmax of q kᵀ / sqrt(d), with -inf for the future
#     out     = weights v
# <!-- $$
# \begin{aligned}
# q, k, v &= \text{q\_proj}(x), \text{k\_proj}(x), \text{v\_proj}(x) \\
# \text{weights} &= \mathrm{softmax}\!\left(\frac{q k^\top}{\sqrt{d}}\right) \quad
# \text{with } -\infty \text{ for the future} \\
# \text{out} &= \text{weights} \, v
# \end{aligned}
# $$ -->
#
# The layers are arguments: call them, do not make new ones. They may have a
# bias, which `x @ layer.weight.T` would forget. `d` is the size of the head, the
# number of features that `q_proj` makes; it is usually smaller than C, the
# number of features of a token, and it is d whose root the scores are divided
# by.
#
# Return both the weights and the result. What is mixed is `v`, not `x`: a
# token may hand over something other than what it is found by.
#
# Shapes: `x (B, T, C)`; q, k, v `(B, T, d)`; weights `(B, T, T)`; out
# `(B, T, d)`.
#
# To check by hand: C = d = 1, the weights of all three layers 1, no bias, and
# the tokens 0 and 1. The scores of token 1 are 0 and 1, its weights 0.2689 and
# 0.7311, and so `out` is 0 for token 0 and 0.7311 for token 1.
#
# After `torch.manual_seed(1337)`, let `x` be `torch.randn(4, 8, 32)`, and make
# `q_proj`, `k_proj` and `v_proj`, in this order, by
# `nn.Linear(32, 16, bias=False)`. The weights of sequence 0 are
#
#      1.0000   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000
#      0.5221   0.4779   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000
#      0.3602   0.3210   0.3188   0.0000   0.0000   0.0000   0.0000   0.0000
#      0.2980   0.4039   0.1578   0.1404   0.0000   0.0000   0.0000   0.0000
#      0.1643   0.1243   0.1678   0.1865   0.3570   0.0000   0.0000   0.0000
#      0.2656   0.2110   0.1137   0.1214   0.2018   0.0865   0.0000   0.0000
#      0.1761   0.1327   0.1371   0.0974   0.1476   0.1918   0.1173   0.0000
#      0.1046   0.1260   0.0922   0.0906   0.1476   0.1588   0.1432   0.1371


# %%
def single_head(
    x: Tensor, q_proj: nn.Linear, k_proj: nn.Linear, v_proj: nn.Linear
) -> tuple[Tensor, Tensor]:
    """One causal attention head with the projections that it is given.

    x: (B, T, C); each projection leads from C to d features. Returns the
    weights (B, T, T) and the mixtures of the values (B, T, d).
    """
    # TODO: project, weight the past, mix the values; return weights and out.
    ### BEGIN SOLUTION
    q, k, v = q_proj(x), k_proj(x), v_proj(x)  # (B, T, d) each
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, T, T)
    future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return weights, weights @ v
    ### END SOLUTION


# %% tags=["active-ipynb"]
# ones = [nn.Linear(1, 1, bias=False) for _ in range(3)]
# for projection in ones:
#     nn.init.ones_(projection.weight)
# weights, out = single_head(torch.tensor([[[0.0], [1.0]]]), *ones)
# assert weights.shape == (1, 2, 2), "expected weights of shape (B, T, T), here (1, 2, 2)"
# assert out.shape == (1, 2, 1), "expected out of shape (B, T, d), here (1, 2, 1)"
# assert torch.allclose(weights[0, 0], torch.tensor([1.0, 0])), "expected 1, 0 for token 0"
# expected = torch.tensor([0.2689, 0.7311])
# assert torch.allclose(weights[0, 1], expected, atol=1e-4), "expected 0.2689, 0.7311 for token 1"
# assert abs(out[0, 1].item() - 0.7311) < 1e-4, "expected out to be 0.7311 for token 1"
# print("single_head: the visible checks of this cell pass")

# %% [markdown]
# ## Exercise 3: CausalAttention
#
# The same head as a module that owns its layers, with two additions.
#
# **The mask is made once.** Which positions may look at which depends on the
# length only, so the mask is built in `__init__` for the longest sequence,
# `context_length`, and kept as a **buffer** called `mask`:
#
#     self.register_buffer("mask", ...)
#
# A buffer is a tensor that belongs to the module but is not trained.
# `module.to(device)` takes it along, and `state_dict()` saves it. A tensor
# that you assign to `self` as usual stays behind when the module is moved. For
# a sequence of T tokens, T <= context_length, `forward` uses the first T rows
# and the first T columns of the mask. It leaves the buffer as it is: the next
# sequence may be longer. (A mask that `forward` makes anew, on the device of
# `x`, is right too, and so is `is_causal=True`; but a mask that is stored is a
# buffer, of the full length.) Whether True stands for "may look" or for "is hidden"
# is up to you. (The class has the line `mask: Tensor`, which tells type
# checkers what kind of attribute that is; it does not make one.)
#
# **Dropout falls on the weights**, after the softmax. In training, each weight
# is set to 0 with probability `dropout`, each by itself, and those that remain
# are divided by 1 - dropout, so that on average nothing changes. When all are
# dropped (`dropout=1.0`), the result is 0. This keeps a token from relying on
# one other token. `nn.Dropout` does all this, and does nothing after
# `module.eval()`. A row then no longer adds up to 1, and it should not be made
# to.
#
# Names: `W_query`, `W_key` and `W_value`, linear layers from `d_in` to
# `d_out`, made in this order (a seed gives the table below only then);
# they have a bias if `qkv_bias` is true. `nn.Linear` calls this argument
# `bias`. The arguments keep the names and the order that they have below:
# whoever builds the module may give them by name.
#
# Shapes: `x (B, T, d_in)`; weights `(B, T, T)`; out `(B, T, d_out)`.
#
# To check by hand: token 0 of every sequence sees only itself, so without
# dropout `out[:, 0]` is `W_value(x)[:, 0]`. With a dropout of 0.5, in
# training, it is either 0 or twice that. After `torch.manual_seed(123)`,
# `CausalAttention(3, 2, context_length=6, dropout=0.0)` gives for the example
# sentence
#
#     -0.4519   0.2216
#     -0.5874   0.0058
#     -0.6300  -0.0632
#     -0.5675  -0.0843
#     -0.5526  -0.0981
#     -0.5299  -0.1081


# %%
class CausalAttention(nn.Module):
    """Causal self-attention with one head, a stored mask and dropout.

    x: (B, T, d_in), T at most context_length. Returns (B, T, d_out).
    """

    mask: Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        # TODO: make W_query, W_key and W_value, in this order, the dropout,
        # and the buffer mask, (context_length, context_length).
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        may_look = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.register_buffer("mask", may_look)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: project, scores, scaling, mask of T tokens, softmax, dropout,
        # mixture of the values.
        ### BEGIN SOLUTION
        T = x.shape[1]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)  # (B, T, T)
        weights = self.dropout(torch.softmax(masked, dim=-1))
        return weights @ values
        ### END SOLUTION


# %% tags=["active-ipynb"]
# torch.manual_seed(123)
# attention = CausalAttention(3, 2, context_length=6, dropout=0.0)
# x = torch.stack((inputs, inputs))  # a batch of shape (2, 6, 3)
# out = attention(x)
# assert out.shape == (2, 6, 2), "expected (2, 6, 2) for 2 sequences of 6 tokens"
# expected = torch.tensor([-0.5299, -0.1081])
# assert torch.allclose(out[0, 5], expected, atol=1e-4), "expected -0.5299 -0.1081 for step"
# short = attention(x[:, :4])
# assert torch.allclose(short, out[:, :4], atol=1e-5), "expected the same for 4 tokens alone"
# dropping = CausalAttention(3, 2, context_length=6, dropout=0.5).eval()
# assert torch.equal(dropping(x), dropping(x)), "expected the same result twice after eval()"
# print("CausalAttention: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: dropout on the weights
#
# On the left all the weights of six tokens with random queries and keys, after
# `eval()`; beside it three draws in training with a dropout of 0.5. A cross is
# a weight that was dropped: this token is not looked at this time. The weights
# that remain are twice as large as on the left. Each draw drops others, and
# each row its own. Now and then a whole row goes: this token then gets nothing
# from anyone, not even from itself.
#
# The module returns mixtures, not weights. The trick of this cell: it makes
# the value of token j a vector that is 1 at place j and 0 elsewhere. A mixture
# of such values is the row of weights itself.

# %% tags=["active-ipynb"]
# torch.manual_seed(2)
# layer = CausalAttention(6, 6, context_length=6, dropout=0.5)
# one_hot = torch.eye(6)  # token j: 1 at place j
# with torch.no_grad():
#     layer.W_query.weight.copy_(torch.randn(6, 6))
#     layer.W_key.weight.copy_(torch.randn(6, 6))
#     layer.W_value.weight.copy_(torch.eye(6))
#     draws = layer.train()(one_hot.expand(3, 6, 6))
#     full = layer.eval()(one_hot[None])[0]
#
# figure, axes = plt.subplots(1, 4, figsize=(12, 3.5), layout="constrained")
# heatmap(axes[0], past(full), "All weights (eval)", high=2)
# for number, (ax, draw) in enumerate(zip(axes[1:], draws, strict=True), 1):
#     kept = [[weight or None for weight in row] for row in past(draw)]
#     heatmap(ax, kept, f"Training, draw {number}", high=2)
#     for i, j in ((full > 0) & (draw == 0)).nonzero().tolist():
#         ax.text(j, i, "×", ha="center", va="center", fontsize=15)
# plt.show()

# %% [markdown]
# ### Picture: the mask, cut to a shorter sequence
#
# On the left the stored mask for six tokens, with a dot where a token may look;
# the frame shows what is cut out of it for a sequence of four. In the middle
# the weights of six tokens, on the right those of the first four of them
# alone. The framed numbers are the same: to the past it makes no difference
# whether there is a future.

# %% tags=["active-ipynb"]
# with torch.no_grad():
#     whole = layer(one_hot[None])[0]
#     four = layer(one_hot[None, :4])[0, :, :4]
# stored = getattr(layer, "mask", torch.ones(6, 6).triu(1))
# stored = stored != stored[0, -1]  # token 0 may not look at the last one
#
# figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
# heatmap(axes[0], [[None] * 6] * 6, "The mask for six tokens")
# for i, j in stored.nonzero().tolist():
#     axes[0].text(j, i, "●", ha="center", va="center", fontsize=14)
# heatmap(axes[1], past(whole), "Weights of six tokens")
# heatmap(axes[2], past(four), "Weights of the first four")
# for ax in axes[:2]:
#     frame = plt.Rectangle((-0.5, -0.5), 4, 4, fill=False, linewidth=3, clip_on=False)
#     ax.add_patch(frame)
# plt.show()
