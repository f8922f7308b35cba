"""A convolution with T ones over tokens that are padded on the left: prefix sums by another name."""

import torch
import torch.nn.functional as F
from einops import rearrange


def running_mean_loop(x):
    B, T, C = x.size()
    channels = F.pad(rearrange(x, "b t c -> (b c) 1 t"), (T - 1, 0))
    sums = F.conv1d(channels, x.new_ones(1, 1, T))
    means = sums / torch.arange(1, T + 1).to(x)
    return rearrange(means, "(b c) 1 t -> b t c", b=B)
