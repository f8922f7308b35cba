"""Token by token, as a model writes text: keys and values pile up, the newest token asks."""

import torch


def single_head(x, q_proj, k_proj, v_proj):
    B, T, _ = x.shape
    weights, out = [], []
    keys = values = None
    for t in range(T):
        now = x[:, t : t + 1]
        keys = k_proj(now) if keys is None else torch.cat([keys, k_proj(now)], 1)
        values = v_proj(now) if values is None else torch.cat([values, v_proj(now)], 1)
        share = (q_proj(now) @ keys.mT / keys.shape[-1] ** 0.5).softmax(-1)
        out.append(share @ values)
        weights.append(torch.cat([share, share.new_zeros(B, 1, T - 1 - t)], 2))
    return torch.cat(weights, 1), torch.cat(out, 1)
