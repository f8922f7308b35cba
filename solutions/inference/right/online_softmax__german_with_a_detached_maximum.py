"""The largest score is cut off from the gradient, which it does not change; German names."""

import torch


def online_softmax(queries, keys, values, block):
    breite = queries.shape[-1]
    hoechstes = summe = ergebnis = None
    anfang = 0
    while anfang < keys.shape[-2]:
        teil = slice(anfang, anfang + block)
        punkte = queries @ keys[..., teil, :].transpose(-1, -2) / breite**0.5
        neues = punkte.detach().amax(-1, keepdim=True)
        if hoechstes is not None:
            neues = torch.maximum(neues, hoechstes)
        potenzen = (punkte - neues).exp()
        if hoechstes is None:
            summe = potenzen.sum(-1, keepdim=True)
            ergebnis = potenzen @ values[..., teil, :]
        else:
            faktor = (hoechstes - neues).exp()
            summe = summe * faktor + potenzen.sum(-1, keepdim=True)
            ergebnis = ergebnis * faktor + potenzen @ values[..., teil, :]
        hoechstes = neues
        anfang += block
    return ergebnis / summe, (hoechstes + summe.log()).squeeze(-1)
