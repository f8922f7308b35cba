"""An einsum for the product, whose letters run over the rows of the table, not its columns."""

import torch


def running_mean_matmul(x):
    _, n, _ = x.shape
    counts = torch.arange(1, n + 1, dtype=x.dtype, device=x.device)
    att = x.new_ones(n, n).tril_() / counts.unsqueeze(1)
    return att, torch.einsum("ij,bid->bjd", att, x)
