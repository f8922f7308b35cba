"""German names, scores from tensordot; the mixture is gathered key by key with enumerate."""

import torch


def simple_self_attention(inputs):
    punkte = torch.tensordot(inputs, inputs, dims=([1], [1]))
    anteile = torch.nn.functional.softmax(punkte, dim=1)
    mischung = torch.zeros_like(inputs)
    for spalte, wort in enumerate(inputs):
        mischung = mischung + torch.outer(anteile[:, spalte], wort)
    return anteile, mischung
