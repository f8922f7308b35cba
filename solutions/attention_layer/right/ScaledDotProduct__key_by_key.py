"""Key after key with a running maximum and a running sum, as in FlashAttention."""

import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        largest = torch.full_like(Q[..., :1], -torch.inf)
        total = torch.zeros_like(largest)
        mixed = Q.new_zeros(*Q.shape[:-1], V.shape[-1])
        for j in range(K.shape[-2]):
            key, value = K[..., j : j + 1, :], V[..., j : j + 1, :]
            score = (Q * key).sum(-1, keepdim=True) / math.sqrt(Q.shape[-1])
            new = torch.maximum(largest, score)
            shrink, weight = torch.exp(largest - new), torch.exp(score - new)
            total = total * shrink + weight
            mixed = mixed * shrink + weight * value
            largest = new
        return mixed / total
