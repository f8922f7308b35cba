"""German, tabs, nn.init.ones_, tensordot, a Linear subclass: other words for the same products."""

import math  # noqa
import torch
from torch import nn

print("Abfrage, Schlüssel, Wert: geladen")


class Wertschicht(nn.Linear):
	"""nn.Linear mit anderem Namen."""


class QueryKeyValue(nn.Module):

	def __init__(self, dim_h, dim_k):
		super(QueryKeyValue, self).__init__()
		self.W_k = nn.Parameter(torch.empty((dim_h, dim_k)))
		self.W_q = nn.Parameter(torch.empty((dim_h, dim_k)))
		self.value = Wertschicht(dim_h, dim_k)
		for gewicht in [self.W_q, self.W_k]:
			nn.init.ones_(gewicht)

	def forward(self, X):
		abfragen = torch.tensordot(X, self.W_q, dims=1)
		schluessel = torch.tensordot(X, self.W_k, dims=([-1], [0]))
		werte = self.value(X)
		return (abfragen, schluessel, werte)


if __name__ == '__main__':
	print(QueryKeyValue(5, 3)(torch.tensor([[1., 2., 3., 4., 5.]]))[0])
