"""Named omega and alpha as in tutorials, products as einsum; softmax along dimension 0."""

import torch
import torch.nn.functional as F


def simple_self_attention(inputs):
    omega = torch.einsum("id,jd->ij", inputs, inputs)
    alpha = F.softmax(omega, dim=0)
    z = torch.einsum("ij,jd->id", alpha, inputs)
    return alpha, z
