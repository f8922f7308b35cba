"""Welford along the features, one column after the other."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps, self.gamma, self.beta = eps, torch.ones(dim), torch.zeros(dim)

    def __call__(self, x):
        mean, squares = torch.zeros_like(x[:, :1]), torch.zeros_like(x[:, :1])
        for count, column in enumerate(x.split(1, dim=1), 1):
            step = column - mean
            mean = mean + step / count
            squares = squares + step * (column - mean)
        spread = (squares / (x.shape[1] - 1) + self.eps) ** 0.5
        return (x - mean) / spread * self.gamma + self.beta

    def parameters(self):
        return [self.gamma, self.beta]
