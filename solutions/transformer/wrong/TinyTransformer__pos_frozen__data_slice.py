"""Positions are a slice of the table's weight, taken by .data; additive mask and logsumexp."""

import torch
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.dim_head = dim_h // nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        length = x.size(1)
        split = self.to_qkv(x).unflatten(-1, (3, -1, self.dim_head)).transpose(1, 3)
        q, k, v = split.unbind(2)
        mask = torch.full((length, length), float("-inf"), device=x.device).triu(1)
        scores = (q * self.dim_head**-0.5) @ k.mT + mask.to(x.dtype)
        weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
        return self.to_out((weights @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, x):
        after_attention = self.attn(self.ln1(x)).add(x)
        return self.ffl(self.ln2(after_attention)).add(after_attention)


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        stream = self.token_embedding(idx) + self.position_embedding.weight.data[: idx.size(1)]
        for block in self.blocks:
            stream = block(stream)
        return self.head(self.ln_f(stream))
