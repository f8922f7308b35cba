"""A decorator adds the skip around each branch: the raw argument goes past what is decorated."""

import torch
from torch.nn import GELU, LayerNorm, Linear, Module, Parameter

def mit_abkuerzung(zweig):
	return lambda self, x: x + zweig(self, x)

class QueryKeyValue(Module):
	def __init__(self, dim_h, dim_k):
		super(QueryKeyValue, self).__init__()
		self.W_q, self.W_k = (Parameter(torch.ones(dim_h, dim_k)) for _ in range(2))
		self.value = Linear(dim_h, dim_k)
	def forward(self, X):
		return X @ self.W_q, X @ self.W_k, self.value(X)

class ScaledDotProduct(Module):
	def forward(self, Q, K, V):
		return torch.softmax(Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5, -1) @ V

class FeedForwardLayer(Module):
	def __init__(self, dim_h, dim_expanded):
		super(FeedForwardLayer, self).__init__()
		self.firstlayer, self.secondlayer = Linear(dim_h, dim_expanded), Linear(dim_expanded, dim_h)
		self.activation = GELU()
	def forward(self, x):
		return self.secondlayer(self.activation(self.firstlayer(x)))

class SimpleAttentionLayer(Module):
	def __init__(self, dim_h, dim_k, dim_expanded):
		super(SimpleAttentionLayer, self).__init__()
		self.ffl = FeedForwardLayer(dim_h, dim_expanded)
		self.layernorm1, self.layernorm2 = [LayerNorm(dim_h) for _ in "12"]
		self.qkv, self.dot_product_attn = QueryKeyValue(dim_h, dim_k), ScaledDotProduct()
		self.aggregation_step = Linear(dim_k, dim_h)

	@mit_abkuerzung
	def umschauen(self, x):
		return self.aggregation_step(self.dot_product_attn(*self.qkv(self.layernorm1(x))))

	nachdenken = mit_abkuerzung(lambda self, x: self.ffl(self.layernorm2(x)))

	def forward(self, x):
		return self.nachdenken(self.umschauen(x))
