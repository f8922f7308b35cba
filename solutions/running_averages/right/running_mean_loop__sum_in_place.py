"""A running sum in a tensor of its own, added to in place, and a generator that divides it."""

import torch


def prefixes(x):
    total = torch.zeros_like(x[:, 0])
    for count, token in enumerate(x.transpose(0, 1), start=1):
        total += token
        yield total.div(count).unsqueeze(1)


running_mean_loop = lambda x: torch.cat(list(prefixes(x)), dim=1)  # noqa: E731
