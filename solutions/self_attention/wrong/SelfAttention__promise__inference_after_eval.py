"""In evaluation everything is computed without gradients, as is usual around a model."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            scores = (x @ self.W_query) @ (x @ self.W_key).T / math.sqrt(self.W_key.shape[1])
            return torch.softmax(scores, dim=-1) @ (x @ self.W_value)
