"""The variance is at least a thousandth."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum, self.training = eps, momentum, True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0)
            with torch.no_grad():
                self.running_mean = torch.lerp(self.running_mean, mean, self.momentum)
                self.running_var = torch.lerp(self.running_var, var, self.momentum)
        return self.gamma * (x - mean) / torch.sqrt(var.clamp(min=1e-3) + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
