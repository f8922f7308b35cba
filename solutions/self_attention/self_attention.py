# ---
# order: 2
# hours: 2
# from: Vaswani et al. 2017, section 3.2.1
# ---

# %% [markdown]
# # Self-attention, from one token to a module
#
# A word means something only among other words. Self-attention gives every
# token of a sentence a new description, its **context vector**: a mixture of
# all tokens of the sentence, in which those that fit it best count most. You
# build it in four steps: for one token, for all tokens at once, with weights
# that can be trained, and in the form that is used in practice.
#
# Words used throughout: a **token** is one position of a sentence, described
# by d numbers (its features). A sentence of T tokens is a tensor of shape
# `(T, d)`, one token per row. The example is "Your journey starts with one
# step", a table of 6 tokens with 3 features each:
#
#     token 0  Your      0.43  0.15  0.89
#     token 1  journey   0.55  0.87  0.66
#     token 2  starts    0.57  0.85  0.64
#     token 3  with      0.22  0.58  0.33
#     token 4  one       0.77  0.25  0.10
#     token 5  step      0.05  0.80  0.55
#
# Rules for all exercises: read sizes from the arguments, never write them
# down as numbers; do not change the tensors that you are given, nor a setting
# of PyTorch (no `torch.manual_seed`, no `torch.set_default_dtype`). The
# tensors need not be contiguous in memory: where `view` fails, `reshape` does
# not. What you compute has the type of the input, so float64 gives float64 and
# float32 gives float32, and lies on its device. From exercise 2 on a gradient
# must be able to flow back from the results to the input and to all
# parameters: nothing is detached on the way.

# %%
import math

import torch
from torch import Tensor, nn

# %% tags=["active-ipynb"]
# inputs = torch.tensor(
#     [
#         [0.43, 0.15, 0.89],
#         [0.55, 0.87, 0.66],
#         [0.57, 0.85, 0.64],
#         [0.22, 0.58, 0.33],
#         [0.77, 0.25, 0.10],
#         [0.05, 0.80, 0.55],
#     ]
# )
# words = ["Your", "journey", "starts", "with", "one", "step"]

# %% [markdown]
# ## Exercise 1: context_vector
#
# Begin with one token, number `i`; it is the **query**. Three steps lead to
# its context vector:
#
#     scores_j = inputs_j · inputs_i         how well token j fits token i
#     weights  = softmax(scores)             all positive, together 1
#     context  = sum over j of weights_j inputs_j
# <!-- $$
# \begin{aligned}
# \text{scores}_j &= \text{inputs}_j \cdot \text{inputs}_i
# && \text{how well token } j \text{ fits token } i \\
# \text{weights} &= \mathrm{softmax}(\text{scores}) && \text{all positive, together } 1 \\
# \text{context} &= \sum_j \text{weights}_j \, \text{inputs}_j
# \end{aligned}
# $$ -->
#
# The dot product adds up the products of two tokens' features: it is large
# when both are large in the same places, and 0 when the tokens are orthogonal.
# Token i is compared with itself too and takes part in its own context.
#
# softmax(s)_j is exp(s_j) divided by the sum of all exp(s_k). Use
# `torch.softmax`: it subtracts the largest score first, which changes nothing
# in the result, but keeps exp from overflowing: scores may be as large as
# 10,000. Dividing the scores by their
# sum is no substitute, since scores may be negative. The scores are not scaled
# in this exercise.
#
# Shapes: `inputs (T, d)` and the number i give `scores (T,)`,
# `weights (T,)`, `context (d,)`, in this order. You may loop over tokens here.
#
# To check by hand: the tokens `[1, 0]`, `[0, 1]`, `[1, 1]` and i = 0. The
# scores are 1, 0, 1, the weights e/(2e+1) = 0.4223, 1/(2e+1) = 0.1554 and
# 0.4223, and the context is `[0.8446, 0.5777]`. In the example sentence, the
# context of token 2, "starts", is `[0.4431, 0.6496, 0.5671]`.


