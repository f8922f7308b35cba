"""Ellipsis einsum for all products, the softmax by hand, German names, add_module."""

import torch
import torch.nn as nn


class SelfAttentionV2(nn.Module):
    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False):
        super().__init__()
        for name in ["W_query", "W_key", "W_value"]:
            self.add_module(name, nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias))
        self._wurzel = d_out**0.5

    def forward(self, x):
        frage, antwort, wert = self.W_query(x), self.W_key(x), self.W_value(x)
        punkte = torch.einsum("...qd,...kd->...qk", frage, antwort) / self._wurzel
        punkte = punkte - punkte.max(-1, keepdim=True).values.detach()
        gewicht = punkte.exp()
        return torch.einsum("...qk,...kd->...qd", gewicht / gewicht.sum(-1, keepdim=True), wert)
