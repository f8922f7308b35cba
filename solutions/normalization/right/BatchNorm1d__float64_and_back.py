"""Statistics in float64, by squares even, which float64 can afford; back in the type that came."""

import torch


class BatchNorm1d:
    training = True

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps, self.momentum = eps, momentum
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        wide, mean, var = x.double(), self.running_mean.double(), self.running_var.double()
        if self.training:
            mean = wide.mean(0)
            var = (wide - mean).square().sum(0) / (len(wide) - 1)
            for old, new in ((self.running_mean, mean), (self.running_var, var)):
                old.mul_(1 - self.momentum).add_(new.detach().to(old.dtype), alpha=self.momentum)
        out = (wide - mean) / (var + self.eps).sqrt() * self.gamma.double() + self.beta.double()
        return out.to(x.dtype)

    def parameters(self):
        return self.gamma, self.beta
