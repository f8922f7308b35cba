"""The running averages are attributes of the class: a second layer takes over those of the first."""

import torch


class BatchNorm1d:
    running_mean = None
    running_var = None

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        BatchNorm1d.running_mean = torch.zeros(dim)
        BatchNorm1d.running_var = torch.ones(dim)

    def __call__(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0)
            with torch.no_grad():
                old = 1 - self.momentum
                BatchNorm1d.running_mean = old * self.running_mean + self.momentum * mean
                BatchNorm1d.running_var = old * self.running_var + self.momentum * var
        else:
            mean, var = self.running_mean, self.running_var
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
