"""All tokens are asked and one row of each result is handed out: wasteful, and right."""

import torch
from torch import nn


def context_vector(inputs, i):
    every_score = torch.mm(inputs, inputs.t())
    every_weight = nn.Softmax(dim=1)(every_score)
    return tuple(table[i] for table in (every_score, every_weight, every_weight.mm(inputs)))
