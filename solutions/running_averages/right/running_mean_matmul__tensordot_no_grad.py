"""The table divided by its row numbers; tensordot makes the product, under no_grad."""

import torch


def running_mean_matmul(x):
    with torch.no_grad():
        size = x.shape[-2]
        rank = torch.arange(size, device=x.device)
        table = (rank[:, None] >= rank).to(x.dtype) / (rank + 1).to(x.dtype)[:, None]
        return table, torch.tensordot(table, x, dims=([1], [1])).transpose(0, 1)
