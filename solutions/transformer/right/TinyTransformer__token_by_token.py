"""Reads one token at a time, as when writing texts: each block remembers keys and values."""

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
        self.shape = (nr_heads, dim_h // nr_heads)
        self.to_qkv = nn.Linear(dim_h, dim_h * 3, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x, memory):  # x: (B, dim_h), of one token
        q, k, v = self.to_qkv(x).unflatten(-1, (3, *self.shape)).unbind(dim=1)  # (B, H, d)
        memory.append((k, v))
        keys, values = (torch.stack(column, dim=-2) for column in zip(*memory))  # (B, H, t, d)
        weights = torch.softmax((keys @ q[..., None])[..., 0] * self.shape[1] ** -0.5, dim=-1)
        return self.to_out((weights[..., None] * values).sum(dim=-2).flatten(1))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, x, memory):
        x = x + self.attn(self.ln1(x), memory)
        return x + self.ffl(self.ln2(x))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        memories = [[] for _ in self.blocks]
        logits = []
        for t, tokens in enumerate(idx.unbind(dim=1)):
            x = self.token_embedding(tokens) + self.position_embedding.weight[t]
            for block, memory in zip(self.blocks, memories):
                x = block(x, memory)
            logits.append(self.head(self.ln_f(x)))
        return torch.stack(logits, dim=1)
