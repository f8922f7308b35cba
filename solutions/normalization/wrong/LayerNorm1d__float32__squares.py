"""The variance as the mean of the squares less the square of the mean."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-05):
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def __call__(self, x):
        mean = x.mean(dim=1, keepdim=True)
        var = ((x * x).mean(dim=1, keepdim=True) - mean * mean) * x.shape[1] / (x.shape[1] - 1)
        normalised = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * normalised + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
