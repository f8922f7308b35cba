"""The module of a well-known tutorial, with the standard deviation, to which it adds eps."""

import torch
import torch.nn as nn


class LayerNorm1d(nn.Module):
    def __init__(self, features, eps=1e-5):
        super(LayerNorm1d, self).__init__()
        self.gamma = nn.Parameter(torch.ones(features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta
