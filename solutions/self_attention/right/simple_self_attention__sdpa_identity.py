"""PyTorch's own attention: the identity as values gives the weights, scale=1 leaves the scores."""

import torch
import torch.nn.functional as F


def simple_self_attention(inputs):
    eye = torch.eye(len(inputs), dtype=inputs.dtype, device=inputs.device)
    x = inputs[None]
    weights = F.scaled_dot_product_attention(x, x, eye[None], scale=1.0)[0]
    return weights, weights @ inputs
