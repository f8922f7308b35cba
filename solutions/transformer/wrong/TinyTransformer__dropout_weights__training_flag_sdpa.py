"""PyTorch's causal attention, called by keyword, drops a tenth of the weights in training."""

import torch
from torch import nn
from torch.nn.functional import gelu, scaled_dot_product_attention


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(gelu(self.firstlayer(x)))


class Attention(nn.Module):
    def __init__(self, dim, heads, dropout=0.1):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.to_qkv(x).reshape(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = scaled_dot_product_attention(
            query=q,
            key=k,
            value=v,
            is_causal=True,
            dropout_p=self.dropout if self.training else 0,
        )
        return self.to_out(y.permute(0, 2, 1, 3).reshape(b, n, c))


class Block(nn.ModuleDict):
    def __init__(self, dim, heads):
        super().__init__(
            {
                "ln1": nn.LayerNorm(dim),
                "attn": Attention(dim, heads),
                "ln2": nn.LayerNorm(dim),
                "ffl": FeedForwardLayer(dim, 4 * dim),
            }
        )

    def forward(self, x):
        x = x + self["attn"](self["ln1"](x))
        return x + self["ffl"](self["ln2"](x))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        n = idx.shape[1]
        x = self.token_embedding(idx) + self.position_embedding(torch.arange(n).to(idx.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))