# %%
def context_vector(inputs: Tensor, i: int) -> tuple[Tensor, Tensor, Tensor]:
    """Mix all tokens, weighting each by how well it fits token i.

    inputs: (T, d). Returns scores (T,), weights (T,), context (d,).
    """
    # TODO: compare every token with token i, make weights of the scores, and
    # mix the tokens with them.
    ### BEGIN SOLUTION
    query = inputs[i]
    scores = inputs @ query  # (T,)
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs  # (d,)
    return scores, weights, context
    ### END SOLUTION


# %% tags=["active-ipynb"]
# small = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
# scores, weights, context = context_vector(small, 0)
# assert scores.tolist() == [1, 0, 1], "expected the scores 1, 0, 1"
# assert weights.shape == (3,), "expected one weight for each of the 3 tokens"
# assert abs(weights.sum().item() - 1) < 1e-5, "expected weights that add up to 1"
# expected = torch.tensor([0.8446, 0.5777])
# assert torch.allclose(context, expected, atol=1e-4), "expected the context [0.8446, 0.5777]"
# context = context_vector(inputs, 2)[2]
# expected = torch.tensor([0.4431, 0.6496, 0.5671])
# assert torch.allclose(context, expected, atol=1e-4), "expected 0.4431 0.6496 0.5671 for starts"
# print("context_vector: the visible checks of this cell pass")

# %% [markdown]
# ### What one token looks at
#
# On the left the scores of "starts", on the right its weights. Softmax keeps
# the order and makes shares of the scores. Note that "journey" gets a little
# more than "starts" itself: it points in nearly the same direction and is
# longer, and a dot product counts length too.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "figure.dpi": 110})
# scores, weights, context = context_vector(inputs, 2)
# fig, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
# for ax, row, title in [
#     (axes[0], scores, 'Scores of "starts"'),
#     (axes[1], weights, 'Weights of "starts": together 1'),
# ]:
#     bars = ax.bar(words, row, color="#31688e")
#     ax.bar_label(bars, fmt="%.3f", padding=2)
#     ax.margins(y=0.15)
#     ax.spines[["top", "right"]].set_visible(False)
#     ax.set(title=title, xlabel="Key: token that is looked at", yticks=[])
#     ax.spines["left"].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 2: simple_self_attention
#
# Now every token is a query. All T · T dot products are one matrix product,
# row i of the softmaxed scores belongs to query i, and all mixtures are
# another matrix product:
#
#     scores  = inputs inputsᵀ
#     weights = softmax(scores), each row for itself
#     context = weights inputs
# <!-- $$
# \begin{aligned}
# \text{scores} &= \text{inputs} \, \text{inputs}^\top \\
# \text{weights} &= \mathrm{softmax}(\text{scores}) \quad \text{each row for itself} \\
# \text{context} &= \text{weights} \, \text{inputs}
# \end{aligned}
# $$ -->
#
# Give the dimension of the softmax from the end: `dim=-1` runs along a row,
# over the keys. The scores are symmetric, the weights are not: token 3 may
# matter more to token 0 than token 0 matters to token 3.
#
# Write **one matrix product per step and no Python loop over the tokens**
# (none hidden in a comprehension either). A check counts the operations on
# tensors, and their number must not grow with the number of tokens. Nothing is
# scaled yet, and there are no parameters.
#
# Shapes: `inputs (T, d)` gives `weights (T, T)` and `context (T, d)`, in this
# order.
#
# To check by hand: the tokens `[1, 0]`, `[0, 1]`, `[1, 1]`. Token 2 has the
# scores 1, 1, 2, so the weights 1/(2+e) = 0.2119, 0.2119 and e/(2+e) = 0.5761,
# and the context `[0.7881, 0.7881]`; the first row is that of exercise 1. The
# example sentence gives
#
#     Your      0.4421  0.5931  0.5790
#     journey   0.4419  0.6515  0.5683
#     starts    0.4431  0.6496  0.5671
#     with      0.4304  0.6298  0.5510
#     one       0.4671  0.5910  0.5266
#     step      0.4177  0.6503  0.5645


