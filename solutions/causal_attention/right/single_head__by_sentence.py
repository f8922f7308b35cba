"""Each sentence by itself, its weights written into a tensor; finite numbers hide the future."""

import torch


def single_head(x, q_proj, k_proj, v_proj):
    B, T, C = x.shape
    q, k, v = q_proj(x), k_proj(x), v_proj(x)
    d = q.shape[-1]
    weights = torch.zeros(B, T, T, dtype=q.dtype, device=x.device)
    for b in range(B):
        s = torch.mm(q[b], k[b].T) / d**0.5
        s = s + torch.triu(
            torch.full((T, T), torch.finfo(s.dtype).min, dtype=s.dtype, device=s.device), 1
        )
        weights[b] = torch.softmax(s, dim=1)
    return weights, torch.einsum("bij,bjd->bid", weights, v)
