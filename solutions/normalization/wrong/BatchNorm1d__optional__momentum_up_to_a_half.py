"""A momentum above 0.5 counts as 0.5."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum, self.training = eps, min(momentum, 0.5), True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0)
            with torch.no_grad():
                m, of = self.momentum, var
                self.running_mean = (1 - m) * self.running_mean + m * mean
                self.running_var = (1 - m) * self.running_var + m * of
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
