"""Even eps and momentum are tensors, and as such float32 numbers."""

import torch
from torch import Tensor


class BatchNorm1d:
    def __init__(self, dim: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        self.eps = torch.tensor(eps)
        self.momentum = torch.tensor(momentum)
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)

    def __call__(self, x: Tensor) -> Tensor:
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

    def parameters(self) -> list[Tensor]:
        return [self.gamma, self.beta]
