"""Softmin of the negative scores is their softmax; root of the root on both sides is the root."""

import torch
from torch import nn
import torch.nn.functional as F
from typing import *


class ScaledDotProduct(nn.Module):

	def __init__(self):
		super(ScaledDotProduct, self).__init__()

	def forward(self, Q, K, V):
		vierte_wurzel = (breite := Q.shape[-1]) ** 0.25
		assert K.shape[-1] == breite, "Abfragen und Schlüssel sind verschieden breit"
		aehnlichkeit = (Q / vierte_wurzel) @ (K / vierte_wurzel).transpose(-2, -1)
		gewichte = F.softmin(-aehnlichkeit, dim=-1)
		return gewichte @ V
