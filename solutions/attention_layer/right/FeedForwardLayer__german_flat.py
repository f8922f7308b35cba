"""Folds all tokens into one matrix and unfolds them: every token passes alone, so order is kept."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):

	def __init__(self, dim_h, dim_expanded=None):
		super(FeedForwardLayer, self).__init__()
		if dim_expanded is None:
			dim_expanded = 4 * dim_h
		self.firstlayer = nn.Linear(dim_h, dim_expanded)
		self.secondlayer = nn.Linear(dim_expanded, dim_h)
		self.activation = nn.GELU('none')

	def forward(self, x):
		form = x.shape
		flach = x.contiguous().view(-1, form[-1])
		erste, zweite = self.firstlayer, self.secondlayer
		verborgen = torch.addmm(erste.bias, flach, erste.weight.t())
		verborgen = self.activation(verborgen)
		return torch.addmm(zweite.bias, verborgen, zweite.weight.t()).view(form)
