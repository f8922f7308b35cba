"""A loop over the tokens: a softmax of the keys in the window of each, put into a row of zeros."""

import torch


def sliding_window_weights(queries, keys, window):
    T, d = queries.shape[-2], queries.shape[-1]
    rows = []
    for i in range(T):
        first = max(0, i + 1 - window)
        near = keys[..., first : i + 1, :]
        scores = (near * queries[..., i : i + 1, :]).sum(dim=-1) / d**0.5
        rows.append(torch.nn.functional.pad(scores.softmax(dim=-1), (first, T - 1 - i)))
    return torch.stack(rows, dim=-2)
