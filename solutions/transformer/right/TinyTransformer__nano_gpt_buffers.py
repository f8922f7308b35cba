"""As in nanoGPT: mask and positions are buffers of block_size, saved with the model; views."""

import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.activation = nn.GELU()
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(self.activation(self.firstlayer(x)))


class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        assert n_embd % n_head == 0
        self.to_qkv = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.to_out = nn.Linear(n_embd, n_embd)
        self.n_head, self.n_embd = n_head, n_embd
        bias = torch.tril(torch.ones(block_size, block_size))
        self.register_buffer("bias", bias.view(1, 1, block_size, block_size))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.to_qkv(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, torch.finfo(att.dtype).min)
        y = F.softmax(att, dim=-1) @ v
        return self.to_out(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        self.ln1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head, block_size)
        self.ln2 = nn.LayerNorm(n_embd)
        self.ffl = FeedForwardLayer(n_embd, 4 * n_embd)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.ffl(self.ln2(x))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        blocks = [Block(dim_h, nr_heads, block_size) for _ in range(n_layers)]
        self.blocks = nn.ModuleList(blocks)
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)
        self.register_buffer("positions", torch.arange(block_size))

    def forward(self, idx):
        b, t = idx.size()
        x = self.token_embedding(idx) + self.position_embedding(self.positions[:t])
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))
