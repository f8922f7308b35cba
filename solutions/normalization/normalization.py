# ---
# order: 4
# hours: 1.5
# from: Ioffe and Szegedy 2015; Ba, Kiros and Hinton 2016
# ---

# %% [markdown]
# # Normalisation: numbers of one size
#
# A network learns badly when one of its features runs up to thousands and
# another stays below 1, or when the size of the numbers changes from layer to
# layer. A normalisation layer shifts and stretches numbers so that their mean
# is 0 and their variance is 1. There are two ways to choose which numbers are
# taken together:
#
# - **BatchNorm** takes a **column**: one feature, in all examples.
# - **LayerNorm** takes a **row**: all features of one example.
#
# The input `x` has shape `(N, dim)`: N examples (rows) of `dim` numbers each
# (their features, the columns). In a sentence the examples are the tokens.
# With the same numbers in the same table, one word decides between the layers:
# the `dim` along which you average. In everything else they differ because of
# it. At the end you see why an attention layer uses LayerNorm.
#
# Both exercises are plain Python classes, not `nn.Module`s, so that you see
# everything that such a layer holds. A call `layer(x)` runs the method
# `__call__`.
#
# **Which variance?** The variance of n numbers is the sum of their squared
# distances from the mean, divided by n - 1 (the **unbiased** variance) or by n
# (the **biased** one). This kit divides by n - 1, which is also what
# `x.var(dim)` and `x.std(dim)` do if nothing else is said. PyTorch's own
# `nn.LayerNorm` and `nn.BatchNorm1d` normalise with the biased variance. For
# the numbers 2, 4, 6, with mean 4 and squared distances 4, 0, 4:
#
#     unbiased: variance 8/2 = 4         normalised  -1       0   1
#     biased:   variance 8/3 = 2.6667    normalised  -1.2247  0   1.2247
#
# So do not be surprised that the numbers of `nn.LayerNorm` are a little
# larger; the factor is sqrt(n / (n - 1)), which is close to 1 when n is large.
# (In its running variance `nn.BatchNorm1d` keeps the unbiased one, as here.)
#
# **How to compute it?** By the squared distances from the mean, as `x.var`
# does. The mean of the squares less the square of the mean is the same on
# paper only: for numbers near 100,000 the squares are near 10,000,000,000, and
# float32, with its seven digits, loses all that their difference consists of.
#
# Rules for both exercises: read sizes from the arguments, never write them
# down as numbers; do not change the tensor that you are given, nor a setting
# of PyTorch (no `torch.manual_seed`, no `torch.set_default_dtype`); it need
# not be contiguous in memory. float64 in gives float64 out, and float32 gives
# float32. Gradients flow from the output to `x`, `gamma` and `beta`, in
# training and in evaluation. The arguments of the classes keep their names and
# their order.

# %%
import torch
from torch import Tensor

