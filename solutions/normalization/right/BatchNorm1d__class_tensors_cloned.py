"""As before, with buffers of a layer's own, which are updated in place."""

import torch


class Layer:
    training = True
    start = dict(gamma=1.0, beta=0.0, running_mean=0.0, running_var=1.0)
    hyper = {}

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.hyper = {**self.hyper, "eps": eps, "momentum": momentum}
        vars(self).update({name: torch.zeros(dim) + value for name, value in self.start.items()})

    def __getattr__(self, name):
        try:
            return self.hyper[name]
        except KeyError:
            raise AttributeError(name) from None


class BatchNorm1d(Layer):
    def __call__(self, x):
        mean, var = (
            (x.mean(0), x.var(0)) if self.training else (self.running_mean, self.running_var)
        )
        if self.training:
            self.running_mean.mul_(1 - self.momentum).add_(self.momentum * mean.detach())
            self.running_var.mul_(1 - self.momentum).add_(self.momentum * var.detach())
        return torch.addcmul(self.beta, self.gamma, (x - mean) / (var + self.eps).sqrt())

    def parameters(self):
        return [self.gamma, self.beta]
