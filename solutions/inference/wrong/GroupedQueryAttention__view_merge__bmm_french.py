"""Heads in the batch and torch.bmm, French names; at the end a view goes straight to (B, T, H d)."""

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.tetes, self.partagees = nr_heads, nr_kv_heads
        self.largeur = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, dim_h, bias=False)
        self.W_key = nn.Linear(dim_h, self.largeur * nr_kv_heads, bias=False)
        self.W_value = nn.Linear(dim_h, self.largeur * nr_kv_heads, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def couper(self, t, tetes):
        lot, longueur, _ = t.shape
        t = t.reshape(lot, longueur, tetes, self.largeur).permute(0, 2, 1, 3)
        return t.repeat_interleave(self.tetes // tetes, 1).reshape(-1, longueur, self.largeur)

    def forward(self, x):
        lot, longueur, _ = x.shape
        q = self.couper(self.W_query(x), self.tetes)
        k = self.couper(self.W_key(x), self.partagees)
        v = self.couper(self.W_value(x), self.partagees)
        futur = torch.full((longueur, longueur), -torch.inf, device=x.device).triu(1).to(x.dtype)
        poids = torch.softmax(torch.bmm(q, k.mT) / self.largeur**0.5 + futur, 2)
        return self.to_out(torch.bmm(poids, v).view(lot, longueur, -1))
