"""The names of the famous video, wei and tril, and its slip: C of the tokens is the one rooted."""

import torch
from torch.nn import functional as F


def single_head(x, q_proj, k_proj, v_proj):
    B, T, C = x.shape
    k = k_proj(x)
    q = q_proj(x)
    wei = q @ k.transpose(-2, -1) * C**-0.5
    tril = torch.tril(torch.ones(T, T, device=x.device))
    wei = wei.masked_fill(tril == 0, float("-inf"))
    wei = F.softmax(wei, dim=-1)
    v = v_proj(x)
    return wei, wei @ v
