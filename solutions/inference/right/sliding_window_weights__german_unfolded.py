"""Only window keys for each query, by unfold, with padding in front; German names."""

import torch


def sliding_window_weights(queries, keys, window):
    laenge, breite = queries.shape[-2:]
    window = min(window, laenge)
    leer = keys.new_zeros(*keys.shape[:-2], window - 1, breite)
    fenster = torch.cat([leer, keys], dim=-2).unfold(-2, window, 1)  # ... T d w
    punkte = (queries.unsqueeze(-2) @ fenster).squeeze(-2) / breite**0.5  # ... T w
    zeile = torch.arange(laenge, device=queries.device)[:, None]
    spalte = zeile + torch.arange(1 - window, 1, device=queries.device)
    anteile = punkte.masked_fill(spalte < 0, -torch.inf).softmax(-1)
    ergebnis = queries.new_zeros(*queries.shape[:-2], laenge, laenge)
    ziele = spalte.clamp(min=0).expand(anteile.shape)
    return ergebnis.scatter_add(-1, ziele, anteile)