# %%
def simple_self_attention(inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Give every token its context vector, all of them at once.

    inputs: (T, d). Returns weights (T, T), one row per query, and context (T, d).
    """
    # TODO: all scores by one product, softmax of every row, all mixtures by
    # one product.
    ### BEGIN SOLUTION
    scores = inputs @ inputs.T  # (T, T)
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs  # (T, d)
    return weights, context
    ### END SOLUTION


# %% tags=["active-ipynb"]
# weights, context = simple_self_attention(inputs)
# assert weights.shape == (6, 6), "expected weights of shape (T, T), here (6, 6)"
# assert context.shape == (6, 3), "expected context vectors of shape (T, d), here (6, 3)"
# sums = weights.sum(dim=1)
# assert torch.allclose(sums, torch.ones(6)), "expected rows of weights that add up to 1"
# expected = torch.tensor([0.4177, 0.6503, 0.5645])
# assert torch.allclose(context[5], expected, atol=1e-4), "expected 0.4177 0.6503 0.5645 for step"
# small = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
# expected = torch.tensor([0.2119, 0.2119, 0.5761])
# weights = simple_self_attention(small)[0]
# assert torch.allclose(weights[2], expected, atol=1e-4), "expected 0.2119 0.2119 0.5761 in row 2"
# print("simple_self_attention: the visible checks of this cell pass")

# %% [markdown]
# ### Who looks at whom
#
# A row is a query, a column a key. Compare "Your" and "one" in both pictures:
# left of the softmax the matrix is a mirror image of itself along its
# diagonal, right of it each row adds up to 1 and the mirror is gone. "journey"
# and "starts" are nearly the same token here, and so are their rows.

# %% tags=["active-ipynb"]
# def show_matrix(ax, matrix, title, rows, columns, cmap="cividis", limits=(0, None)):
#     """A matrix as a picture with its numbers written into the cells."""
#     image = ax.imshow(matrix, cmap=cmap, vmin=limits[0], vmax=limits[1])
#     for row in range(len(matrix)):
#         for column in range(len(matrix[0])):
#             value = float(matrix[row][column])
#             red, green, blue, _ = image.cmap(image.norm(value))
#             ink = "k" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "w"
#             ax.text(column, row, f"{value:.2f}", ha="center", va="center", color=ink)
#     ax.set_xticks(range(len(columns)), columns)
#     ax.set_yticks(range(len(rows)), rows)
#     ax.tick_params(length=0)
#     ax.spines[:].set_visible(False)
#     ax.set_title(title)
#
#
# weights, context = simple_self_attention(inputs)
# scores = torch.stack([context_vector(inputs, i)[0] for i in range(len(inputs))])
# fig, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained")
# show_matrix(axes[0], scores, "Scores: symmetric", words, words)
# show_matrix(axes[1], weights, "Weights: each row adds up to 1", words, words)
# for ax in axes:
#     ax.set(xlabel="Key: token that is looked at", ylabel="Query: token that looks")
# plt.show()

# %% [markdown]
# ## Why the scores are divided by sqrt(d_k)
#
# From the next exercise on, queries and keys have d_k features, and their
# scores are divided by sqrt(d_k). Here is the reason. Draw queries and keys of
# 16 features with variance 1. A dot product adds up 16 products, each with
# variance 1, so its variance is 16; dividing it by sqrt(16) = 4 brings the
# variance back to 1, as variances scale with the square. Measured on 4 · 8
# queries and keys:
#
#     queries 1.0449   keys 1.0700   scores 17.4690   scaled 1.0918
#
# (The cell first repeats the random draws of an example that stands in the
# assignment on causal attention, so that its numbers are these.)

# %% tags=["active-ipynb"]
# torch.manual_seed(1337)
# torch.randn(4, 8, 32)
# for _ in range(3):
#     nn.Linear(32, 16, bias=False)
#
# q = torch.randn(4, 8, 16)
# k = torch.randn(4, 8, 16)
# raw = q @ k.transpose(-2, -1)
# scaled = raw * 16**-0.5
# variances = [t.var().item() for t in (q, k, raw, scaled)]
# print("  ".join(f"{variance:.4f}" for variance in variances))
# printed = torch.tensor([1.0449, 1.0700, 17.4690, 1.0918])
# assert torch.allclose(torch.tensor(variances), printed, atol=1e-4), variances
#
# fig, ax = plt.subplots(figsize=(8, 2.4), layout="constrained")
# names = ["queries", "keys", "scores q · k", "scores / sqrt(16)"]
# bars = ax.barh(names, variances, color=["#31688e", "#31688e", "#b8860b", "#31688e"])
# ax.bar_label(bars, fmt="%.4f", padding=4)
# ax.axvline(1, color="0.4", linewidth=1, linestyle="--")
# ax.invert_yaxis()
# ax.margins(x=0.1)
# ax.spines[["top", "right"]].set_visible(False)
# ax.set(title="Unscaled scores spread 16 times as much", xlabel="Variance (dashed: 1)")
# plt.show()

# %% [markdown]
# ### What widely spread scores do to a softmax
#
# The same five scores, multiplied by 1, 4, 8 and 32. The larger they are, the
# closer the softmax comes to **one-hot**: one weight is 1, the others are 0.
# Then a token no longer mixes but copies, and small changes of the scores
# change next to nothing: hardly any gradient flows, and little is learned.
# Scaling keeps the softmax in the region on the left.

# %% tags=["active-ipynb"]
# five = torch.tensor([0.1, -0.2, 0.3, -0.2, 0.5])
# fig, axes = plt.subplots(1, 4, figsize=(8.4, 2.6), sharey=True, layout="constrained")
# for ax, scale in zip(axes, (1, 4, 8, 32), strict=True):
#     shares = torch.softmax(scale * five, dim=-1)
#     bars = ax.bar(range(5), shares, color="#31688e")
#     ax.bar_label(bars, fmt="%.2f", padding=2, fontsize=8)
#     ax.set_xticks(range(5), [f"{score:g}" for score in five.tolist()])
#     ax.spines[["top", "right"]].set_visible(False)
#     ax.set(title=f"scores × {scale}", xlabel="Score before ×", ylim=(0, 1.12))
# axes[0].set_ylabel("Weight")
# plt.show()
#
# printed = torch.tensor([0.1925, 0.1426, 0.2351, 0.1426, 0.2872])
# assert torch.allclose(torch.softmax(five, dim=-1), printed, atol=1e-4)
# printed = torch.tensor([0.0326, 0.0030, 0.1615, 0.0030, 0.8000])
# assert torch.allclose(torch.softmax(8 * five, dim=-1), printed, atol=1e-4)

# %% [markdown]
# ## Exercise 3: SelfAttention
#
# So far what fits what is fixed by the table. To let it be learned, every
# token is turned into three vectors by three matrices: its **query** says what
# it looks for, its **key** what it has to offer, its **value** what it hands
# over.
#
#     queries = x W_query      keys = x W_key      values = x W_value
#     context = softmax(queries keysᵀ / sqrt(d_out)) values
# <!-- $$
# \begin{aligned}
# \text{queries} &= x W_{\text{query}} \qquad \text{keys} = x W_{\text{key}} \qquad
# \text{values} = x W_{\text{value}} \\
# \text{context} &= \mathrm{softmax}\!\left(\frac{\text{queries} \, \text{keys}^\top}
# {\sqrt{d_{\text{out}}}}\right) \text{values}
# \end{aligned}
# $$ -->
#
# Each matrix is an `nn.Parameter` of shape `(d_in, d_out)` with the start
# values `torch.rand(d_in, d_out)`, random numbers between 0 and 1; assigning
# an `nn.Parameter` to `self` is what makes it known to an optimiser. Names:
# `W_query`, `W_key`, `W_value`. **Create them in this order**: the order is
# part of the exercise, because random numbers are handed out one after the
# other, and only in this order does a seed give the table below.
#
# The scores are divided by the root of the size of one key, which is d_out
# here. It is divided before the softmax, never after it.
#
# Shapes: `x (T, d_in)` gives `(T, d_out)`; queries, keys and values are
# `(T, d_out)`, the weights `(T, T)`.
#
# To check by hand: let all three matrices be the identity of size 4 and the
# tokens be `[2, 0, 0, 0]` and `[0, 2, 0, 0]`. Token 0 has the scores 4 and 0,
# divided by sqrt(4) they are 2 and 0, the weights 0.8808 and 0.1192, and the
# output is `[1.7616, 0.2384, 0, 0]`. After `torch.manual_seed(123)`,
# `SelfAttention(3, 2)` gives for the example sentence
#
#     Your      0.2996  0.8053
#     journey   0.3061  0.8210
#     starts    0.3058  0.8203
#     with      0.2948  0.7939
#     one       0.2927  0.7891
#     step      0.2990  0.8040


# %%
class SelfAttention(nn.Module):
    """Self-attention with three matrices that can be trained.

    x: (T, d_in). Returns (T, d_out). Vaswani et al. 2017, equation 1.
    """

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        # TODO: make the parameters W_query, W_key, W_value, in this order,
        # each torch.rand(d_in, d_out).
        ### BEGIN SOLUTION
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: queries, keys, values; scaled scores; softmax; mixture.
        ### BEGIN SOLUTION
        queries = x @ self.W_query
        keys = x @ self.W_key
        values = x @ self.W_value
        scores = queries @ keys.T / math.sqrt(keys.shape[-1])  # (T, T)
        weights = torch.softmax(scores, dim=-1)
        return weights @ values
        ### END SOLUTION


# %% tags=["active-ipynb"]
# attention = SelfAttention(4, 4)
# for parameter in attention.parameters():
#     nn.init.eye_(parameter)
# output = attention(2 * torch.eye(4)[:2])
# assert output.shape == (2, 4), "expected 2 tokens of 4 features, (2, 4)"
# expected = torch.tensor([1.7616, 0.2384, 0, 0])
# assert torch.allclose(output[0], expected, atol=1e-4), "expected [1.7616, 0.2384, 0, 0]"
# torch.manual_seed(123)
# output = SelfAttention(3, 2)(inputs)
# expected = torch.tensor([0.2996, 0.8053])
# assert torch.allclose(output[0], expected, atol=1e-4), "expected 0.2996 0.8053 for Your"
# print("SelfAttention: the visible checks of this cell pass")

# %% [markdown]
# ### Where the context vectors lie
#
# With d_out = 2 a token's value is a point in the plane, and so is its context
# vector. Being an average of all values, it lies among them, and since the
# untrained weights are rather even (0.09 to 0.23), all context vectors crowd
# near the middle, in the frame on the left. On the right the same frame
# enlarged: they are close to each other, yet not the same.

# %% tags=["active-ipynb"]
# torch.manual_seed(123)
# attention = SelfAttention(3, 2)
# with torch.no_grad():
#     values = inputs @ attention.W_value
#     output = attention(inputs)
#
# fig, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
# axes[0].scatter(*values.T, marker="o", color="#31688e", label="values")
# for ax in axes:
#     ax.scatter(*output.T, marker="x", color="#b8860b", label="context vectors")
#     ax.spines[["top", "right"]].set_visible(False)
#     ax.set(xlabel="Feature 0", ylabel="Feature 1")
# for ax, points, left in [
#     (axes[0], values, {"starts", "Your"}),
#     (axes[1], output, {"starts", "step"}),
# ]:
#     for word, point in zip(words, points.tolist(), strict=True):
#         side = -1 if word in left else 1
#         ax.annotate(
#             word,
#             point,
#             xytext=(6 * side, -3),
#             textcoords="offset points",
#             ha="left" if side == 1 else "right",
#         )
#     ax.margins(0.2)
#     ax.locator_params(nbins=6)
# axes[0].legend(loc="lower right", frameon=False)
# axes[0].set_title("Values, and their mixtures")
# axes[1].set_title("The context vectors, enlarged")
# axes[0].indicate_inset([0.287, 0.78, 0.025, 0.05], edgecolor="k")
# axes[1].set(xlim=(0.287, 0.312), ylim=(0.78, 0.83))
# plt.show()

# %% [markdown]
# ## Exercise 4: SelfAttentionV2
#
# In practice the three matrices are `nn.Linear` layers. A linear layer
# computes `x weightᵀ + bias`: it stores its weight as `(d_out, d_in)`, that
# is, transposed, picks start values that suit the size (positive and negative
# ones, between -1/sqrt(d_in) and 1/sqrt(d_in)), and adds a bias if it is asked
# to. Names and **order of creation** are the same: `W_query`, `W_key`,
# `W_value`; again the order is part of the exercise.
#
# The argument `qkv_bias` of your class says whether the three layers have a
# bias; as a rule they have none. `nn.Linear` does not know that name: its
# argument is called `bias`, and its default is True.
#
# This module must work for one sentence `(T, d_in)` and for a batch of B
# sentences `(B, T, d_in)`, which must not influence each other. So count every
# dimension from the end: the tokens are dimension -2, the features -1. `.T`
# reverses all dimensions of a tensor, the batch included; exchange the last
# two by `transpose(-2, -1)`. And `keys.shape[1]` is d_out for one sentence, but
# T for a batch.
#
# Shapes: `x (..., T, d_in)` gives `(..., T, d_out)`; the weights are
# `(..., T, T)`.
#
# To check by hand: when the weight and the bias of `W_query` are 0, all scores
# are 0, all weights are 1/T, and each token gets the plain average of all
# values. `SelfAttentionV2(3, 2)` has 3 · 6 = 18 numbers, with
# `qkv_bias=True` it has 24. After `torch.manual_seed(789)`,
# `SelfAttentionV2(3, 2)` gives for the example sentence
#
#     Your      -0.0739  0.0713
#     journey   -0.0748  0.0703
#     starts    -0.0749  0.0702
#     with      -0.0760  0.0685
#     one       -0.0763  0.0679
#     step      -0.0754  0.0693


# %%
class SelfAttentionV2(nn.Module):
    """Self-attention out of linear layers, for a sentence or a batch.

    x: (T, d_in) or (B, T, d_in). Returns (T, d_out) or (B, T, d_out).
    """

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        # TODO: make the linear layers W_query, W_key, W_value, in this order,
        # with a bias if qkv_bias says so.
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: the same as before, for one sentence and for a batch.
        ### BEGIN SOLUTION
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        scores = queries @ keys.transpose(-2, -1)  # (..., T, T)
        weights = torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)
        return weights @ values
        ### END SOLUTION


# %% tags=["active-ipynb"]
# count = sum(p.numel() for p in SelfAttentionV2(3, 2, qkv_bias=True).parameters())
# assert count == 24, "expected 24 numbers with qkv_bias=True"
# torch.manual_seed(789)
# attention = SelfAttentionV2(3, 2)
# assert sum(p.numel() for p in attention.parameters()) == 18, "expected 18 numbers"
# output = attention(inputs)
# assert output.shape == (6, 2), "expected (6, 2) for a sentence of 6 tokens"
# expected = torch.tensor([-0.0739, 0.0713])
# assert torch.allclose(output[0], expected, atol=1e-4), "expected -0.0739 0.0713 for Your"
# batch = attention(torch.stack([3 * inputs, inputs]))
# assert torch.allclose(batch[1], output, atol=1e-6), "expected the same in a batch as alone"
# print("SelfAttentionV2: the visible checks of this cell pass")

# %% [markdown]
# ### nn.Parameter and nn.Linear: the same product
#
# The same numbers, stored in two ways: on the left the matrix of
# `SelfAttention`, by which you multiply, on the right the weight of
# `nn.Linear`, which is transposed before it multiplies. The cell gives the
# weights of a `SelfAttentionV2` to a `SelfAttention`, transposed: both then
# compute the same.

# %% tags=["active-ipynb"]
# torch.manual_seed(789)
# with_linear = SelfAttentionV2(3, 2)
# with_parameter = SelfAttention(3, 2)
# with torch.no_grad():
#     for name in ("W_query", "W_key", "W_value"):
#         getattr(with_parameter, name).copy_(getattr(with_linear, name).weight.T)
#     matrix = with_parameter.W_query
#     layer = with_linear.W_query
#     same = torch.allclose(inputs @ matrix, layer(inputs), atol=1e-6)
#     assert same, "x @ W and nn.Linear differ: is W the transpose of the weight?"
#     same = torch.allclose(with_parameter(inputs), with_linear(inputs), atol=1e-6)
#     assert same, "the two modules differ although their weights are the same"
#
#     fig, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
#     left, right = "nn.Parameter W:  x @ W", "nn.Linear's weight:  x @ weight.T"
#     ins, outs = ["in 0", "in 1", "in 2"], ["out 0", "out 1"]
#     show_matrix(axes[0], matrix, left, ins, outs, "RdBu", (-1, 1))
#     show_matrix(axes[1], layer.weight, right, outs, ins, "RdBu", (-1, 1))
#     axes[0].set(xlabel="d_out", ylabel="d_in")
#     axes[1].set(xlabel="d_in", ylabel="d_out")
# plt.show()
