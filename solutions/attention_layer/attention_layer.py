# ---
# order: 5
# hours: 3
# from: Vaswani et al. 2017, section 3
# ---

# %% [markdown]
# # One attention layer, from scratch
#
# An attention layer lets every token of a sentence look at every other token
# and take over what it finds useful. You build one here out of six small
# PyTorch modules; each uses the ones before it, and the last is a layer as it
# stands in a real transformer.
#
# Words used throughout: a **token** is one position of a sequence, described
# by `dim_h` numbers (its features). `X` has shape `(..., T, dim_h)`: T tokens
# in the last dimension but one, and in front of it nothing (one sentence) or B
# sequences (a batch). Everything you write must work for both.
#
# Rules for all exercises: read sizes from the arguments, never write them
# down as numbers; do not change the tensors that you are given, nor a setting
# of PyTorch (no `torch.manual_seed` in a module); the sequences of a batch must
# not influence each other; make new tensors on the device of the ones that you
# are given. These need not be contiguous in memory: where `view` fails,
# `reshape` does not. Float64 gives float64 and float32 gives float32. Unless a
# statement says otherwise, weights start as PyTorch's layers start them, or
# with other random numbers of about that size. Biases may start as zeros, and
# so may the weights of the last layer of a branch or of a model, but no others.

# %%
import math

import torch
from torch import Tensor, nn

# %% [markdown]
# ## Exercise 1: TestModule
#
# A PyTorch module is a class that inherits from `nn.Module`. It has two
# methods: `__init__`, which first of all calls `super().__init__()` (this
# prepares the tables in which PyTorch keeps parameters), and `forward`, which
# does the work. You never call `forward` yourself: calling the object,
# `module()`, calls it for you.
#
# Write a module without arguments that prints the line `Hello World` each time
# it is called and returns nothing, and that prints nothing when it is built.
#
# To check by hand: `TestModule()()` prints `Hello World`.


# %%
class TestModule(nn.Module):
    """Prints Hello World when it is called. Returns nothing."""

    def __init__(self) -> None:
        # TODO: let nn.Module prepare itself.
        ### BEGIN SOLUTION
        super().__init__()
        ### END SOLUTION

    def forward(self) -> None:
        # TODO: print Hello World.
        ### BEGIN SOLUTION
        print("Hello World")
        ### END SOLUTION


# %% tags=["active-ipynb"]
# import contextlib
# import io
#
# with contextlib.redirect_stdout(io.StringIO()) as said:
#     module = TestModule()
#     at_first = said.getvalue()
#     answer = module()
# assert at_first == "", "expected no output when the module is built"
# assert said.getvalue() == "Hello World\n", "expected a call to print Hello World"
# assert answer is None, "expected a call to return nothing"
# print("TestModule: the visible checks of this cell pass")

# %% [markdown]
# ## Exercise 2: QueryKeyValue
#
# Attention begins by looking at every token in three ways. Its **query** says
# what it is looking for, its **key** says what it has to offer, its **value**
# is what it hands over when another token looks at it. Each is a matrix
# product of the features with a matrix of its own:
#
#     queries = X W_q        keys = X W_k        values = X W_vᵀ + b
# <!-- $$
# \text{queries} = X W_q \qquad \text{keys} = X W_k \qquad \text{values} = X W_v^\top + b
# $$ -->
#
# Two of the three matrices you make by hand, to see what `nn.Linear` does for
# you. `W_q` and `W_k` are `nn.Parameter`s of shape `(dim_h, dim_k)` that start
# as all ones; assigning an `nn.Parameter` to `self` registers it, nothing else
# is needed. The third is an `nn.Linear(dim_h, dim_k)` called `value`, with its
# bias. (`nn.Linear` keeps its weight as `(dim_k, dim_h)` and multiplies by the
# transpose.)
#
# Shapes: `X (..., dim_h)` gives three tensors `(..., dim_k)`, in the order
# queries, keys, values. The same product serves one token `(dim_h,)`, one
# sentence and a batch.
#
# To check by hand: with all-ones weights a query is the sum of the features,
# so `QueryKeyValue(5, 3)` gives for the token `[1, 2, 3, 4, 5]` the query
# `[15, 15, 15]` and the same key, and for `[5, 6, 7, 8, 10]` it gives
# `[36, 36, 36]`.


