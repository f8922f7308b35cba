"""An nn.Module with buffers moved in place, where momentum is the share of the old, as in Keras."""

import torch
from torch import nn


class BatchNorm1d(nn.Module):
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        self.register_buffer("running_mean", torch.zeros(dim))
        self.register_buffer("running_var", torch.ones(dim))

    @torch.no_grad()
    def _track(self, mu, sigma2):
        self.running_mean.mul_(self.momentum).add_((1 - self.momentum) * mu)
        self.running_var.mul_(self.momentum).add_((1 - self.momentum) * sigma2)

    def forward(self, x):
        if not self.training:
            return self._scale(x, self.running_mean, self.running_var)
        sigma2, mu = torch.var_mean(x, 0)
        self._track(mu, sigma2)
        return self._scale(x, mu, sigma2)

    def _scale(self, x, mu, sigma2):
        return (x - mu) * torch.rsqrt(sigma2 + self.eps) * self.gamma + self.beta
