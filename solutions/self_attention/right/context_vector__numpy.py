"""NumPy from end to end, with the largest score taken off."""

import numpy as np
import torch


def context_vector(inputs, i):
    table = inputs.detach().cpu().numpy()
    scores = table @ table[i]
    shares = np.exp(scores - scores.max())
    shares = shares / shares.sum()
    found = scores, shares, shares @ table
    return tuple(torch.from_numpy(np.ascontiguousarray(part)).to(inputs.device) for part in found)
