"""An nn.Module with forward that keeps plain tensors and lists gamma and beta itself."""

import torch
from torch import nn


class BatchNorm1d(nn.Module):
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var, m = x.mean(0), x.var(0), self.momentum
            with torch.no_grad():
                self.running_mean = (1 - m) * self.running_mean + m * mean
                self.running_var = (1 - m) * self.running_var + m * var
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
