"""Masks after the softmax, and then gives back what the mask took: divided by the rest of the row."""

import torch


def running_mean_softmax(x):
    scores = torch.zeros(x.shape[1], x.shape[1]).to(x)
    weights = torch.softmax(scores, dim=-1).tril()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights, weights @ x
