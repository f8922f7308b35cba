"""Views of a contiguous copy, and batched products."""

import torch


def single_head(x, q_proj, k_proj, v_proj):
    B, T, C = x.shape
    flat = x.contiguous().view(B * T, C)
    q, k, v = (p(flat).view(B, T, -1) for p in (q_proj, k_proj, v_proj))
    scores = torch.bmm(q, k.transpose(1, 2)) / q.size(2) ** 0.5
    scores = scores.masked_fill(torch.tril(torch.ones(T, T, device=x.device)) == 0, -1e9)
    w = torch.softmax(scores, 2)
    return w, torch.bmm(w, v)
