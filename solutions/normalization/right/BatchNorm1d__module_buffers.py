"""An nn.Module after all, with parameters and buffers: __call__ and parameters() are inherited."""

import torch
from torch import nn


class BatchNorm1d(nn.Module):
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        self.register_buffer("running_mean", torch.zeros(dim))
        self.register_buffer("running_var", torch.ones(dim))

    def moved(self, old, new):
        return old + self.momentum * (new - old)

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(0), x.var(0)
            self.running_mean = self.moved(self.running_mean, mean.detach())
            self.running_var = self.moved(self.running_var, var.detach())
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta
