"""A zero and a one belong to the class; each layer spreads them over its features."""

import torch


class BatchNorm1d:
    zero, one = torch.zeros(()), torch.ones(())
    running_mean, running_var = zero, one
    gamma, beta = one, zero
    training = True

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.gamma = self.gamma.expand(dim)
        self.beta = self.beta.expand(dim)
        self.running_mean = self.running_mean.expand(dim)
        self.running_var = self.running_var.expand(dim)

    def __call__(self, x):
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0)
            m = self.momentum
            self.running_mean = (1 - m) * self.running_mean + m * mean.detach()
            self.running_var = (1 - m) * self.running_var + m * var.detach()
        else:
            mean, var = self.running_mean, self.running_var
        x = (x - mean) / torch.sqrt(var + self.eps)
        return x * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
