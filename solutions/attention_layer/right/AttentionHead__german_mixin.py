"""The forward stands in a mixin, parts are made by setattr: PyTorch registers them as usual."""

import torch
from torch import nn


class QueryKeyValue(nn.Module):

	def __init__(self, dim_h, dim_k):
		super(QueryKeyValue, self).__init__()
		self.W_q = nn.Parameter(torch.ones([dim_h, dim_k]))
		self.W_k = nn.Parameter(torch.ones([dim_h, dim_k]))
		self.value = nn.Linear(dim_h, dim_k)

	def forward(self, X):
		abfrage, schluessel = (torch.einsum("...h,hk->...k", X, W) for W in (self.W_q, self.W_k))
		return abfrage, schluessel, self.value(X)


class ScaledDotProduct(nn.Module):

	def forward(self, Q, K, V):
		logits = torch.inner(Q, K) if Q.dim() == 2 else Q @ K.mT
		return (logits * K.shape[-1] ** -.5).log_softmax(-1).exp() @ V


class Aufmerksam:

	def forward(self, X):
		return self.scaled_dot_product(*self.qkv_mechanism(X))


class AttentionHead(Aufmerksam, nn.Module):

	def __init__(self, dim_h, dim_k):
		nn.Module.__init__(self)
		for name, teil in dict(
			scaled_dot_product=ScaledDotProduct(), qkv_mechanism=QueryKeyValue(dim_h, dim_k)
		).items():
			setattr(self, name, teil)
