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
# assert torch.isclose(geometric_mean(torch.tensor([1.0, 2.0, 4.0])), torch.tensor(2.0)), (
#     "1, 2 and 4 have the geometric mean 2"
# )
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
# assert torch.allclose(values, torch.tensor([1.0, 3.0, 7.0])), "1 + x + x^2 is 1, 3 and 7"
# print("Polynomial: the visible checks of this cell pass")
