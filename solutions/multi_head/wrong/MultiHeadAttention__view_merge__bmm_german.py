"""Heads in the batch and torch.bmm, German names; at the end view goes straight to (B, T, H d)."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
	def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=.0, scale_factor=.5):
		super(MultiHeadAttention, self).__init__()
		self.koepfe, self.breite = nr_heads, dim_head
		self.massstab = float(dim_head) ** -scale_factor
		self.to_qkv = nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)
		self.to_out = nn.Linear(nr_heads * dim_head, dim_input)
		self.ausfall = nn.Dropout(dropout_p)
		self.anteile = nn.Softmax(dim=2)

	def nach_koepfen(self, drittel):
		stapel, laenge, _ = drittel.shape
		zerlegt = drittel.view(stapel, laenge, self.koepfe, self.breite).permute(0, 2, 1, 3)
		return zerlegt.contiguous().view(stapel * self.koepfe, laenge, self.breite)

	def forward(self, x):
		stapel, laenge = x.shape[0], x.shape[1]
		alle = self.to_qkv(x)
		ganz = self.koepfe * self.breite
		anfragen = self.nach_koepfen(alle[:, :, :ganz].contiguous())
		schluessel = self.nach_koepfen(alle[:, :, ganz:2 * ganz].contiguous())
		werte = self.nach_koepfen(alle[:, :, 2 * ganz:].contiguous())
		gewichte = self.anteile(self.massstab * torch.bmm(anfragen, schluessel.permute(0, 2, 1)))
		mischung = torch.bmm(self.ausfall(gewichte), werte)
		return self.to_out(mischung.view(stapel, laenge, ganz))
