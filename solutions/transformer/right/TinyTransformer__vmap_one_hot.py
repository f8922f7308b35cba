"""Written for one sequence and mapped over the batch; embeddings are products with one-hot rows."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import vmap


class FeedForwardLayer(nn.Sequential):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.add_module("firstlayer", nn.Linear(dim_h, dim_expanded))
        self.add_module("activation", nn.GELU())
        self.add_module("secondlayer", nn.Linear(dim_expanded, dim_h))


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.nr_heads = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    @staticmethod
    def one_head(q, k, v):  # (T, d) each
        T, d = q.shape
        bias = torch.full((T, T), -torch.inf, dtype=q.dtype, device=q.device).triu(1)
        log_weights = torch.log_softmax(torch.addmm(bias, q, k.t(), alpha=d**-0.5), dim=-1)
        return log_weights.exp() @ v

    def forward(self, x):  # (T, dim_h)
        q, k, v = self.to_qkv(x).unflatten(1, (3, self.nr_heads, -1)).unbind(1)
        return self.to_out(vmap(self.one_head, in_dims=1, out_dims=1)(q, k, v).flatten(1))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, x):
        attended = x + self.attn(self.ln1(x))
        return attended + self.ffl(self.ln2(attended))


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def of_one_sequence(self, one_hot):  # (T, vocab_size)
        x = one_hot @ self.token_embedding.weight
        x = x + self.position_embedding.weight.narrow(0, 0, len(x))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))

    def forward(self, idx):
        table = self.token_embedding.weight
        return vmap(self.of_one_sequence)(F.one_hot(idx, len(table)).to(table.dtype))