# %% [markdown]
# ## Exercise 1: BatchNorm1d
#
# Each feature is normalised over the examples of the batch:
#
#     y = gamma * (x - mean) / sqrt(var + eps) + beta
# <!-- $$ y = \gamma \, \frac{x - \text{mean}}{\sqrt{\text{var} + \varepsilon}} + \beta $$ -->
#
# `mean` and `var` have one number for each feature. The small `eps` keeps the
# root away from 0 when a feature is the same in all examples; it stands
# **inside** the root. With `gamma` and `beta`, also one number per feature,
# training can give a feature any other size and place. They are what
# `parameters()` returns, in a list, in any order: the very tensors that the
# layer computes with, not copies.
#
# A trained network is often asked about a single example, and one example has
# no variance. So the layer has two ways to work, and the attribute `training`
# says which:
#
# - **Training** (`training` is True, as at first): mean and unbiased variance
#   are those of the batch, and gradients flow through both. On the side, the
#   layer remembers what it has seen, in two running averages:
#
#       running_mean = (1 - momentum) * running_mean + momentum * mean
#       running_var  = (1 - momentum) * running_var  + momentum * var
#
#   These are notes, not part of the computation: make them under
#   `torch.no_grad()` (or from `mean.detach()`), or each batch would hang on
#   the graph of all batches before it. momentum is the weight of what is
#   **new**. Each layer has averages of its own.
# - **Evaluation** (`training` is False): mean and variance are the running
#   ones, and nothing is changed.
#
# Shapes: `x (N, dim)` gives `(N, dim)`. The attributes `gamma` (ones), `beta`
# (zeros), `running_mean` (zeros) and `running_var` (ones) have shape `(dim,)`.
# If the running ones become `(1, dim)`, because you average with
# `keepdim=True`, that is right too. In training N is at least 2.
#
# To check by hand: three examples of two features, in training.
#
#     [ 2  10 ]     mean     [ 4    20 ]     [ -1  -0.5774 ]
#     [ 4  10 ]     variance [ 4   300 ]     [  0  -0.5774 ]
#     [ 6  40 ]     root     [ 2 17.32 ]     [  1   1.1547 ]
#
# With a momentum of 0.1 the running mean is now `[0.4, 2]` and the running
# variance `[1.3, 30.9]`. After that, in evaluation, the example `[4, 20]`
# gives (4 - 0.4) / sqrt(1.3) = 3.1574 and (20 - 2) / sqrt(30.9) = 3.2381: one
# batch is too little to know the feature.
#
# Random numbers: let `x` be `torch.randn(32, 100)` after
# `torch.manual_seed(1337)`. In the output feature 0 has the mean 0 and the
# standard deviation 1. Example 0 is a row, and is not normalised: it has
# 0.0411 and 1.0431.


# %%
class BatchNorm1d:
    """Normalise each feature over the examples of a batch.

    x: (N, dim). Returns (N, dim). In evaluation running averages take the place
    of the batch's mean and variance. Ioffe and Szegedy 2015.
    """

    def __init__(self, dim: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        # TODO: keep eps and momentum; make training, gamma, beta, running_mean
        # and running_var.
        ### BEGIN SOLUTION
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)
        ### END SOLUTION

    def __call__(self, x: Tensor) -> Tensor:
        # TODO: choose mean and variance, in training update the running ones,
        # normalise, apply gamma and beta.
        ### BEGIN SOLUTION
        if self.training:
            mean = x.mean(dim=0)
            var = x.var(dim=0)  # divides by N - 1
            new = self.momentum
            with torch.no_grad():
                self.running_mean = (1 - new) * self.running_mean + new * mean
                self.running_var = (1 - new) * self.running_var + new * var
        else:
            mean = self.running_mean
            var = self.running_var
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta
        ### END SOLUTION

    def parameters(self) -> list[Tensor]:
        """What training changes: [gamma, beta]."""
        # TODO: return the list.
        ### BEGIN SOLUTION
        return [self.gamma, self.beta]
        ### END SOLUTION


# %% tags=["active-ipynb"]
# layer = BatchNorm1d(2)
# x = torch.tensor([[2.0, 10], [4, 10], [6, 40]])
# output = layer(x)
# assert output.shape == (3, 2), "expected the shape of x, (3, 2)"
# expected = torch.tensor([-0.5774, -0.5774, 1.1547])
# assert torch.allclose(output[:, 1], expected, atol=1e-4), "expected -0.5774, -0.5774, 1.1547"
# mean = layer.running_mean.flatten().float()
# assert torch.allclose(mean, torch.tensor([0.4, 2.0])), "expected a running mean of [0.4, 2]"
# layer.training = False
# output = layer(torch.tensor([[4.0, 20]]))
# assert abs(output[0, 0].item() - 3.1574) < 1e-4, "expected 3.1574 for the 4 in evaluation"
# print("BatchNorm1d: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: how the running mean finds its value
#
# A feature has the mean 5, and comes in batches of 8 examples. The means of
# the batches, small dots, lie around 5. Both running means start at 0 and move
# towards each new dot by a part of the way, which is the momentum.
#
# With a momentum of 0.5 the running mean arrives after a few batches, but then
# follows every dot up and down. With 0.1 it takes some thirty batches, and
# then stays calm. As long as it has not arrived, evaluation is wrong.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "figure.dpi": 110})
#
# torch.manual_seed(0)
# batches = [5 + 3 * torch.randn(8, 1) for _ in range(60)]
# paths = {}
# for momentum in (0.1, 0.5):
#     layer = BatchNorm1d(1, momentum=momentum)
#     path = [layer.running_mean.item()]
#     for batch in batches:
#         layer(batch)
#         path.append(layer.running_mean.item())
#     paths[momentum] = path
#
# fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
# ax.axhline(5, color="0.5", linewidth=1, linestyle=":")
# means = [batch.mean() for batch in batches]
# ax.plot(range(1, 61), means, ".", color="0.55", markersize=5)
# styles = {  # colour, line, width; a batch, and where its label stands
#     0.1: ("#31688e", "-", 2.5, 11, (16, 2.2)),
#     0.5: ("#8a6400", "--", 1.5, 8, (9.5, 7.2)),
# }
# for momentum, (color, line, width, batch, place) in styles.items():
#     path = paths[momentum]
#     ax.plot(range(61), path, color=color, linestyle=line, linewidth=width)
#     ax.annotate(f"momentum {momentum}", (batch, path[batch]), place, color=color,
#                 va="center", arrowprops={"arrowstyle": "-", "color": color})
# ax.annotate("mean of the feature: 5", (60, 5), (4, 0), textcoords="offset points",
#             color="0.3", va="center", annotation_clip=False)
# ax.set(xlim=(0, 60), ylim=(-0.3, 8.3), xlabel="Batches seen", ylabel="Running mean")
# ax.set_title("The running mean for two momenta; dots are the means of the batches")
# ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ### Picture: what evaluation changes
#
# The same example, a 7, is put in twelve batches, each time with seven other
# examples. In training its output depends on the company that it is in: among
# large numbers a 7 is small, among small ones it is large. In evaluation mean
# and variance stand fixed, and a 7 always gives the same: about
# (7 - 5) / 3 = 0.67, since the feature has mean 5 and standard deviation 3.

# %% tags=["active-ipynb"]
# torch.manual_seed(1)
# layer = BatchNorm1d(1)
# for _ in range(200):
#     layer(5 + 3 * torch.randn(64, 1))  # until it knows the feature
# batches = [5 + 3 * torch.randn(8, 1) for _ in range(12)]
# for batch in batches:
#     batch[0] = 7
# layer.training = False
# evaluation = [layer(batch)[0].item() for batch in batches]
# layer.training = True
# training = [layer(batch)[0].item() for batch in batches]
#
# fig, ax = plt.subplots(figsize=(8, 2.8), layout="constrained")
# numbers = range(1, 13)
# ax.plot(numbers, training, "o", color="#8a6400", label="training")
# ax.plot(numbers, evaluation, "s-", markersize=4, color="#31688e", label="evaluation")
# ax.set_xticks(numbers)
# ax.set(xlabel="Batch number", ylabel="Output for the 7")
# ax.set_title("One example in twelve batches")
# ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
# ax.spines[["top", "right"]].set_visible(False)
# plt.show()

