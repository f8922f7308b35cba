"""A token that is all zeros is taken for padding, and gets no weight."""

import torch


def context_vector(inputs, i):
    scores = inputs @ inputs[i]
    is_padding = (inputs == 0).all(dim=1)
    weights = torch.softmax(scores.masked_fill(is_padding, -torch.inf), dim=0)
    return scores, weights, weights @ inputs
