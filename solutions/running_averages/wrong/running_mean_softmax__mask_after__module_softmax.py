"""nn.Softmax as an object and a product with tril, which comes after the softmax."""

import torch
import torch.nn as nn


def running_mean_softmax(x):
    B, T, C = x.shape
    softmax = nn.Softmax(dim=-1)
    causal = torch.tril(torch.ones((T, T), device=x.device, dtype=x.dtype))
    attention = softmax(torch.zeros_like(causal)) * causal
    return attention, torch.bmm(attention.expand(B, T, T), x)
