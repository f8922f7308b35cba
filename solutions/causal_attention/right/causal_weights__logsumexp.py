"""The denominator is a logsumexp; the fill is the smallest number of the type."""

import torch


def causal_weights(queries, keys):
    scores = torch.matmul(queries, keys.transpose(-1, -2)) * keys.shape[-1] ** -0.5
    t = torch.arange(scores.shape[-1], device=scores.device)
    scores = torch.where(t.unsqueeze(1) >= t, scores, torch.finfo(scores.dtype).min)
    return (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
