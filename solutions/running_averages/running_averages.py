# ---
# order: 1
# hours: 1
# from: Vaswani et al. 2017, section 3.2.3 (the mask)
# ---

# %% [markdown]
# # Running averages: three ways to the same numbers
#
# A sequence is read from left to right: a word may know the words before it,
# but not those that are still to come. The plainest way to tell a token what
# came before is an average: token t gets the mean of the tokens 0, 1, ..., t,
# itself included.
#
# You compute these averages three times. All three give the same numbers, and
# each is a step towards attention:
#
# 1. A **loop** says what is meant, but does one small thing at a time.
# 2. A **matrix product** does all tokens at once. The averages are now written
#    as a table of weights, in which each row says how much of every token goes
#    into one result.
# 3. A **softmax** makes that table out of scores. Here all scores are 0, so
#    that all weights of a row are equal. In attention the scores are computed
#    from the tokens, and this is all that changes: the weights then depend on
#    the data. Mask, softmax and product stay as you write them here.
#
# The input is always a batch `x` of shape `(B, T, C)`: B sequences of T
# **tokens**, each described by C numbers (its **channels**). Channels are
# averaged separately and never mixed.
#
# Rules for all exercises: read sizes from the argument, never write them down
# as numbers; do not change the tensor that you are given, nor a setting of
# PyTorch (no `torch.manual_seed`, no `torch.set_default_dtype`); the sequences
# of a batch must not influence each other. `x` need not be contiguous in
# memory: where `view` fails, `reshape` does not. The results have the type of
# `x` (float64 gives float64, float32 gives float32) and lie on its device.
# `torch.zeros` and `torch.ones` make float32 on the CPU if nothing else is
# said. Give them `dtype=x.dtype, device=x.device`. Nothing is trained here:
# gradients need not pass.
#
# In the notebook, run the cell in which you have written an exercise, and then
# the line below it, such as `check("running_mean_loop")`: it grades what you
# have run. `hint()` shows the next hint, and `progress()` how far you are.

# %%
import torch
from torch import Tensor

# %% [markdown]
# ## Exercise 1: running_mean_loop
#
# Write the definition down as it stands: for every sequence b and every token
# t the mean of the tokens up to t, separately for each channel.
#
#     means[b, t] = (x[b, 0] + x[b, 1] + ... + x[b, t]) / (t + 1)
# <!-- $$ \text{means}_{b,t} = \frac{x_{b,0} + x_{b,1} + \dots + x_{b,t}}{t + 1} $$ -->
#
# A slice ends **before** its second number: `x[b, :t]` has t tokens, and token
# t is not among them. The mean runs over the tokens; without a `dim` it would
# run over the channels too and leave one single number.
#
# Shapes: `x (B, T, C)` gives `(B, T, C)`.
#
# To check by hand: the three tokens `[2, 7]`, `[6, 4]`, `[6, 5]` have the
# running averages `[2, 7]`, `[4, 5.5]` and `[4.6667, 5.3333]`. The first is
# always the first token itself.
#
# Random numbers: after `torch.manual_seed(1337)` the first of the sequences
# `torch.randn(4, 8, 2)` has the tokens and averages on the left, after
# `torch.manual_seed(42)` those on the right.
#
#     t  token            average           token          average
#     0   0.1808 -0.0700   0.1808 -0.0700    1.927  1.487   1.927  1.487
#     1  -0.3596 -0.9152  -0.0894 -0.4926    0.901 -2.106   1.414 -0.309
#     2   0.6258  0.0255   0.1490 -0.3199    0.678 -1.235   1.169 -0.618
#     3   0.9545  0.0643   0.3504 -0.2238   -0.043 -1.605   0.866 -0.864
#     4   0.3612  1.1679   0.3525  0.0545   -0.752  1.649   0.542 -0.362
#     5  -1.3499 -0.5102   0.0688 -0.0396   -0.392 -1.404   0.386 -0.535
#     6   0.2360 -0.2398   0.0927 -0.0682   -0.728 -0.559   0.227 -0.539
#     7  -0.9211  1.5433  -0.0341  0.1332   -0.769  0.762   0.103 -0.376


