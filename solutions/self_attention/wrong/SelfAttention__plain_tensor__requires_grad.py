"""Tensors made by requires_grad=True as in an autograd tutorial, with no nn.Parameter."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_out**-0.5
        self.W_query = torch.rand(d_in, d_out, requires_grad=True)
        self.W_key = torch.rand(d_in, d_out, requires_grad=True)
        self.W_value = torch.rand(d_in, d_out, requires_grad=True)

    def forward(self, x):
        q = torch.matmul(x, self.W_query) * self.scale
        k = torch.matmul(x, self.W_key)
        v = torch.matmul(x, self.W_value)
        return torch.matmul(torch.matmul(q, k.t()).softmax(dim=1), v)
