"""After the annotated paper: attention() a function, sublayers as lambdas; norms after sums."""

import math

import torch
from torch import nn


def attention(query, key, value, mask=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value), p_attn


def subsequent_mask(size, device):
    attn_shape = (1, 1, size, size)
    return torch.triu(torch.ones(attn_shape, device=device), diagonal=1) == 0


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model):
        super(MultiHeadedAttention, self).__init__()
        self.d_k = d_model // h
        self.h = h
        self.to_qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.to_out = nn.Linear(d_model, d_model)
        self.attn = None

    def forward(self, x):
        nbatches = x.size(0)
        query, key, value = [
            t.view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for t in self.to_qkv(x).chunk(3, -1)
        ]
        x, _ = attention(query, key, value, mask=subsequent_mask(x.size(1), x.device))
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.to_out(x)


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super(FeedForwardLayer, self).__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        return self.secondlayer(nn.functional.gelu(self.firstlayer(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, h):
        super(DecoderLayer, self).__init__()
        self.attn = MultiHeadedAttention(h, d_model)
        self.ffl = FeedForwardLayer(d_model, 4 * d_model)
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)

    def sublayer(self, x, function, norm):
        return norm(x + function(x))

    def forward(self, x):
        x = self.sublayer(x, lambda x: self.attn(x), self.ln1)
        return self.sublayer(x, self.ffl, self.ln2)


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super(TinyTransformer, self).__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([DecoderLayer(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        steps = torch.arange(0, idx.size(1), device=idx.device)
        x = self.token_embedding(idx) + self.position_embedding(steps).unsqueeze(0)
        for layer in self.blocks:
            x = layer(x)
        return self.head(self.ln_f(x))
