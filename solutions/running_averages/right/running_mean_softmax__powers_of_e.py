"""A softmax by hand: e to the power of each score, by the power operator."""

import math

import torch


def running_mean_softmax(x):
    T = x.shape[1]
    scores = x.new_zeros(T, T)
    scores[torch.ones_like(scores).triu(1) > 0] = -math.inf
    powers = math.e**scores
    weights = powers / powers.sum(dim=1, keepdim=True)
    return weights, weights.matmul(x.detach())
