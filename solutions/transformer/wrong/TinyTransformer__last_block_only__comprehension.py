"""Comprehensions in place of loops; each block of the list is given the embeddings."""

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
        self.sizes = [dim_h // nr_heads] * nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        future = torch.ones(x.shape[1], x.shape[1], device=x.device).triu(1) > 0
        thirds = [torch.stack(t.split(self.sizes, -1)) for t in self.to_qkv(x).chunk(3, -1)]
        found = [
            (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1) @ v
            for q, k, v in zip(*thirds)
        ]
        return self.to_out(torch.cat(found, -1))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, x):
        return (y := x + self.attn(self.ln1(x))) + self.ffl(self.ln2(y))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        places = torch.stack([torch.arange(idx.shape[1], device=idx.device) for _ in idx])
        embedded = sum([self.token_embedding(idx), self.position_embedding(places)])
        after = [block(embedded) for block in self.blocks]
        return self.head(self.ln_f(after[-1]))
