"""German names; the buffer holds what is added to the scores, 0 and -inf; dropout in place."""

import torch
from torch import nn, Tensor


class CausalAttention(nn.Module):
    """Ein Kopf, der nur zurückblickt."""

    mask: Tensor

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super(CausalAttention, self).__init__()
        self.W_query, self.W_key, self.W_value = (
            nn.Linear(d_in, d_out, bias=bool(qkv_bias)) for _ in 'abc'
        )
        aufschlag = torch.full((context_length, context_length), float('-inf')).triu(diagonal=1)
        self.register_buffer('mask', aufschlag)
        self.ausfall = nn.Dropout(dropout, inplace=True)

    def forward(self, x):
        laenge = x.size(-2)
        punkte = torch.einsum('bid,bjd->bij', self.W_query(x), self.W_key(x))
        punkte = punkte / self.W_key(x).size(-1) ** .5 + self.mask[:laenge, :laenge]
        gewichte = self.ausfall(punkte.softmax(dim=-1).clone())
        return torch.einsum('bij,bjd->bid', gewichte, self.W_value(x))