# %%
class QueryKeyValue(nn.Module):
    """Project features to queries, keys and values.

    X: (..., dim_h). Returns queries, keys, values: (..., dim_k) each.
    """

    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        # TODO: make the parameters W_q and W_k, all ones, (dim_h, dim_k),
        # and the linear layer value, from dim_h to dim_k.
        ### BEGIN SOLUTION
        self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
        self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
        self.value = nn.Linear(dim_h, dim_k)
        ### END SOLUTION

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        # TODO: return the queries, the keys and the values of X.
        ### BEGIN SOLUTION
        queries = X @ self.W_q
        keys = X @ self.W_k
        values = self.value(X)
        return queries, keys, values
        ### END SOLUTION


# %% tags=["active-ipynb"]
# projection = QueryKeyValue(5, 3)
# queries, keys, values = projection(torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]]))
# assert queries.shape == keys.shape == values.shape == (2, 3), "expected three times (2, 3)"
# assert queries[0].tolist() == [15, 15, 15], "expected the query [15, 15, 15]"
# assert torch.equal(queries, keys), "expected keys equal to the queries"
# assert queries[1].tolist() == [36, 36, 36], "expected the query [36, 36, 36]"
# count = sum(p.numel() for p in projection.parameters())
# assert count == 48, "expected 15 + 15 + 18 = 48 parameters"
# queries, keys, values = projection(torch.zeros(2, 4, 5))
# assert values.shape == (2, 4, 3), "expected (2, 4, 3) for a batch of shape (2, 4, 5)"
# print("QueryKeyValue: the visible checks of this cell pass")

# %% [markdown]
# ## Exercise 3: ScaledDotProduct
#
# How well a query fits a key is measured by their dot product, the **score**.
# Softmax turns the scores of one query into weights that are positive and add
# up to 1, and the output for this query is the average of all values with
# these weights:
#
#     output = softmax(Q Kᵀ / sqrt(d_k)) V
# <!-- $$ \text{output} = \mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V $$ -->
#
# The softmax runs over the keys: every row of the `(L, S)` matrix of scores, L
# queries by S keys, becomes a distribution of its own. Give its dimension from
# the end (`dim=-1`): counted from the front, the right number would change
# with the number of batch dimensions.
#
# Why the root? A dot product of d_k random numbers with variance 1 has
# variance d_k. Undivided, long queries would push the softmax into its
# corners, where one weight is 1, the others are 0 and no gradient flows. `d_k`
# is the size of one query, `Q.shape[-1]`. The module learns nothing itself: it
# has no parameters.
#
# Shapes: `Q (..., L, d_k)`, `K (..., S, d_k)`, `V (..., S, d_v)` give
# `(..., L, d_v)`. L and S, and d_k and d_v, may differ. Here `...` may be any
# number of dimensions, the same for all three: none, B sequences, or B
# sequences with H heads each.
#
# To check by hand: one query `[2, 0, 0, 0]`; keys `[1, 0, 0, 0]` and
# `[0, 1, 0, 0]`; values `[10]` and `[0]`. The scores are 2 and 0, divided by
# sqrt(4) they are 1 and 0, the weights e/(e+1) = 0.7311 and 0.2689, and the
# output is 7.3106.


# %%
class ScaledDotProduct(nn.Module):
    """Average the values, weighting each by how well its key fits the query.

    Q: (..., L, d_k), K: (..., S, d_k), V: (..., S, d_v). Returns (..., L, d_v).
    Vaswani et al. 2017, equation 1.
    """

    def __init__(self) -> None:
        super().__init__()

    def forward(self, Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
        # TODO: scores, scaling, softmax over the keys, mixture of the values.
        ### BEGIN SOLUTION
        scores = Q @ K.transpose(-2, -1)  # (..., L, S)
        weights = torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)
        return weights @ V
        ### END SOLUTION


