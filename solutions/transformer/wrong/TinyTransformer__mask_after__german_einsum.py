"""German names, tabs and einsum over heads kept last; the mask multiplies the finished weights."""

import torch
from torch import einsum, nn


class FeedForwardLayer(nn.Module):
	def __init__(self, dim_h, dim_expanded):
		super().__init__()
		self.firstlayer = nn.Linear(dim_h, dim_expanded)
		self.secondlayer = nn.Linear(dim_expanded, dim_h)

	def forward(self, x):
		return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))


class Aufmerksamkeit(nn.Module):
	def __init__(self, breite, koepfe):
		super().__init__()
		self.koepfe = koepfe
		self.to_qkv = nn.Linear(breite, 3 * breite, bias=False)
		self.to_out = nn.Linear(breite, breite)

	def forward(self, x):
		B, T, C = x.shape
		alle = self.to_qkv(x).view(B, T, 3, self.koepfe, C // self.koepfe)
		f, s, w = alle[:, :, 0], alle[:, :, 1], alle[:, :, 2]
		punkte = einsum("bihd,bjhd->bijh", f, s) * (C // self.koepfe) ** -0.5
		gewichte = punkte.softmax(2)
		dreieck = torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))
		gewichte = einsum("bijh,ij->bijh", gewichte, dreieck)
		return self.to_out(einsum("bijh,bjhd->bihd", gewichte, w).reshape(B, T, C))


class Baustein(nn.Module):
	def __init__(self, breite, koepfe):
		super().__init__()
		self.ln1, self.ln2 = nn.LayerNorm(breite), nn.LayerNorm(breite)
		self.attn, self.ffl = Aufmerksamkeit(breite, koepfe), FeedForwardLayer(breite, 4 * breite)

	def forward(self, x):
		mitte = x + self.attn(self.ln1(x))
		return mitte + self.ffl(self.ln2(mitte))


class TinyTransformer(nn.Module):
	def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
		super().__init__()
		self.token_embedding = nn.Embedding(vocab_size, dim_h)
		self.position_embedding = nn.Embedding(block_size, dim_h)
		self.blocks = nn.ModuleList(Baustein(dim_h, nr_heads) for _ in range(n_layers))
		self.ln_f = nn.LayerNorm(dim_h)
		self.head = nn.Linear(dim_h, vocab_size)

	def forward(self, idx):
		strom = self.token_embedding(idx) + self.position_embedding.weight[: idx.shape[1]]
		for baustein in self.blocks:
			strom = baustein(strom)
		return self.head(self.ln_f(strom))
