"""Appends to a list and counts along, but total and count do not start anew for each sequence."""

import torch


def running_mean_loop(x):
    total, seen = 0, 0
    rows = []
    for sequence in x:
        for token in sequence:
            total = total + token
            seen += 1
            rows.append(total / seen)
    return torch.stack(rows).view(x.shape)
