"""PyTorch's attention with a mask of what is seen, blocks in a Sequential; tril begins one late."""

import torch
import torch.nn.functional as F
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
        self.nr_heads = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        T = x.shape[1]
        visible = x.new_ones(T, T).tril(1).bool()
        qkv = self.to_qkv(x).unflatten(-1, (3, self.nr_heads, -1)).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(*qkv, attn_mask=visible)
        return self.to_out(mixed.transpose(1, 2).flatten(2))


class Residual(nn.Module):
    def forward(self, x, *branch):
        delta = x
        for layer in branch:
            delta = layer(delta)
        return x + delta


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)
        self.residual = Residual()

    def forward(self, x):
        x = self.residual(x, self.ln1, self.attn)
        return self.residual(x, self.ln2, self.ffl)


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.Sequential(*[Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        where = torch.arange(idx.shape[1], device=idx.device)
        h = self.blocks(self.token_embedding(idx) + self.position_embedding(where))
        return self.head(self.ln_f(h))
