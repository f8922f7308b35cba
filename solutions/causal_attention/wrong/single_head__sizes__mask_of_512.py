"""A table of 512 rows is made once for all calls, and no sequence may be longer."""

import torch

TABLE = torch.full((512, 512), float("-inf")).triu(diagonal=1)


def single_head(x, q_proj, k_proj, v_proj):
    T = x.shape[1]
    q, k, v = q_proj(x), k_proj(x), v_proj(x)
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    scores = scores + TABLE[:T, :T].to(scores)
    weights = scores.softmax(dim=-1)
    return weights, weights @ v
