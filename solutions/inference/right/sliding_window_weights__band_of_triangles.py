"""The band between two triangles, tril and triu; scores in float32 or finer, scaled first."""

import torch


def sliding_window_weights(queries, keys, window):
    T, d = queries.shape[-2:]
    ones = torch.ones(T, T, device=queries.device)
    band = ones.tril() * ones.triu(1 - window)
    scores = torch.einsum("...id,...jd->...ij", queries * d**-0.5, keys)
    return torch.where(band > 0, scores, float("-inf")).softmax(dim=-1)
