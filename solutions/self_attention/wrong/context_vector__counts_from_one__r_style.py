"""Outer products and column sums as a user of R writes them; i counts from one."""

import torch


def context_vector(inputs, i):
    n_tokens, n_features = inputs.shape
    row_i = inputs[i - 1].reshape(1, n_features).expand(n_tokens, n_features)
    s = torch.mul(inputs, row_i).sum(dim=1)
    w = torch.nn.Softmax(dim=0)(s)
    ctx = torch.mul(inputs, w.reshape(n_tokens, 1)).sum(dim=0)
    return s, w, ctx
