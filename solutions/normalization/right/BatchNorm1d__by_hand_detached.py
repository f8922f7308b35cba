"""Mean and variance by hand, rsqrt, and detached copies where others write no_grad."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum, self.training = eps, momentum, True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def _moments(self, x):
        if not self.training:
            return self.running_mean, self.running_var
        mean = x.sum(0) / len(x)
        return mean, ((x - mean) ** 2).sum(0) / (len(x) - 1)

    def _remember(self, mean, var):
        self.running_mean = self.running_mean - self.momentum * (self.running_mean - mean)
        self.running_var = self.running_var - self.momentum * (self.running_var - var)

    def __call__(self, x):
        mean, var = self._moments(x)
        if self.training:
            self._remember(mean.detach(), var.detach())
        return (x - mean) * torch.rsqrt(var + self.eps) * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