# %% [markdown]
# ## Exercise 2: LayerNorm1d
#
# Now each example is normalised by itself, over its own features:
#
#     y = gamma * (x - mean) / sqrt(var + eps) + beta
# <!-- $$ y = \gamma \, \frac{x - \text{mean}}{\sqrt{\text{var} + \varepsilon}} + \beta $$ -->
#
# The formula is the same, but `mean` and `var` have one number for each
# **row**. To be subtracted from the rows they must stand in a column of shape
# `(N, 1)`; `keepdim=True` keeps them so. A plain row of N numbers would be
# laid along the features, which fails, or if N equals dim gives something
# wrong without a word. `gamma` and `beta` still have one number for each
# feature, shape `(dim,)`, and come in after the normalisation. `eps` may be 0.
#
# No example needs another one. So there is nothing to remember: no running
# averages, no momentum, and training and evaluation are the same. A single
# example will do (N = 1), but it needs two features or more.
#
# Shapes: `x (N, dim)` gives `(N, dim)`.
#
# To check by hand: the row `[1, 2, 3, 4, 5]` has the mean 3 and the variance
# 10/4 = 2.5, and becomes `[-1.2649, -0.6325, 0, 0.6325, 1.2649]`. With
# `gamma = [1, 1, 1, 1, 10]` the last number is 12.6491.
#
# For the `x` of random numbers in exercise 1, example 0 of the output has the
# mean 0 and the standard deviation 1. Feature 0 is a column, and is not
# normalised: it has 0.1469 and 0.8803.


# %%
class LayerNorm1d:
    """Normalise each example over its own features.

    x: (N, dim). Returns (N, dim). Ba, Kiros and Hinton 2016, but with the
    unbiased variance.
    """

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        # TODO: keep eps; make gamma and beta.
        ### BEGIN SOLUTION
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        ### END SOLUTION

    def __call__(self, x: Tensor) -> Tensor:
        # TODO: mean and variance of each row, normalise, apply gamma and beta.
        ### BEGIN SOLUTION
        mean = x.mean(dim=1, keepdim=True)  # (N, 1)
        var = x.var(dim=1, keepdim=True)  # divides by dim - 1
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta
        ### END SOLUTION

    def parameters(self) -> list[Tensor]:
        """What training changes: [gamma, beta]."""
        # TODO: return the list.
        ### BEGIN SOLUTION
        return [self.gamma, self.beta]
        ### END SOLUTION


# %% tags=["active-ipynb"]
# layer = LayerNorm1d(5)
# x = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8222, 10]])
# before = x.clone()
# output = layer(x)
# assert output.shape == (2, 5), "expected the shape of x, (2, 5)"
# assert torch.equal(x, before), "expected x to stay as it was"
# assert output.sum(dim=1).abs().max() < 1e-4, "expected rows that add up to 0"
# expected = torch.tensor([-1.2649, -0.6325, 0, 0.6325, 1.2649])
# assert torch.allclose(output[0], expected, atol=1e-4), "expected a row from -1.2649 to 1.2649"
# layer.gamma.data[4] = 10
# assert abs(layer(x)[0, 4].item() - 12.6491) < 1e-3, "expected 12.6491 with gamma[4] = 10"
# print("LayerNorm1d: the visible checks of this cell pass")

# %% [markdown]
# ### PyTorch's own layers on the same tensor
#
# Two tokens of five features, one of which is far too large:
#
#     [ 1  2  3     4   5 ]
#     [ 5  6  7  8222  10 ]
#
# `nn.LayerNorm(5)` normalises the rows, and each adds up to 0; the columns add
# up to anything. In row 1 the 8222 pushes the other four together, but row 0
# is not touched by it:
#
#     [ -1.4142  -0.7071   0.0000  0.7071   1.4142 ]     sum 0
#     [ -0.5006  -0.5003  -0.5000  2.0000  -0.4991 ]     sum 0
#       -1.9148  -1.2074  -0.5000  2.7071   0.9151       sums of the columns
#
# `nn.BatchNorm1d(5)` normalises the columns, and each of these adds up to 0.
# Of two numbers one is above their mean and one is as far below it, so that
# the result is always -1 and 1, however far apart they were:
#
#     [ -1.0000  -1.0000  -1.0000  -1.0000  -1.0000 ]     sum -5.0000
#     [  1.0000   1.0000   1.0000   1.0000   1.0000 ]     sum  5.0000
#
# What each token was like has gone: token 0 has become -1 because token 1 is
# larger. This is why attention layers use LayerNorm. A token should hear of
# another one through attention, where the mask has its say, and not by the way
# through a mean.
#
# Yours are smaller, since you divide by n - 1: by sqrt(4 / 5) = 0.8944 with
# five features, and by sqrt(1 / 2) = 0.7071 with two examples. With 100
# features the difference is half a percent.