# %% tags=["active-ipynb"]
# Q = torch.tensor([[2.0, 0, 0, 0]])
# K = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]])
# V = torch.tensor([[10.0], [0]])
# output = ScaledDotProduct()(Q, K, V)
# assert output.shape == (1, 1), "expected one number, of shape (1, 1)"
# assert abs(output.item() - 7.3106) < 1e-4, "expected 7.3106"
# Q, K, V = torch.randn(3, 2, 4), torch.randn(3, 6, 4), torch.ones(3, 6, 5)
# output = ScaledDotProduct()(Q, K, V)
# assert output.shape == (3, 2, 5), "expected (..., L, d_v), here (3, 2, 5)"
# assert torch.allclose(output, torch.ones(3, 2, 5)), "expected 1 where all values are 1"
# print("ScaledDotProduct: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: from scores to weights
#
# Your module returns outputs, not weights, but a trick brings them to light:
# when the value of token j is 1 at place j and 0 elsewhere, the average of the
# values **is** the row of weights. The keys are of this kind too, so that the
# scores are the numbers of the queries, chosen freely here.
#
# On the left three rows of scores, before the root; d_k is 4, so they are
# halved first. In the middle the weights: every row adds up to 1, equal scores
# get equal shares, and a negative score gets a small share, not a negative
# one. On the right the same scores undivided (the cell hands over queries that
# are twice as long): the order is the same, but the largest takes more, 0.95
# instead of 0.71 in the first row.

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
# your_attention = ScaledDotProduct()
# scores = torch.tensor([[4.0, 0, 0, 0], [2, 2, -2, -2], [1, 2, 3, 4]])
# places = torch.eye(4)
# weights = your_attention(scores, places, places)
# undivided = your_attention(math.sqrt(4) * scores, places, places)
#
# fig, axes = plt.subplots(1, 3, figsize=(9, 2.6), layout="constrained")
# heatmap(axes[0], scores, "Scores Q Kᵀ", range(3), range(4), "RdBu", -4, 4)
# heatmap(axes[1], weights, "Weights, scores / sqrt(4)", range(3), range(4))
# heatmap(axes[2], undivided, "Weights, scores undivided", range(3), range(4))
# for ax in axes:
#     ax.set_xlabel("Key of token ...")
# axes[0].set_ylabel("Query number ...")
# plt.show()

# %% [markdown]
# ### Picture: why the root
#
# Random queries and keys with variance 1, eight keys to each query. How large
# is the largest of the eight weights, on average, when queries and keys become
# longer? Divided by sqrt(d_k) it stays where it is, at about a third.
# Undivided it climbs towards 1: the average of all values has become a copy of
# one value, and hardly any gradient reaches the scores.

