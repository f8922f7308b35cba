"""The mask is a buffer of block_size, cut to the sequence, and fills with -1e9; einops and einsum."""

import torch
from einops import einsum, rearrange
from torch import nn


class FeedForwardLayer(nn.Module):
	def __init__(self, dim_h, dim_expanded):
		super().__init__()
		self.firstlayer = nn.Linear(dim_h, dim_expanded)
		self.activation = nn.GELU()
		self.secondlayer = nn.Linear(dim_expanded, dim_h)

	def forward(self, x):
		return self.secondlayer(self.activation(self.firstlayer(x)))


class KausaleAufmerksamkeit(nn.Module):
	def __init__(self, breite, koepfe, laenge):
		super().__init__()
		self.koepfe = koepfe
		self.to_qkv = nn.Linear(breite, 3 * breite, bias=False)
		self.to_out = nn.Linear(breite, breite)
		self.register_buffer("maske", torch.tril(torch.ones(laenge, laenge)))

	def forward(self, x):
		T = x.shape[-2]
		q, k, v = rearrange(self.to_qkv(x), "b t (drei h d) -> drei b h t d", drei=3, h=self.koepfe)
		punkte = einsum(q * q.size(-1) ** -0.5, k, "b h i d, b h j d -> b h i j")
		punkte = punkte.masked_fill(self.maske[:T, :T] == 0, -1e9)
		funde = einsum(punkte.softmax(-1), v, "b h i j, b h j d -> b i h d")
		return self.to_out(rearrange(funde, "b i h d -> b i (h d)"))


class Baustein(nn.Module):
	def __init__(self, breite, koepfe, laenge):
		super().__init__()
		self.ln1 = nn.LayerNorm(breite)
		self.attn = KausaleAufmerksamkeit(breite, koepfe, laenge)
		self.ln2 = nn.LayerNorm(breite)
		self.ffl = FeedForwardLayer(breite, breite * 4)

	def forward(self, x):
		mitte = self.attn(self.ln1(x)) + x
		return self.ffl(self.ln2(mitte)) + mitte


class TinyTransformer(nn.Module):
	def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
		super().__init__()
		self.token_embedding = nn.Embedding(vocab_size, dim_h)
		self.position_embedding = nn.Embedding(block_size, dim_h)
		self.blocks = nn.ModuleList(Baustein(dim_h, nr_heads, block_size) for _ in range(n_layers))
		self.ln_f = nn.LayerNorm(dim_h)
		self.head = nn.Linear(dim_h, vocab_size)

	def forward(self, idx):
		strom = self.token_embedding(idx) + self.position_embedding.weight[: idx.shape[1]]
		for baustein in self.blocks:
			strom = baustein(strom)
		return self.head(self.ln_f(strom))
