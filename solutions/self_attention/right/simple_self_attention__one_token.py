"""A single token goes another way than several."""

import torch


def simple_self_attention(inputs):
    T = inputs.shape[0]
    if T == 1:
        one = (inputs * 0).sum(1, keepdim=True) + 1
        return one, one * inputs
    scores = torch.einsum("id,jd->ij", inputs, inputs)
    weights = torch.exp(scores - torch.logsumexp(scores, 1, keepdim=True))
    return weights, torch.einsum("ij,jd->id", weights, inputs)
