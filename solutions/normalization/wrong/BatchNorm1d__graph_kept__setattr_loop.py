"""A loop over names moves both statistics with setattr, and nothing stops the gradient."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        for name in ("gamma", "running_var"):
            setattr(self, name, torch.ones(dim))
        for name in ("beta", "running_mean"):
            setattr(self, name, torch.zeros(dim))

    def __call__(self, x):
        stats = {"running_mean": self.running_mean, "running_var": self.running_var}
        if self.training:
            stats = {"running_mean": torch.mean(x, 0), "running_var": torch.var(x, 0)}
            for name, fresh in stats.items():
                kept = (1 - self.momentum) * getattr(self, name)
                setattr(self, name, kept + self.momentum * fresh)
        centred = x - stats["running_mean"]
        return centred / (stats["running_var"] + self.eps).sqrt() * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
