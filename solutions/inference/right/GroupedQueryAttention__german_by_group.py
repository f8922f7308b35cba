"""A loop over the groups: all queries of a group in one product, stacked along the tokens."""

import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim_h, nr_heads, nr_kv_heads):
        super().__init__()
        self.gruppen = nr_kv_heads
        self.breite = dim_h // nr_heads
        self.W_query = nn.Linear(dim_h, nr_heads * self.breite, bias=False)
        self.W_key = nn.Linear(dim_h, nr_kv_heads * self.breite, bias=False)
        self.W_value = nn.Linear(dim_h, nr_kv_heads * self.breite, bias=False)
        self.to_out = nn.Linear(nr_heads * self.breite, dim_h)

    def forward(self, x):
        stapel, laenge, _ = x.shape
        sperre = torch.ones(laenge, laenge, device=x.device).tril() == 0
        ergebnis = []
        for anfragen, schluessel, werte in zip(
            self.W_query(x).chunk(self.gruppen, -1),
            self.W_key(x).chunk(self.gruppen, -1),
            self.W_value(x).chunk(self.gruppen, -1),
        ):
            koepfe = anfragen.reshape(stapel, laenge, -1, self.breite).transpose(1, 2)  # B r T d
            punkte = koepfe.flatten(1, 2) @ schluessel.transpose(1, 2)  # B rT T
            punkte = punkte.unflatten(1, (-1, laenge)) / self.breite**0.5
            anteile = punkte.masked_fill(sperre, float("-inf")).softmax(-1)
            gemischt = anteile.flatten(1, 2) @ werte
            gemischt = gemischt.unflatten(1, (-1, laenge)).transpose(1, 2)
            ergebnis.append(gemischt.flatten(2))
        return self.to_out(torch.cat(ergebnis, dim=-1))
