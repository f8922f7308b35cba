"""The method is called forward, as in a module, but the class is none."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum, self.training = eps, momentum, True
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
