"""A loop over heads, each with its slices of the weights: a block product is a sum of blocks."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
	def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=.0, scale_factor=.5):
		super(MultiHeadAttention, self).__init__()
		self.anzahl, self.breite = nr_heads, dim_head
		self.faktor = pow(dim_head, -scale_factor)
		self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
		self.to_out = nn.Linear(nr_heads * dim_head, dim_input, bias=True)
		self.verlust = nn.Dropout(dropout_p)

	def scheibe(self, drittel, kopf):
		anfang = (drittel * self.anzahl + kopf) * self.breite
		return self.to_qkv.weight.narrow(0, anfang, self.breite)

	def forward(self, x):
		summe = torch.zeros_like(x)
		for kopf in range(self.anzahl):
			q, k, v = (F.linear(x, self.scheibe(drittel, kopf)) for drittel in (0, 1, 2))
			gewichte = self.verlust(F.softmax(self.faktor * q @ k.transpose(1, 2), dim=2))
			aus = self.to_out.weight.narrow(1, kopf * self.breite, self.breite)
			summe = summe + F.linear(gewichte @ v, aus)
		return summe + self.to_out.bias
