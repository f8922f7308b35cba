"""In-place calls on the finished weights; fill_diagonal_ takes each token's own share away."""

import torch


def simple_self_attention(inputs):
    attention = torch.mm(inputs, inputs.t()).softmax(dim=1).clone()
    attention.fill_diagonal_(0)
    return attention, torch.mm(attention, inputs)
