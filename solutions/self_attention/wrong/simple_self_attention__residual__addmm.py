"""The skip connection of a transformer block comes along: addmm adds the tokens themselves."""

import torch
from torch import nn


def simple_self_attention(inputs):
    softmax = nn.Softmax(dim=-1)
    attn = softmax(torch.inner(inputs, inputs))
    return attn, torch.addmm(inputs, attn, inputs)
