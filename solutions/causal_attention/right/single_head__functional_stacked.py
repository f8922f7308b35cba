"""One product with the stacked weights of the three layers; the mask is a -1e9 that is added."""

import torch
import torch.nn.functional as F


def single_head(x, q_proj, k_proj, v_proj):
    layers = q_proj, k_proj, v_proj
    weight = torch.cat([layer.weight for layer in layers])
    q, k, v = F.linear(x, weight).split([layer.out_features for layer in layers], dim=-1)
    q, k, v = (
        t if layer.bias is None else t + layer.bias
        for t, layer in zip((q, k, v), layers)
    )
    hidden = torch.full((x.shape[1],) * 2, -1e9, dtype=x.dtype, device=x.device).triu(1)
    scores = torch.baddbmm(hidden.expand(len(x), -1, -1), q, k.mT, alpha=q.shape[-1] ** -0.5)
    weights = F.softmax(scores, dim=-1)
    return weights, torch.bmm(weights, v)