# %% tags=["active-ipynb"]
# torch.manual_seed(0)
# sizes = [1, 4, 16, 64, 256, 1024]
# largest = {"divided by sqrt(d_k)": [], "undivided": []}
# for d_k in sizes:
#     Q, K = torch.randn(400, 1, d_k), torch.randn(400, 8, d_k)
#     for name, factor in zip(largest, [1, math.sqrt(d_k)], strict=True):
#         weights = your_attention(factor * Q, K, torch.eye(8).expand(400, 8, 8))
#         largest[name].append(weights.amax(dim=-1).mean().item())
#
# fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
# for (name, heights), marker, color in zip(
#     largest.items(), "os", ["#31688e", "#b8860b"], strict=True
# ):
#     ax.plot(sizes, heights, marker=marker, color=color)
#     ax.annotate(
#         f"{name}: {heights[-1]:.2f}",
#         (sizes[-1], heights[-1]),
#         xytext=(10, 0),
#         textcoords="offset points",
#         va="center",
#     )
# ax.axhline(1 / 8, color="0.5", linestyle=":")
# ax.annotate("all alike: 1/8", (sizes[0], 1 / 8), xytext=(0, 4), textcoords="offset points")
# ax.set_xscale("log", base=2)
# ax.set_xticks(sizes, sizes)
# ax.set(ylim=(0, 1.05), xlabel="d_k, the size of a query", ylabel="Largest weight")
# ax.set_title("The largest of eight weights, averaged over 400 random queries")
# ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 4: AttentionHead
#
# Put the last two together: a head computes the queries, keys and values of
# its input and attends with them. Keep a `ScaledDotProduct` under the name
# `scaled_dot_product` and a `QueryKeyValue` under the name `qkv_mechanism`;
# PyTorch finds the parameters of modules that are attributes of a module. Make
# them once, in `__init__`: whatever `forward` makes is forgotten after the
# call and never trained.
#
# Shapes: `X (..., T, dim_h)` gives `(..., T, dim_k)`.
#
# To check by hand: with all-ones weights, the tokens `[1, 2, 3, 4, 5]` and
# `[5, 6, 7, 8, 10]` and dim_k = 5, the second key gains so much higher scores
# (the first query's differ by 5 · 15 · 21 = 1575) that both outputs are the
# value of the second token.


# %%
class AttentionHead(nn.Module):
    """One attention head: every token looks at every token of its sequence.

    X: (..., T, dim_h). Returns (..., T, dim_k).
    """

    def __init__(self, dim_h: int, dim_k: int) -> None:
        super().__init__()
        # TODO: make scaled_dot_product and qkv_mechanism.
        ### BEGIN SOLUTION
        self.scaled_dot_product = ScaledDotProduct()
        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)
        ### END SOLUTION

    def forward(self, X: Tensor) -> Tensor:
        # TODO: attend with the queries, keys and values of X.
        ### BEGIN SOLUTION
        queries, keys, values = self.qkv_mechanism(X)
        return self.scaled_dot_product(queries, keys, values)
        ### END SOLUTION


# %% tags=["active-ipynb"]
# head = AttentionHead(5, 5)
# tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]])
# output = head(tokens)
# assert output.shape == (2, 5), "expected (T, dim_k), here (2, 5)"
# value = head.qkv_mechanism(tokens)[2][1]
# assert torch.allclose(output[0], value, atol=1e-4), "expected the value of the second token"
# assert torch.allclose(output[1], value, atol=1e-4), "expected two equal rows"
# batch = head(torch.stack([tokens / 20, tokens]))
# assert batch.shape == (2, 2, 5), "expected (2, 2, 5) for a batch of two sequences"
# assert torch.allclose(batch[1], output, atol=1e-4), "expected the same in a batch as alone"
# print("AttentionHead: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: one token takes it all, or not
#
# With all-ones weights the token with the larger features is the one that all
# look at. How much so depends on the size of the features: below, the two
# tokens `[1, 2, 3, 4, 5]` and `[5, 6, 7, 8, 10]` are multiplied by a factor
# before your head sees them. The cell sets the value weights to 0 except the
# one for feature 0, so that the output tells the second token's weight. Scores
# grow with the square of the factor: long before the factor is 1 the weight is
# 1 to the last digit. There a wrong divisor could not be seen.

