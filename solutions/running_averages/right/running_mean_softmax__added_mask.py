"""The mask is a sum: the logarithm of a triangle is 0 where one may look, and -inf elsewhere."""

import torch


def masked(scores):
    return scores + torch.ones_like(scores).tril().log()


def running_mean_softmax(x):
    scores = x.new_zeros(x.shape[1], x.shape[1])
    weights = torch.nn.functional.softmin(-masked(scores), dim=-1)
    return (weights, x.mT.matmul(weights.mT).mT)
