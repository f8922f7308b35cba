"""German names, tabs; (x W_q)(x W_k)^T is x (W_q W_k^T) x^T; mixed first, turned to values then."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):

	def __init__(self, d_in, d_out):
		super().__init__()
		zufall = lambda: nn.Parameter(torch.rand(d_in, d_out))
		self.W_query, self.W_key, self.W_value = zufall(), zufall(), zufall()

	def forward(self, x):
		mass = self.W_query @ self.W_key.T / math.sqrt(self.W_key.shape[1])
		punkte = torch.linalg.multi_dot([x, mass, x.T])
		return (torch.softmax(punkte, -1) @ x) @ self.W_value