# %% tags=["active-ipynb"]
# X = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]])
# probe = AttentionHead(5, 5)
# with torch.no_grad():
#     probe.qkv_mechanism.value.weight.zero_()
#     probe.qkv_mechanism.value.weight[0, 0] = 1  # the value is feature 0 of a token
#     probe.qkv_mechanism.value.bias.zero_()
#     factors = torch.logspace(-2.3, 0, 80)
#     outputs = torch.stack([probe(f * X)[:, 0] / f for f in factors])
# weights = (outputs - 1) / (5 - 1)  # feature 0 is 1 in the first token, 5 in the second
#
# fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
# ax.plot(factors, weights[:, 0], color="#31688e", label="first token looks")
# ax.plot(factors, weights[:, 1], color="#b8860b", linestyle="--", label="second token looks")
# ax.axhline(0.5, color="0.5", linestyle=":")
# ax.set_xscale("log")
# ax.set_xticks([0.005, 0.01, 0.03, 0.1, 0.3, 1], ["0.005", "0.01", "0.03", "0.1", "0.3", "1"])
# ax.set(ylim=(0.45, 1.05), xlabel="Factor in front of the features")
# ax.set_ylabel("Weight on the second token")
# ax.set_title("From a plain average (0.5) to a copy of the second token (1)")
# ax.legend(frameon=False, loc="center right")
# ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 5: FeedForwardLayer
#
# Attention moves information between tokens; what to make of it, each token
# works out for itself. Two linear layers with a bend between them do that: the
# first widens the features from `dim_h` to `dim_expanded` (or narrows them,
# where `dim_expanded` is smaller), the activation bends them, the second brings
# them back to `dim_h`. Without the activation the two would be no more than one
# linear layer.
#
# Names: `firstlayer` and `secondlayer`; a picture below takes the activation
# out, and finds it if you call it `activation`. The activation is the exact
# GELU, `nn.GELU()`, which is x · Φ(x) with the normal distribution's Φ; its
# tanh approximation differs in the fourth digit.
#
# Shapes: `x (..., dim_h)` gives `(..., dim_h)`; every token passes alone, and
# `x` may be a single one, `(dim_h,)`.
#
# To check by hand: with dim_h = dim_expanded = 1, weights 1 and biases 0, the
# input 1 gives Φ(1) = 0.8413.


# %%
class FeedForwardLayer(nn.Module):
    """Widen, bend, narrow: a small network that every token passes alone.

    x: (..., dim_h). Returns (..., dim_h).
    """

    def __init__(self, dim_h: int, dim_expanded: int) -> None:
        super().__init__()
        # TODO: make firstlayer, activation (exact GELU) and secondlayer.
        ### BEGIN SOLUTION
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: pass x through the three.
        ### BEGIN SOLUTION
        x = self.firstlayer(x)  # (..., dim_expanded)
        x = self.activation(x)
        return self.secondlayer(x)
        ### END SOLUTION


# %% tags=["active-ipynb"]
# small = FeedForwardLayer(1, 1)
# for linear in (small.firstlayer, small.secondlayer):
#     nn.init.ones_(linear.weight)
#     nn.init.zeros_(linear.bias)
# output = small(torch.tensor([[1.0]]))
# assert abs(output.item() - 0.8413) < 1e-4, "expected 0.8413"
# layer = FeedForwardLayer(5, 7)
# x = torch.randn(2, 3, 5)
# output, alone = layer(x), layer(x[1, 2])
# assert output.shape == (2, 3, 5), "expected the shape of x, (2, 3, 5)"
# assert torch.allclose(output[1, 2], alone, atol=1e-5), "expected each token to pass alone"
# print("FeedForwardLayer: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: what GELU does, and why it is there
#
# On the left your layer with weights 1 and biases 0, which leaves the
# activation alone. Far to the right GELU lets everything pass, far to the left
# nothing, like ReLU; but it changes over smoothly, and dips below 0 on the
# way. The dot is the number of the statement.
#
# On the right a layer with one feature, widened to eight, with parameters
# chosen by hand. Each of the eight bends the line at a place of its own, at
# -4, -3, and so on up to 3, first upwards, then by turns down and up; their
# sum is a wave. With the same parameters, but without the activation, all that
# comes out is a straight line.

