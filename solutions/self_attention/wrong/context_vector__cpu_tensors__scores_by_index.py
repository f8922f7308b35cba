"""The scores are written one by one into a tensor on the CPU, from which all else is made."""

import torch


def context_vector(inputs, i):
    scores = torch.empty(inputs.shape[0], dtype=inputs.dtype)
    for j, token in enumerate(inputs):
        scores[j] = torch.dot(token, inputs[i])
    weights = torch.softmax(scores, dim=0)
    context = torch.zeros(inputs.shape[1], dtype=inputs.dtype)
    for j, token in enumerate(inputs):
        context += weights[j].item() * token.cpu()
    return scores, weights, context
