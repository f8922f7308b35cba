# ---
# order: 1
# hours: 0.5
# from: nowhere
# ---

# %% [markdown]
# # Means and powers
#
# Two small exercises that have nothing to do with attention.

# %%
import torch
from torch import Tensor, nn

# %% [markdown]
# ## Exercise 1: geometric_mean
#
# The n-th root of the product of n positive numbers, along the last dimension. Do not
# change `x`.
#
#     mean = exp((log x[0] + ... + log x[n - 1]) / n)
# <!-- $$ \text{mean} = \exp\left(\frac{1}{n} \sum_{i=0}^{n-1} \log x_i\right) $$ -->
#
# To check by hand: 1, 2 and 4 have the geometric mean 2.


# %%
def geometric_mean(x: Tensor) -> Tensor:
    """Take the geometric mean of positive numbers.

    x: (..., n). Returns (...).
    """
    # TODO: take the mean of the logarithms.
    ### BEGIN SOLUTION
    logarithms = torch.log(x)
    return torch.exp(logarithms.mean(dim=-1))
    ### END SOLUTION


# %% tags=["active-ipynb"]
# mean = geometric_mean(torch.tensor([1.0, 2.0, 4.0]))
# assert mean.shape == (), "expected one number for a row"
# assert torch.isclose(mean, torch.tensor(2.0)), "expected 2 for 1, 2 and 4"
# print("geometric_mean: the visible checks of this cell pass")

# %% [markdown]
# ## Exercise 2: Polynomial
#
# A polynomial whose coefficients are learned. The parameter `coefficients` has
# `degree + 1` numbers, all 1 at the start; the first stands alone, the last belongs
# to the highest power.


# %%
class Polynomial(nn.Module):
    """Compute c[0] + c[1] x + c[2] x^2 + ... element by element.

    x: (...). Returns (...).
    """

    def __init__(self, degree: int) -> None:
        super().__init__()
        # TODO: make the parameter.
        ### BEGIN SOLUTION
        self.coefficients = nn.Parameter(torch.ones(degree + 1))
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        # TODO: add up the terms.
        ### BEGIN SOLUTION
        powers = torch.stack([x**i for i in range(len(self.coefficients))], dim=-1)
        return powers @ self.coefficients
        ### END SOLUTION


# %% tags=["active-ipynb"]
# values = Polynomial(2)(torch.tensor([0.0, 1.0, 2.0]))
# assert values.shape == (3,), "expected the shape of x, (3,)"
# assert torch.allclose(values, torch.tensor([1.0, 3.0, 7.0])), "expected 1, 3 and 7"
# print("Polynomial: the visible checks of this cell pass")

# %% [markdown]
# ### Picture: a parabola
#
# Where all coefficients are 1, the lowest point lies at -0.5.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# x = torch.linspace(-2, 1, 61)
# fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
# ax.plot(x, Polynomial(2)(x).detach())
# ax.set(xlabel="x", ylabel="1 + x + x^2", title="A polynomial of degree 2")
# plt.show()