# %% tags=["active-ipynb"]
# x = torch.linspace(-4, 4, 201)[:, None]
# ffl, wide = FeedForwardLayer(1, 1), FeedForwardLayer(1, 8)
# with torch.no_grad():
#     for name, parameter in ffl.named_parameters():
#         parameter.fill_(1.0 if name.endswith("weight") else 0.0)
#     wide.firstlayer.weight.fill_(4)
#     wide.firstlayer.bias.copy_(4 * torch.tensor([4.0, 3, 2, 1, 0, -1, -2, -3]))
#     wide.secondlayer.weight.copy_(torch.tensor([[0, -2, 2, -2, 2, -2, 2, -2]]) / 4)
#     wide.secondlayer.weight[0, 0] = 1 / 4
#     wide.secondlayer.bias.zero_()
#     gelu, bent = ffl(x), wide(x)
#     wide.activation = nn.Identity()  # passes everything on unchanged
#     straight = wide(x)
#
# fig, axes = plt.subplots(1, 2, figsize=(8.4, 3), layout="constrained")
# axes[0].plot(x, gelu, color="#31688e", label="GELU (your layer)")
# axes[0].plot(x, x.clamp(min=0), color="#b8860b", linestyle="--", label="ReLU")
# axes[0].plot(1, 0.8413, "o", color="#31688e")
# axes[0].annotate("(1, 0.8413)", (1, 0.8413), xytext=(8, -8), textcoords="offset points")
# axes[0].set(title="One feature, weights 1, biases 0", xlim=(-4, 4), ylim=(-0.5, 4))
# axes[1].plot(x, bent, color="#31688e", label="with the activation")
# axes[1].plot(x, straight, color="#b8860b", linestyle="--", label="without it")
# axes[1].set(title="One feature, widened to eight", xlim=(-4, 4), ylim=(-0.5, 4))
# for ax in axes:
#     ax.set(xlabel="Input", ylabel="Output")
#     ax.legend(frameon=False)
#     ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 6: SimpleAttentionLayer
#
# The whole layer. A main path carries the tokens straight through; two
# branches leave it, compute something, and are added back:
#
#     y   = x + aggregation_step(attention(layernorm1(x)))
#     out = y + ffl(layernorm2(y))
# <!-- $$
# \begin{aligned}
# y &= x + \text{aggregation\_step}(\text{attention}(\text{layernorm1}(x))) \\
# \text{out} &= y + \text{ffl}(\text{layernorm2}(y))
# \end{aligned}
# $$ -->
#
# The norm stands at the beginning of each branch (**pre-norm**), so that the
# main path itself is never rescaled and gradients run along it undisturbed.
# What is added back to is the raw `x`, not the normalised one; and it is added
# with a new tensor as result, since `x += ...` would overwrite the caller's.
#
# Names: `qkv` (a QueryKeyValue), `dot_product_attn` (a ScaledDotProduct),
# `aggregation_step` (linear, from dim_k back to dim_h, so that the branch fits
# the main path), `layernorm1` and `layernorm2` (`nn.LayerNorm(dim_h)`), `ffl`
# (a FeedForwardLayer).
#
# Shapes: `x (..., T, dim_h)` gives `(..., T, dim_h)`.
#
# To check by hand: when all parameters of `aggregation_step` and of
# `ffl.secondlayer` are 0, both branches give 0 and the layer returns its input.


# %%
class SimpleAttentionLayer(nn.Module):
    """A pre-norm encoder layer: attention and feed-forward, each with a skip.

    x: (..., T, dim_h). Returns (..., T, dim_h).
    """

    def __init__(self, dim_h: int, dim_k: int, dim_expanded: int) -> None:
        super().__init__()
        # TODO: make qkv, dot_product_attn, aggregation_step, layernorm1,
        # layernorm2 and ffl.
        ### BEGIN SOLUTION
        self.qkv = QueryKeyValue(dim_h, dim_k)
        self.dot_product_attn = ScaledDotProduct()
        self.aggregation_step = nn.Linear(dim_k, dim_h)
        self.layernorm1 = nn.LayerNorm(dim_h)
        self.layernorm2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, dim_expanded)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: add the attention branch to x, then the feed-forward branch.
        ### BEGIN SOLUTION
        h = self.layernorm1(x)
        queries, keys, values = self.qkv(h)
        h = self.dot_product_attn(queries, keys, values)  # (..., T, dim_k)
        y = x + self.aggregation_step(h)
        h = self.layernorm2(y)
        return y + self.ffl(h)
        ### END SOLUTION


