"""An eps of 0 is taken for none given."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps or 1e-5
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)

    def __call__(self, x):
        if self.training:
            mean = x.mean(dim=0)
            var = x.var(dim=0)
            new = self.momentum
            with torch.no_grad():
                self.running_mean = (1 - new) * self.running_mean + new * mean
                self.running_var = (1 - new) * self.running_var + new * var
        else:
            mean = self.running_mean
            var = self.running_var
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