# %%
def running_mean_loop(x: Tensor) -> Tensor:
    """Average every token with all tokens before it, one after the other.

    x: (B, T, C). Returns means: (B, T, C), means[b, t] = mean of x[b, 0..t].
    """
    # TODO: make the tensor of results, fill it in a loop, return it.
    ### BEGIN SOLUTION
    B, T, _ = x.shape
    means = torch.zeros_like(x)
    for b in range(B):
        for t in range(T):
            means[b, t] = x[b, : t + 1].mean(dim=0)
    return means
    ### END SOLUTION


# %% tags=["active-ipynb"]
# x = torch.tensor([[[2.0, 7], [6, 4], [6, 5]]])
# before = x.clone()
# means = running_mean_loop(x)
# assert means.shape == (1, 3, 2), "expected the shape of x, (1, 3, 2)"
# assert torch.equal(x, before), "expected x to stay as it was"
# first, second, third = means[0]
# assert torch.allclose(first, x[0, 0], atol=1e-4), "expected average 0 to be [2, 7]"
# assert torch.allclose(second, torch.tensor([4, 5.5]), atol=1e-4), "expected [4, 5.5] next"
# expected = torch.tensor([4.6667, 5.3333])
# assert torch.allclose(third, expected, atol=1e-4), "expected [4.6667, 5.3333] at the end"
# print("running_mean_loop: the visible checks of this cell pass")

# %% [markdown]
# What you have built, as a tree. On the left the eight tokens of one sequence,
# on the right your averages. Every token sends a line to the right, every
# average stands at the end of a line that comes down from the top, and a dot is
# a place where a token is taken up into an average. The number on top of a line
# is the number of its dots: so many tokens are added, and by so many the sum is
# divided. The line of average 3 is drawn bold; follow it from its four dots.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# torch.manual_seed(42)
# x_42 = torch.randn(4, 8, 2)  # four sequences of eight tokens of two channels
# tokens, means = x_42[0], running_mean_loop(x_42)[0]
# T, bold = len(tokens), 3
#
# figure, axes = plt.subplots(figsize=(8, 4))
# for t in range(T):
#     column = T - 1 - t  # the last average has the leftmost line
#     is_bold = t == bold
#     style = {"color": "#b35900", "linewidth": 4 if is_bold else 1.5}
#     axes.plot([-1, column], [t, t], color="#4a6fa5", linewidth=1.2, zorder=1)
#     axes.plot([column, column, T], [0, t, t], zorder=2, **style)
#     axes.plot([column] * (t + 1), range(t + 1), "o", color="black", zorder=3,
#               markersize=8 if is_bold else 5)
#     axes.text(column, -0.45, t + 1, ha="center", va="bottom", fontsize=10)
#     weight = "bold" if is_bold else "normal"
#     sides = [(-1.2, "right", tokens), (T + 0.2, "left", means)]
#     for position, side, numbers in sides:
#         text = "  ".join(f"{number:6.3f}" for number in numbers[t].tolist())
#         axes.text(position, t, f"{t}:  {text}", ha=side, va="center",
#                   family="monospace", fontsize=10,
#                   fontweight=weight if side == "left" else "normal")
# axes.text(T / 2 - 0.5, -1, "how many tokens are averaged", ha="center", fontsize=10)
# axes.text(-1.2, -0.45, "token", ha="right", va="bottom", fontsize=11)
# axes.text(T + 0.2, -0.45, "average", ha="left", va="bottom", fontsize=11)
# axes.set(xlim=(-6.5, T + 5.5), ylim=(T - 0.5, -1.5))
# axes.set_title("Which tokens each average is made of")
# axes.axis("off")
# figure.tight_layout()
# plt.show()