# %% tags=["active-ipynb"]
# layer = SimpleAttentionLayer(5, 3, 7)
# x = torch.randn(2, 4, 5)
# before = x.clone()
# output = layer(x)
# assert output.shape == (2, 4, 5), "expected the shape of x, (2, 4, 5)"
# assert torch.equal(x, before), "expected x to stay as it was"
# assert torch.allclose(output[1], layer(x[1]), atol=1e-5), "expected the same in a batch as alone"
# for linear in (layer.aggregation_step, layer.ffl.secondlayer):
#     nn.init.zeros_(linear.weight)
#     nn.init.zeros_(linear.bias)
# assert torch.allclose(layer(x), x), "expected the input back when both branches are 0"
# print("SimpleAttentionLayer: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: the main path and its two branches
#
# A layer with random parameters (some made larger, so that there is something
# to see) and six random tokens. To tell the two branches apart, the cell makes
# a copy of your layer and sets the last linear layer of the feed-forward
# branch to 0, as in the statement: what the copy adds to `x` is the attention
# branch, and the rest is the other one.
#
# On the left, how long `x`, the two contributions and the result are for each
# token (the length of a vector is the root of the sum of its squares). The
# branches add something to the main path, they do not replace it. Lengths need
# not add up: the contributions point in directions of their own.
#
# On the right, how much the result of one token changes with the features of
# another. The main path and the feed-forward branch connect a token with
# itself only, so the diagonal is strong. All that stands beside it has come
# through attention.

# %% tags=["active-ipynb"]
# import copy
#
# torch.manual_seed(3)
# layer = SimpleAttentionLayer(8, 8, 32)
# with torch.no_grad():  # all-ones matrices see only the sum of the features, here 0
#     layer.qkv.W_q.copy_(torch.randn(8, 8) / math.sqrt(8))
#     layer.qkv.W_k.copy_(torch.randn(8, 8) / math.sqrt(8))
#     layer.aggregation_step.weight.mul_(4)
#     layer.ffl.secondlayer.weight.mul_(4)
# x = torch.randn(6, 8)
# attention_only = copy.deepcopy(layer)
# with torch.no_grad():
#     for parameter in attention_only.ffl.secondlayer.parameters():
#         parameter.zero_()
#     after_attention, out = attention_only(x), layer(x)
# slopes = torch.autograd.functional.jacobian(layer, x)  # (6, 8, 6, 8): of out, by x
# influence = slopes.pow(2).sum(dim=(1, 3)).sqrt()
#
# fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
# parts = {
#     "x": (x, "0.75", ""),
#     "attention adds": (after_attention - x, "#b8860b", "///"),
#     "feed-forward adds": (out - after_attention, "#7fb3d5", "..."),
#     "result": (out, "#31688e", ""),
# }
# for number, (label, (tensor, color, hatch)) in enumerate(parts.items()):
#     places = [token + 0.2 * number for token in range(6)]
#     axes[0].bar(
#         places, tensor.norm(dim=-1), 0.2, color=color, hatch=hatch, edgecolor="k", label=label
#     )
# axes[0].set_xticks([token + 0.3 for token in range(6)], range(6))
# axes[0].set(xlabel="Token", ylabel="Length of the vector", title="What each path carries")
# axes[0].spines[["top", "right"]].set_visible(False)
# axes[0].margins(y=0.35)
# axes[0].legend(frameon=False, ncols=2, loc="upper center")
# high = influence.max().item()
# heatmap(axes[1], influence, "How results depend on tokens", range(6), range(6), high=high)
# axes[1].set(xlabel="Features of token ...", ylabel="Result of token ...")
# plt.show()
