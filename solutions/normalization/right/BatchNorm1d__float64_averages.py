"""The running averages are float64, and are converted where they are used."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum = eps, momentum
        self.training = True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean = torch.zeros(dim, dtype=torch.float64)
        self.running_var = torch.ones(dim, dtype=torch.float64)

    def __call__(self, x):
        mean, var = self.running_mean.to(x.dtype), self.running_var.to(x.dtype)
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0)
            for kept, new in ((self.running_mean, mean), (self.running_var, var)):
                kept += self.momentum * (new.detach() - kept)
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
