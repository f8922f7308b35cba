"""A loop over the queries, each with all keys: a row of scores at a time, never the table."""

import torch


def online_softmax(queries, keys, values, block):
    averages, logarithms = [], []
    for t in range(queries.shape[-2]):
        query = queries[..., t : t + 1, :]
        scores = (query @ keys.transpose(-2, -1)).squeeze(-2) / queries.shape[-1] ** 0.5
        averages.append((scores.softmax(dim=-1).unsqueeze(-2) @ values).squeeze(-2))
        logarithms.append(scores.logsumexp(dim=-1))
    return torch.stack(averages, dim=-2), torch.stack(logarithms, dim=-1)
