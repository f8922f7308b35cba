"""Own functions and a subclass of FeedForwardLayer, whose GELU is the tanh formula by hand."""

import math

import torch
from torch import nn


def new_gelu(x):
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def causal_softmax(scores):
    i = torch.arange(scores.shape[-1], device=scores.device)
    scores = torch.where(i[:, None] >= i[None, :], scores, torch.finfo(scores.dtype).min)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))


class WideLayer(FeedForwardLayer):
    def forward(self, x):
        return self.secondlayer(new_gelu(self.firstlayer(x)))


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.nr_heads = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        q, k, v = self.to_qkv(x).tensor_split(3, dim=-1)
        pieces = []
        for a, b, c in zip(*[t.tensor_split(self.nr_heads, dim=-1) for t in (q, k, v)]):
            pieces.append(causal_softmax(a @ b.transpose(1, 2) / a.shape[-1] ** 0.5) @ c)
        return self.to_out(torch.cat(pieces, dim=-1))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = WideLayer(dim_h, 4 * dim_h)

    def forward(self, x):
        y = x + self.attn(self.ln1(x))
        return y + self.ffl(self.ln2(y))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        x = self.token_embedding(idx)
        x = x + self.position_embedding(torch.arange(x.shape[1], device=x.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))
