"""Rows turned to columns: what a row may see is what has been added up so far, by logaddexp."""

import torch


def causal_weights(queries, keys):
    scores = torch.einsum("...td,...sd->...ts", queries, keys) / queries.size(-1) ** 0.5
    seen = torch.logcumsumexp(scores, dim=-1).diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    future = torch.triu(torch.ones_like(scores), 1) == 1
    return (scores - seen).masked_fill(future, float("-inf")).exp()
