"""The branches of a block are sequences of its stated parts: more than one name for each."""

import torch
import torch.nn.functional as F
from torch import nn


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(F.gelu(self.firstlayer(x)))


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.n_head = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (
            t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
            for t in self.to_qkv(x).split(C, dim=2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.to_out(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim_h), nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)
        self.branch1 = nn.Sequential(self.ln1, self.attn)
        self.branch2 = nn.Sequential(self.ln2, self.ffl)

    def forward(self, x):
        x = x + self.branch1(x)
        return x + self.branch2(x)


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.Sequential(*(Block(dim_h, nr_heads) for _ in range(n_layers)))
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        B, T = idx.shape
        x = self.token_embedding(idx)
        x = x + self.position_embedding(torch.arange(T, device=idx.device))
        return self.head(self.ln_f(self.blocks(x)))