# %% tags=["active-ipynb"]
# from torch import nn
#
# tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8222, 10]])
# layers = {
#     "nn.LayerNorm": nn.LayerNorm(5),
#     "LayerNorm1d": LayerNorm1d(5),
#     "nn.BatchNorm1d": nn.BatchNorm1d(5),
#     "BatchNorm1d": BatchNorm1d(5),
# }
# for name, layer in layers.items():
#     with torch.no_grad():
#         token_0 = layer(tokens)[0].tolist()
#     print(f"token 0 by {name:14}", *(f"{number:7.4f}" for number in token_0))

# %% [markdown]
# ### Picture: rows or columns
#
# One tensor, normalised by both of your layers. At the right of each table
# stand the means of its rows, below it those of its columns; the means that a
# layer has made 0 stand in a frame. Red is negative, blue is positive.
#
# On the left, feature 3 is large in all examples, and example 2 is larger than
# the others. In the middle, by rows, feature 3 is still the largest number of
# every example, but example 2 does not stand out any more. On the right, by
# columns, it is the other way round: feature 3 is a feature like any other,
# and example 2 is still above the rest.

# %% tags=["active-ipynb"]
# def table_with_means(ax, table, title, high):
#     """Draw a matrix with its values, at its sides the means of rows and columns."""
#     picture = ax.imshow(table, cmap="RdBu", vmin=-high, vmax=high, aspect="auto")
#     for i, row in enumerate(table.tolist()):
#         for j, value in enumerate(row):
#             red, green, blue, _ = picture.cmap(picture.norm(value))
#             ink = "black" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "white"
#             ax.text(j, i, f"{value:.2f}", ha="center", va="center", color=ink)
#     rows, columns = table.shape
#     right, below = columns + 0.1, rows + 0.1
#     beside = [(right, i) for i in range(rows)]
#     under = [(j, below) for j in range(columns)]
#     for dim, places in ((1, beside), (0, under)):
#         means = table.mean(dim=dim)
#         is_zero = bool((means.abs() < 1e-5).all())
#         box = {"facecolor": "none", "boxstyle": "round,pad=0.2"} if is_zero else None
#         for (x, y), mean in zip(places, means.tolist(), strict=True):
#             text = "0.00" if is_zero else f"{mean:.2f}"
#             ax.text(x, y, text, ha="center", va="center", bbox=box)
#     ax.set(xlim=(-0.5, right + 0.6), ylim=(below + 0.6, -0.5))
#     ax.set_xticks([*range(columns), right], [*range(columns), "mean"])
#     ax.set_yticks([*range(rows), below], [*range(rows), "mean"])
#     ax.xaxis.tick_top()
#     ax.xaxis.set_label_position("top")
#     ax.tick_params(length=0)
#     ax.spines[:].set_visible(False)
#     ax.set_title(title, pad=8)
#     ax.set_xlabel("Feature")
#
#
# x = torch.tensor([[1.0, 0, 2, 6], [0, 1, 1, 5], [4, 5, 4, 9], [2, 1, 0, 6]])
# with torch.no_grad():
#     by_rows, by_columns = LayerNorm1d(4)(x), BatchNorm1d(4)(x)
#
# fig, axes = plt.subplots(1, 3, figsize=(10, 3.1), layout="constrained")
# table_with_means(axes[0], x, "x", 9)
# table_with_means(axes[1], by_rows, "LayerNorm1d: every row has mean 0", 2)
# table_with_means(axes[2], by_columns, "BatchNorm1d: every column has mean 0", 2)
# axes[0].set_ylabel("Example")
# plt.show()
