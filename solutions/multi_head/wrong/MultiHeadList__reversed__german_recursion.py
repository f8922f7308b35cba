"""Tabs, German names and a recursion over the heads, which sets the rest in front of the first."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
	def __init__(self, dim_h, dim_k):
		nn.Module.__init__(self)
		self.W_q, self.W_k = (nn.Parameter(torch.ones([dim_h, dim_k])) for _ in "qk")
		self.value = nn.Linear(dim_h, dim_k)

	def forward(self, X):
		return X.matmul(self.W_q), X.matmul(self.W_k), self.value(X)


class ScaledDotProduct(nn.Module):
	def forward(self, Anfragen, Schluessel, Werte):
		wurzel = Schluessel.size(-1) ** 0.5
		punkte = torch.einsum("...ik,...jk->...ij", Anfragen / wurzel, Schluessel)
		return torch.softmax(punkte, -1) @ Werte


class AttentionHead(nn.Module):
	def __init__(self, dim_h, dim_k):
		nn.Module.__init__(self)
		self.scaled_dot_product = ScaledDotProduct()
		self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

	def forward(self, X):
		q, k, v = self.qkv_mechanism(X)
		return self.scaled_dot_product(q, k, v)


class MultiHeadList(nn.Module):
	def __init__(self, dim_h, dim_k, nr_heads):
		nn.Module.__init__(self)
		self.heads = nn.ModuleList()
		for nummer in range(nr_heads):
			self.heads.add_module(str(nummer), AttentionHead(dim_h, dim_k))
		self.aggregation_step = nn.Linear(dim_k * nr_heads, dim_h)

	def nebeneinander(self, x, nummer=0):
		fund = self.heads[nummer](x)
		if nummer + 1 == len(self.heads):
			return fund
		return torch.cat((self.nebeneinander(x, nummer + 1), fund), dim=-1)

	def forward(self, x):
		return self.aggregation_step(self.nebeneinander(x))
