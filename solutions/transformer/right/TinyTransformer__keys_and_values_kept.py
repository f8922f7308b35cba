"""Token after token, with the keys and values so far kept beside."""

import torch
from einops import rearrange
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
        q, k, v = (
            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)
            for t in self.to_qkv(x).chunk(3, dim=-1)
        )
        keys, values, found = k[:, :, :0], v[:, :, :0], []
        for t in range(x.shape[1]):
            keys = torch.cat([keys, k[:, :, t : t + 1]], dim=2)
            values = torch.cat([values, v[:, :, t : t + 1]], dim=2)
            scores = q[:, :, t : t + 1] @ keys.mT / q.shape[-1] ** 0.5
            found.append(scores.softmax(dim=-1) @ values)
        return self.to_out(rearrange(torch.cat(found, dim=2), "b h n d -> b n (h d)"))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

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
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.token_embedding(idx) + self.position_embedding(positions)
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))
