"""One long forward over blocks that only hold parts; scores are scaled by x.size(-1)."""

import torch
import torch.nn.functional as F
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return F.linear(F.gelu(self.firstlayer(x)), self.secondlayer.weight, self.secondlayer.bias)


class Parts(nn.Module):
    def __init__(self, **parts):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


def make_block(d):
    return Parts(
        ln1=nn.LayerNorm(d),
        attn=Parts(to_qkv=nn.Linear(d, 3 * d, bias=False), to_out=nn.Linear(d, d)),
        ln2=nn.LayerNorm(d),
        ffl=FeedForwardLayer(d, 4 * d),
    )


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.h = nr_heads
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([make_block(dim_h) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        n = idx.size(1)
        i = torch.arange(n, device=idx.device)
        hidden = i > i.unsqueeze(1)
        x = self.token_embedding(idx) + self.position_embedding(i)
        for b in self.blocks:
            z = b.ln1(x)
            q, k, v = b.attn.to_qkv(z).unflatten(2, (3, self.h, -1)).unbind(2)
            s = torch.einsum("bqhd,bkhd->bhqk", q, k).mul(x.size(-1) ** -0.5)
            p = F.softmax(s.masked_fill(hidden, float("-inf")), dim=3)
            x = x + b.attn.to_out(torch.einsum("bhqk,bkhd->bqhd", p, v).flatten(2))
            x = x + b.ffl(b.ln2(x))
        return self.head(self.ln_f(x))
