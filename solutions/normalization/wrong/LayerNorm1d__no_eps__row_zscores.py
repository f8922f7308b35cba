"""Row by row in a comprehension, each number's z-score with std() and no eps at all."""

import torch


class LayerNorm1d:
    def __init__(self, dim, eps=1e-5):
        self.eps = eps
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)

    def zscore(self, row):
        return (row - row.mean()) / row.std()

    def __call__(self, x):
        return torch.stack([self.zscore(row) * self.gamma + self.beta for row in x])

    def parameters(self):
        return [self.gamma, self.beta]
