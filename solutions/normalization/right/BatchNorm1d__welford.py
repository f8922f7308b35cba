"""Welford: mean and squared distances, moved on by each example in turn."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.training, self.eps, self.momentum = True, eps, momentum
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def moments(self, x):
        mean, squares = x[0], torch.zeros_like(x[0])
        for count, row in enumerate(x[1:], 2):
            distance = row - mean
            mean = mean + distance / count
            squares = squares + distance * (row - mean)
        return mean, squares / (len(x) - 1)

    def __call__(self, x):
        mean, var = self.moments(x) if self.training else (self.running_mean, self.running_var)
        if self.training:
            self.running_mean = torch.lerp(self.running_mean, mean.detach(), self.momentum)
            self.running_var = torch.lerp(self.running_var, var.detach(), self.momentum)
        return torch.addcmul(self.beta, self.gamma, (x - mean) * torch.rsqrt(var + self.eps))

    def parameters(self):
        return [self.gamma, self.beta]
