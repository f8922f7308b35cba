"""eps is a class attribute that a layer overwrites; so are gamma and beta."""

import torch
from torch import Tensor


class LayerNorm1d:
    eps: float = 1e-5
    gamma: Tensor = torch.tensor(1.0)
    beta: Tensor = torch.tensor(0.0)

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        self.eps = eps
        self.gamma = self.gamma.repeat(dim)
        self.beta = self.beta.repeat(dim)

    def __call__(self, x: Tensor) -> Tensor:
        var, mean = torch.var_mean(x, dim=-1, keepdim=True)
        return (x - mean) * (var + self.eps).rsqrt() * self.gamma + self.beta

    def parameters(self) -> list[Tensor]:
        return [self.gamma, self.beta]
