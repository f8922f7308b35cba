"""The softmax first, then the mask, then each row is divided by what is left of it."""

import torch


def causal_weights(queries, keys):
    d = keys.shape[-1]
    unmasked = torch.softmax(queries @ keys.mT / d**0.5, dim=-1)
    past = unmasked.tril()
    return past / past.sum(dim=-1, keepdim=True)
