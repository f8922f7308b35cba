"""PyTorch's own function for several heads attends, with the layers' weights handed over."""

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
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, x):
        T, dim_h = x.shape[1:]
        later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=1)
        x = x.transpose(0, 1)
        out, _ = nn.functional.multi_head_attention_forward(
            x,
            x,
            x,
            dim_h,
            self.nr_heads,
            self.to_qkv.weight,
            None,
            None,
            None,
            False,
            0.0,
            self.to_out.weight,
            self.to_out.bias,
            self.training,
            attn_mask=later,
            need_weights=False,
        )
        return out.transpose(0, 1)


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
