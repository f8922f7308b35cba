"""One additive mask for all blocks, not saved; a single token and a single sequence go their way."""

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


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(width, 3 * width, bias=False)
        self.to_out = nn.Linear(width, width)

    def forward(self, x, mask):
        q, k, v = self.to_qkv(x).chunk(3, dim=-1)
        if x.shape[-2] == 1:  # nothing to choose from
            return self.to_out(v)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(-3, -2) for t in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5 + mask
        return self.to_out((scores.softmax(dim=-1) @ v).transpose(-3, -2).flatten(-2))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ffl = FeedForwardLayer(width, 4 * width)

    def forward(self, x, mask):
        x = x + self.attn(self.ln1(x), mask)
        return x + self.ffl(self.ln2(x))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)
        hidden = torch.ones(block_size, block_size).triu(1) * -1e9
        self.register_buffer("mask", hidden, persistent=False)

    def forward(self, idx):
        if len(idx) == 1:
            return self.logits(idx[0])[None]
        return self.logits(idx)

    def logits(self, idx):
        T = idx.shape[-1]
        x = self.token_embedding(idx) + self.position_embedding.weight[:T]
        for block in self.blocks:
            x = block(x, self.mask[:T, :T])
        return self.head(self.ln_f(x))
