"""Plain loops over tokens and features, the softmax by hand with the largest score taken off."""

from torch import Tensor, stack


def context_vector(inputs: Tensor, i: int):
    anfrage = inputs[i]
    punkte = stack([sum(a * b for a, b in zip(wort, anfrage)) for wort in inputs])
    groesster = punkte.max().detach()
    anteile = (punkte - groesster).exp()
    anteile = anteile / anteile.sum()
    mischung = 0 * anfrage
    for anteil, wort in zip(anteile, inputs):
        mischung = mischung + anteil * wort
    return punkte, anteile, mischung
