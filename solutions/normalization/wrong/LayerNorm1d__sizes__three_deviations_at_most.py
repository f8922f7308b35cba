"""No number is further from the mean than three standard deviations."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)

    def __call__(self, x):
        var, mean = torch.var_mean(x, dim=1, keepdim=True)
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised.clamp(-3, 3) + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
