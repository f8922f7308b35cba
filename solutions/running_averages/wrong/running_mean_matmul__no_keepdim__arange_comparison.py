"""Compares positions and multiplies with reciprocals, which lie as a row along the columns."""

import torch


def running_mean_matmul(x):
    pos = torch.arange(x.shape[-2], device=x.device)
    visible = (pos[None, :] <= pos[:, None]).to(x.dtype)
    how_many = visible.sum(-1)
    weights = visible * how_many.reciprocal()
    return weights, torch.matmul(weights, x)
