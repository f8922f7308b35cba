"""One class: the blocks are nested ModuleDicts that only hold weights, and F does the work."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def norm(layer, x):
    return F.layer_norm(x, layer.normalized_shape, layer.weight, layer.bias, layer.eps)


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.H = nr_heads

        def block():
            attn = dict(
                to_qkv=nn.Linear(dim_h, 3 * dim_h, bias=False), to_out=nn.Linear(dim_h, dim_h)
            )
            ffl = dict(
                firstlayer=nn.Linear(dim_h, 4 * dim_h), secondlayer=nn.Linear(4 * dim_h, dim_h)
            )
            return nn.ModuleDict(
                dict(
                    ln1=nn.LayerNorm(dim_h),
                    attn=nn.ModuleDict(attn),
                    ln2=nn.LayerNorm(dim_h),
                    ffl=nn.ModuleDict(ffl),
                )
            )

        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([block() for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def attend(self, attn, x):
        w_q, w_k, w_v = (w.unflatten(0, (self.H, -1)) for w in attn.to_qkv.weight.chunk(3))
        q, k, v = (torch.einsum("btc,hdc->bhtd", x, w) for w in (w_q, w_k, w_v))
        logits = torch.matmul(q, k.mT).div(math.sqrt(w_q.shape[1]))
        seen = torch.ones_like(logits, dtype=torch.bool).tril()
        logits = torch.where(seen, logits, torch.finfo(logits.dtype).min)
        w_out = attn.to_out.weight.unflatten(1, (self.H, -1))
        return torch.einsum("bhtd,chd->btc", F.softmax(logits, -1) @ v, w_out) + attn.to_out.bias

    def forward(self, idx):
        T = idx.shape[-1]
        x = F.embedding(idx, self.token_embedding.weight)
        x = x + F.embedding(torch.arange(T, device=idx.device), self.position_embedding.weight)
        for block in self.blocks:
            x = x + self.attend(block["attn"], norm(block["ln1"], x))
            wide = F.linear(norm(block["ln2"], x), *block["ffl"].firstlayer.parameters())
            x = x + F.linear(F.gelu(wide), *block["ffl"].secondlayer.parameters())
        return F.linear(norm(self.ln_f, x), self.head.weight, self.head.bias)
