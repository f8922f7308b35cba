"""An nn.Module whose running averages are plain tensors that stay float32 at first."""

import torch
from torch import nn


class BatchNorm1d(nn.Module):
    eps = 1e-5
    momentum = 0.1
    running_mean = None
    running_var = None

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)

    def forward(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0)
            self.running_mean = (
                1 - self.momentum
            ) * self.running_mean + self.momentum * mean.detach()
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var.detach()
        else:
            mean, var = self.running_mean, self.running_var
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta
