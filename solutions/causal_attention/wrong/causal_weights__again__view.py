"""Joins the dimensions in front by view, which sequences that are laid out otherwise do not bear."""

import math

import torch


def causal_weights(queries, keys):
    *front, T, d = queries.shape
    joined = [x.view(math.prod(front), T, d) for x in (queries, keys)]
    scores = joined[0] @ joined[1].mT / math.sqrt(d)
    later = torch.ones(T, T, dtype=torch.bool, device=queries.device).triu(1)
    return scores.masked_fill(later, -math.inf).softmax(-1).reshape(*front, T, T)
