"""Queries and keys are each divided by the fourth root; a finite fill of the type's own least."""

import torch


def causal_weights(queries, keys):
    *_, T, d = queries.shape
    scores = torch.matmul(queries / d**0.25, (keys / d**0.25).transpose(-1, -2))
    index = torch.arange(T, device=queries.device)
    scores = scores.where(index[:, None] >= index[None], torch.finfo(scores.dtype).min)
    return scores.softmax(-1)