# %% [markdown]
# ## Exercise 2: running_mean_matmul
#
# The loop takes B · T steps one by one. A matrix product takes them all at
# once, since each row of a product is a weighted sum of rows:
#
#     (weights x)[t] = weights[t, 0] x[0] + weights[t, 1] x[1] + ...
# <!-- $$
# (\text{weights} \, x)_t = \text{weights}_{t,0} \, x_0 + \text{weights}_{t,1} \, x_1 + \dots
# $$ -->
#
# So an average is a row of equal weights that add up to 1, and a token that
# must not be seen gets the weight 0. Row t has the weight 1/(t + 1) for the
# tokens 0 to t and 0 for those behind:
#
#     [ 1    0    0   ]   [ 2  7 ]   [ 2       7      ]
#     [ 1/2  1/2  0   ] · [ 6  4 ] = [ 4       5.5    ]
#     [ 1/3  1/3  1/3 ]   [ 6  5 ]   [ 4.6667  5.3333 ]
# <!-- $$
# \begin{pmatrix} 1 & 0 & 0 \\ 1/2 & 1/2 & 0 \\ 1/3 & 1/3 & 1/3 \end{pmatrix}
# \begin{pmatrix} 2 & 7 \\ 6 & 4 \\ 6 & 5 \end{pmatrix} =
# \begin{pmatrix} 2 & 7 \\ 4 & 5.5 \\ 4.6667 & 5.3333 \end{pmatrix}
# $$ -->
#
# Make the table of weights, and with it the averages of the whole batch by
# **one** matrix product, without a loop over the tokens. A check counts the
# operations and the products of PyTorch: `@`, `einsum` or `bmm` will do, but
# neither a product for each sequence nor `cumsum`. The table needs no loop
# either: make a triangle of ones with `torch.tril` (triangle, lower) and
# divide each row by its sum. With `keepdim=True` the sums stay a column of
# shape `(T, 1)`; as a plain row of T numbers they would divide the columns.
#
# The table is the same for all sequences and has no batch dimension. In
# `weights @ x` PyTorch uses it once for each of the B sequences.
#
# Shapes: `x (B, T, C)` gives the pair `(weights, means)`: weights `(T, T)`,
# means `(B, T, C)`.
#
# To check by hand: the product above. In the table for eight tokens row 2 is
# 0.3333 three times and 0 five times, and row 7 is 0.1250 eight times. The
# weights of rows 3 to 6 are 0.2500, 0.2000, 0.1667 and 0.1429.


# %%
def running_mean_matmul(x: Tensor) -> tuple[Tensor, Tensor]:
    """Average every token with all tokens before it, by one matrix product.

    x: (B, T, C). Returns weights: (T, T), each row adding up to 1, and means:
    (B, T, C).
    """
    # TODO: make the table of weights, multiply, return both. No loop.
    ### BEGIN SOLUTION
    T = x.shape[1]
    triangle = torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))
    weights = triangle / triangle.sum(dim=1, keepdim=True)
    means = weights @ x  # (T, T) @ (B, T, C)
    return weights, means
    ### END SOLUTION


# %% tags=["active-ipynb"]
# x = torch.tensor([[[2.0, 7], [6, 4], [6, 5]]])
# weights, means = running_mean_matmul(x)
# assert weights.shape == (3, 3), "expected weights of shape (T, T), here (3, 3)"
# assert means.shape == (1, 3, 2), "expected means of shape (B, T, C), here (1, 3, 2)"
# sums = weights.sum(dim=1)
# assert torch.allclose(sums, torch.ones(3)), "expected rows of weights that add up to 1"
# expected = torch.tensor([4.6667, 5.3333])
# assert torch.allclose(means[0, 2], expected, atol=1e-4), "expected [4.6667, 5.3333] at the end"
# weights = running_mean_matmul(torch.randn(4, 8, 2))[0]
# assert torch.allclose(weights[7], torch.full((8,), 0.125)), "expected 0.1250 eight times in row 7"
# print("running_mean_matmul: the visible checks of this cell pass")

