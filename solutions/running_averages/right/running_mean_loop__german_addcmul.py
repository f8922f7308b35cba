"""In place, but on tensors of its own: token i is added to all averages from i on, by its share."""

import torch


def running_mean_loop(x, /):
	anzahl_tokens = x.shape[-2]
	mittelwerte = torch.zeros_like(x)
	anteile = torch.arange(1, anzahl_tokens + 1, dtype=x.dtype, device=x.device).reciprocal_()
	for i in range(anzahl_tokens):
		anteile_ab_hier = anteile.clone()
		anteile_ab_hier[:i] = 0
		mittelwerte.addcmul_(x[:, i : i + 1], anteile_ab_hier[:, None])
	return mittelwerte
