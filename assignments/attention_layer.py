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
# down as numbers; do not change the tensors that you are given; the sequences
# of a batch must not influence each other.

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
# Write a module without arguments that prints `Hello World` each time it is
# called, and prints nothing when it is built.
#
# To check by hand: `TestModule()()` prints `Hello World`.


# %%
class TestModule(nn.Module):
    """Prints Hello World when it is called. Returns nothing."""

    def __init__(self) -> None:
        # TODO: let nn.Module prepare itself.
        raise NotImplementedError

    def forward(self) -> None:
        # TODO: print Hello World.
        raise NotImplementedError


# %% [markdown]
# ## Exercise 2: QueryKeyValue
#
# Attention begins by looking at every token in three ways. Its **query** says
# what it is looking for, its **key** says what it has to offer, its **value**
# is what it hands over when another token looks at it. Each is a matrix
# product of the features with a matrix of its own:
#
#     queries = X W_q        keys = X W_k        values = X W_vᵀ + b
#
# Two of the three matrices you make by hand, to see what `nn.Linear` does for
# you. `W_q` and `W_k` are `nn.Parameter`s of shape `(dim_h, dim_k)` that start
# as all ones; assigning an `nn.Parameter` to `self` registers it, nothing else
# is needed. The third is an `nn.Linear(dim_h, dim_k)` called `value`, with its
# bias. (`nn.Linear` keeps its weight as `(dim_k, dim_h)` and multiplies by the
# transpose.)
#
# Shapes: `X (..., dim_h)` gives three tensors `(..., dim_k)`, in the order
# queries, keys, values. The same product serves one sentence and a batch.
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
        raise NotImplementedError

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        # TODO: return the queries, the keys and the values of X.
        raise NotImplementedError


# %% [markdown]
# ## Exercise 3: ScaledDotProduct
#
# How well a query fits a key is measured by their dot product, the **score**.
# Softmax turns the scores of one query into weights that are positive and add
# up to 1, and the output for this query is the average of all values with
# these weights:
#
#     output = softmax(Q Kᵀ / sqrt(d_k)) V
#
# The softmax runs over the keys: every row of the `(L, S)` matrix of scores, L
# queries by S keys, becomes a distribution of its own. Give its dimension from
# the end (`dim=-1`): counted from the front, the right number would change
# with the number of batch dimensions.
#
# Why the root? A dot product of d_k random numbers with variance 1 has
# variance d_k. Undivided, long queries would push the softmax into its
# corners, where one weight is 1, the others are 0 and no gradient flows. `d_k`
# is the size of one query, `Q.shape[-1]`. (The notebook from which this
# exercise comes divides by `sqrt(2 * dim_k)`: a slip that cannot be seen
# there, because its all-ones weights give a softmax of zeros and ones. Here
# it would be seen.)
#
# Shapes: `Q (..., L, d_k)`, `K (..., S, d_k)`, `V (..., S, d_v)` give
# `(..., L, d_v)`. L and S, and d_k and d_v, may differ.
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
        raise NotImplementedError


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
        raise NotImplementedError

    def forward(self, X: Tensor) -> Tensor:
        # TODO: attend with the queries, keys and values of X.
        raise NotImplementedError


# %% [markdown]
# ## Exercise 5: FeedForwardLayer
#
# Attention moves information between tokens; what to make of it, each token
# works out for itself. Two linear layers with a bend between them do that: the
# first widens the features from `dim_h` to `dim_expanded`, the activation
# bends them, the second brings them back to `dim_h`. Without the activation
# the two would be no more than one linear layer.
#
# Names: `firstlayer`, `activation`, `secondlayer`. The activation is the exact
# GELU, `nn.GELU()`, which is x · Φ(x) with the normal distribution's Φ; its
# tanh approximation differs in the fourth digit.
#
# Shapes: `x (..., dim_h)` gives `(..., dim_h)`; every token passes alone.
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
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        # TODO: pass x through the three.
        raise NotImplementedError


# %% [markdown]
# ## Exercise 6: SimpleAttentionLayer
#
# The whole layer. A main path carries the tokens straight through; two
# branches leave it, compute something, and are added back:
#
#     y   = x + aggregation_step(attention(layernorm1(x)))
#     out = y + ffl(layernorm2(y))
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
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        # TODO: add the attention branch to x, then the feed-forward branch.
        raise NotImplementedError
