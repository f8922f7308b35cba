"""A dataclass with slots, and properties in front of what runs along."""

from dataclasses import dataclass, field

import torch


@dataclass(slots=True)
class BatchNorm1d:
    dim: int
    eps: float = 1e-5
    momentum: float = 0.1
    training: bool = field(default=True, init=False)
    gamma: torch.Tensor = field(init=False)
    beta: torch.Tensor = field(init=False)
    running_mean: torch.Tensor = field(init=False)
    running_var: torch.Tensor = field(init=False)

    def __post_init__(self):
        self.gamma, self.beta = torch.ones(self.dim), torch.zeros(self.dim)
        self.running_mean, self.running_var = torch.zeros(self.dim), torch.ones(self.dim)

    def __call__(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(0), x.var(0)
            with torch.no_grad():
                self.running_mean.lerp_(mean.to(self.running_mean), self.momentum)
                self.running_var.lerp_(var.to(self.running_var), self.momentum)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
