"""The stable softmax of a NumPy user, in a helper; max without an axis, so one for all rows."""

import torch


def np_softmax(a):
    e = torch.exp(a - torch.max(a))
    return torch.divide(e, torch.sum(e, axis=1, keepdims=True))


def simple_self_attention(inputs):
    attn = np_softmax(torch.matmul(inputs, torch.swapaxes(inputs, 0, 1)))
    return attn, torch.matmul(attn, inputs)
