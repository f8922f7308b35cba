"""The product of matrices written out: all shares of all tokens, and the sum over the tokens."""

import torch


def running_mean_matmul(x):
    t = x.size(1)
    shares = x.new_ones(t, t).tril()
    shares = shares / shares.sum(-1, keepdim=True)
    return shares, (shares[None, :, :, None] * x[:, None]).sum(dim=2)
