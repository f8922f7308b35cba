"""Head by head and token by token: no mask, since each query is given the keys before it only."""

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
        self.nr_heads = nr_heads
        self.dim_head = dim_h // nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        queries, keys, values = torch.chunk(self.to_qkv(x), 3, dim=2)
        heads = []
        for h in range(self.nr_heads):
            own = slice(h * self.dim_head, (h + 1) * self.dim_head)
            q, k, v = queries[..., own], keys[..., own], values[..., own]
            rows = []
            for t in range(x.shape[1]):
                scores = (k[:, : t + 1] @ q[:, t, :, None]).squeeze(2) / self.dim_head**0.5
                weights = torch.softmax(scores, dim=1)
                rows.append((weights[:, :, None] * v[:, : t + 1]).sum(dim=1))
            heads.append(torch.stack(rows, dim=1))
        return self.to_out(torch.cat(heads, dim=2))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, x):
        for norm, branch in ((self.ln1, self.attn), (self.ln2, self.ffl)):
            x = x + branch(norm(x))
        return x


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList()
        for _ in range(n_layers):
            self.blocks.append(Block(dim_h, nr_heads))
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        positions = torch.arange(0, idx.size(1), device=idx.device).expand_as(idx)
        x = self.token_embedding(idx).add(self.position_embedding(positions))
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        return self.head(self.ln_f(x))
