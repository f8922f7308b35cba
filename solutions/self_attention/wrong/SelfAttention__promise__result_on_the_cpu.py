"""Each context vector is copied to the CPU before they are stacked."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys, values = x @ self.W_key, x @ self.W_value
        contexts = []
        for token in x:
            scores = keys @ (token @ self.W_query) / keys.shape[1] ** 0.5
            contexts.append((torch.softmax(scores, dim=0) @ values).cpu())
        return torch.stack(contexts)