# %% [markdown]
# The product as a picture, with your own weights. Read row t of the left table:
# so much of each token goes into average t. Each row adds up to 1; the more
# tokens share it, the smaller the parts. Everything above the diagonal is 0:
# these tokens come later. To the right are the tokens of one sequence and what
# becomes of them: the averages lie closer together than the tokens, and the
# further down, the less of an average is its newest token.

# %% tags=["active-ipynb"]
# def draw_table(axes, table, title, colours, low, high, decimals=2):
#     """Draw a matrix as coloured cells with its numbers in them; -inf is grey."""
#     rows, columns = range(table.shape[0]), range(table.shape[1])
#     colours = plt.get_cmap(colours).with_extremes(bad="lightgrey", under="lightgrey")
#     cells = axes.pcolormesh(columns, rows, table, cmap=colours, vmin=low, vmax=high,
#                             edgecolors="grey", linewidth=0.5)
#     for row in rows:
#         for column in columns:
#             number = float(table[row, column])
#             text = "−∞" if number == -float("inf") else f"{number:.{decimals}f}"
#             red, green, blue, _ = colours(cells.norm(number))
#             is_dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
#             axes.text(column, row, "0" if number == 0 else text, ha="center",
#                       va="center", fontsize=9, color="white" if is_dark else "black")
#     axes.set_title(title, fontsize=11)
#     axes.set(xticks=columns, yticks=rows)
#     axes.tick_params(length=0)
#     axes.invert_yaxis()
#
#
# weights, means = running_mean_matmul(x_42)
# figure, (left, middle, right) = plt.subplots(
#     1, 3, figsize=(8.5, 3.8), width_ratios=[8, 2.6, 2.6], layout="constrained"
# )
# draw_table(left, weights, "weights", "cividis", 0, 1, decimals=3)
# draw_table(middle, x_42[0], "·  tokens", "RdBu", -2.2, 2.2)
# draw_table(right, means[0], "=  averages", "RdBu", -2.2, 2.2)
# left.set(xlabel="token that is averaged", ylabel="average of tokens 0 to t")
# middle.set(xlabel="channel", ylabel="token")
# right.set(xlabel="channel", ylabel="average")
# plt.show()

# %% [markdown]
# ## Exercise 3: running_mean_softmax
#
# Now the same table of weights once more, out of scores. A **score** says how
# much token t wants of token i, and may be any number. Softmax turns a row of
# scores into weights that are positive and add up to 1:
#
#     weight_i = exp(score_i) / (exp(score_0) + exp(score_1) + ...)
# <!-- $$
# \text{weight}_i = \frac{e^{\text{score}_i}}{e^{\text{score}_0} + e^{\text{score}_1} + \dots}
# $$ -->
#
# Equal scores give equal weights, for instance all of them 0. And a token that
# must not be seen gets the score minus infinity **before** the softmax, since
# exp(-inf) = 0: its weight is exactly 0, and the others share the whole. (To
# set weights to 0 after the softmax would leave rows that add up to less
# than 1.) Three steps:
#
#     scores  = zeros, (T, T)
#     masked  = scores, with -inf where the column is greater than the row
#     weights = softmax of each row of masked
# <!-- $$
# \begin{aligned}
# \text{scores} &= 0 \quad \text{of shape } (T, T) \\
# \text{masked}_{t,s} &=
# \begin{cases} \text{scores}_{t,s} & s \le t \\ -\infty & s > t \end{cases} \\
# \text{weights} &= \mathrm{softmax}(\text{masked}) \quad \text{of each row}
# \end{aligned}
# $$ -->
#
# The mean is then a matrix product, as before. A check looks for the softmax:
# `torch.softmax`, or one that you make yourself out of `torch.exp`. In Python
# minus infinity is
# `float("-inf")`. Put it in with `masked_fill` or `torch.where`, not by
# multiplying a mask with it: 0 · inf is not a number, NaN. The diagonal is not
# masked: a token sees itself, and no row is without a token that it may see.
#
# Why take the long way round, when `torch.tril` does it in two lines? Because
# the scores need not be 0. Give two tokens the scores 1 and 0, and the weights
# are 0.7311 and 0.2689 in place of 0.5 and 0.5: the first counts more. An
# attention layer computes the scores from the tokens themselves, so that every
# sequence gets weights of its own. The rest of it is what you write here.
#
# Shapes: `x (B, T, C)` gives the pair `(weights, means)`: weights `(T, T)`,
# means `(B, T, C)`.
#
# To check by hand: row 1 of three tokens is masked to `[0, 0, -inf]`; the
# exponentials are 1, 1, 0, their sum is 2, and the weights are `[0.5, 0.5, 0]`.


# %%
def running_mean_softmax(x: Tensor) -> tuple[Tensor, Tensor]:
    """Average every token with all tokens before it, by a softmax of masked zeros.

    x: (B, T, C). Returns weights: (T, T), each row adding up to 1, and means:
    (B, T, C).
    """
    # TODO: make scores of 0, mask what comes later, softmax, multiply, return
    # both.
    ### BEGIN SOLUTION
    T = x.shape[1]
    scores = torch.zeros(T, T, dtype=x.dtype, device=x.device)
    later = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
    masked = scores.masked_fill(later, float("-inf"))
    weights = torch.softmax(masked, dim=-1)
    means = weights @ x  # (T, T) @ (B, T, C)
    return weights, means
    ### END SOLUTION


# %% tags=["active-ipynb"]
# x = torch.tensor([[[2.0, 7], [6, 4], [6, 5]]])
# weights, means = running_mean_softmax(x)
# assert weights.shape == (3, 3), "expected weights of shape (T, T), here (3, 3)"
# assert means.shape == (1, 3, 2), "expected means of shape (B, T, C), here (1, 3, 2)"
# sums = weights.sum(dim=1)
# assert torch.allclose(sums, torch.ones(3)), "expected rows of weights that add up to 1"
# expected = torch.tensor([0.5, 0.5, 0])
# assert torch.allclose(weights[1], expected), "expected the weights [0.5, 0.5, 0] in row 1"
# expected = torch.tensor([4.6667, 5.3333])
# assert torch.allclose(means[0, 2], expected, atol=1e-4), "expected [4.6667, 5.3333] at the end"
# print("running_mean_softmax: the visible checks of this cell pass")

# %% [markdown]
# The three steps for five tokens. On the left all scores are equal: nobody is
# preferred. In the middle the grey cells are masked: those tokens come later.
# On the right your weights: each row shares out the 1 among the tokens that are
# left to it. In attention the table on the left is computed from the tokens;
# the steps from there to the right stay the same.

# %% tags=["active-ipynb"]
# weights = running_mean_softmax(x_42[:, :5])[0]
# allowed = weights > 0
# scores = [[0.0] * 5 for _ in range(5)]
# masked = [[0.0 if may else -float("inf") for may in row] for row in allowed.tolist()]
#
# figure, panels = plt.subplots(1, 3, figsize=(8.5, 3.3), layout="constrained")
# draw_table(panels[0], torch.tensor(scores), "1. scores: all 0", "RdBu", -1, 1)
# draw_table(panels[1], torch.tensor(masked), "2. later tokens masked", "RdBu", -1, 1)
# draw_table(panels[2], weights, "3. softmax of each row", "cividis", 0, 1)
# for panel in panels:
#     panel.set_xlabel("token that is averaged")
# panels[0].set_ylabel("average of tokens 0 to t")
# plt.show()
