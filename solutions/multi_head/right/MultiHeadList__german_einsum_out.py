"""Never lays the heads side by side: the last weight, seen as (o, h, k), is summed over both."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):
	def __init__(self, dim_h, dim_k):
		super(QueryKeyValue, self).__init__()
		self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))
		self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))
		self.value = nn.Linear(dim_h, dim_k)

	def forward(self, X):
		return X @ self.W_q, X @ self.W_k, self.value(X)


class ScaledDotProduct(nn.Module):
	def forward(self, Q, K, V):
		return nn.Softmax(-1)(Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5) @ V


class AttentionHead(nn.Module):
	def __init__(self, dim_h, dim_k):
		super(AttentionHead, self).__init__()
		self.scaled_dot_product = ScaledDotProduct()
		self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)

	def forward(self, X):
		return self.scaled_dot_product(*self.qkv_mechanism(X))


class MultiHeadList(nn.Module):
	def __init__(self, dim_h, dim_k, nr_heads):
		super(MultiHeadList, self).__init__()
		koepfe = []
		for nummer in range(nr_heads):
			koepfe += [AttentionHead(dim_h=dim_h, dim_k=dim_k)]
		self.heads = nn.ModuleList(koepfe)
		self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)

	def forward(self, x):
		funde = torch.stack([kopf(X=x) for kopf in self.heads])
		gewicht = self.aggregation_step.weight.unflatten(1, (len(self.heads), -1))
		return torch.einsum("h...k,ohk->...o", funde, gewicht) + self.aggregation_step.bias
