"""eps and momentum are class attributes that __init__ does not overwrite."""

import torch


class BatchNorm1d:
    eps = 1e-5
    momentum = 0.1
    training = True

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var, m = x.mean(0), x.var(0), self.momentum
            self.running_mean = self.running_mean + m * (mean.detach() - self.running_mean)
            self.running_var = self.running_var + m * (var.detach() - self.running_var)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
