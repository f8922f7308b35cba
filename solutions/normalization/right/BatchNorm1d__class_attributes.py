"""Class attributes hold the defaults; __init__ gives each layer its own."""

import torch


class BatchNorm1d:
    eps = 1e-5
    momentum = 0.1
    training = True
    gamma = None
    beta = None
    running_mean = None
    running_var = None

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        if eps != BatchNorm1d.eps:
            self.eps = eps
        if momentum != BatchNorm1d.momentum:
            self.momentum = momentum
        for name, start in (
            ("gamma", 1.0),
            ("beta", 0.0),
            ("running_mean", 0.0),
            ("running_var", 1.0),
        ):
            setattr(self, name, torch.full((dim,), start))

    def __call__(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0)
            with torch.no_grad():
                self.running_mean = self.running_mean + self.momentum * (mean - self.running_mean)
                self.running_var = self.running_var + self.momentum * (var - self.running_var)
        else:
            mean, var = self.running_mean, self.running_var
        return self.gamma * (x - mean) / (var + self.eps) ** 0.5 + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
