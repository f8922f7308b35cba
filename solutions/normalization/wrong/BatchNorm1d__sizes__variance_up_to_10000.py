"""No variance is larger than 10,000."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum, self.training = eps, momentum, True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0)
            with torch.no_grad():
                self.running_mean = self.running_mean.lerp(mean, self.momentum)
                self.running_var = self.running_var.lerp(var, self.momentum)
        else:
            mean, var = self.running_mean, self.running_var
        var = var.clamp(max=10_000)
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
