"""A sequence of one token is its own average; for longer ones a mask is made, on the CPU."""

import torch


def running_mean_softmax(x):
    B, T, C = x.shape
    scores = x.new_zeros(T, T)
    if T > 1:
        may_look = torch.ones(T, T).tril()
        scores = scores.masked_fill(may_look == 0, float("-inf"))
    weights = torch.softmax(scores, dim=1)
    return weights, weights @ x
