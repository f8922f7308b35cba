"""The identity, summed up downwards, is the triangle; the results come in a named tuple."""

from typing import NamedTuple

import torch


class Ergebnis(NamedTuple):
	gewichte: torch.Tensor
	mittelwerte: torch.Tensor


def running_mean_matmul(x):
	einheit = torch.eye(x.shape[1], out=None).to(x)
	dreieck = einheit.cumsum(0)
	gewichte = dreieck / dreieck.count_nonzero(dim=-1)[..., None]
	return Ergebnis(gewichte, torch.matmul(gewichte, x))
