"""Channels first, as in image models: 1x1 convolutions with the layers' weights; logits stay so."""

import torch
import torch.nn.functional as F
from torch import nn


def pointwise(layer, maps):
    return F.conv1d(maps, layer.weight.unsqueeze(-1), layer.bias)


def channel_norm(layer, maps):
    mean = maps.mean(1, keepdim=True)
    var = (maps - mean).square().mean(1, keepdim=True)
    normal = (maps - mean) / (var + layer.eps).sqrt()
    return normal * layer.weight[:, None] + layer.bias[:, None]


class FeedForwardLayer(nn.Module):
    def __init__(self, dim_h, dim_expanded):
        super().__init__()
        self.firstlayer = nn.Linear(dim_h, dim_expanded)
        self.secondlayer = nn.Linear(dim_expanded, dim_h)

    def forward(self, x):
        maps = pointwise(self.firstlayer, x.reshape(-1, x.shape[-1], 1))
        return pointwise(self.secondlayer, F.gelu(maps)).reshape(x.shape)


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.groups = nr_heads
        self.to_qkv = nn.Linear(dim_h, 3 * dim_h, bias=False)
        self.to_out = nn.Linear(dim_h, dim_h)

    def forward(self, maps):
        b, c, t = maps.shape
        q, k, v = pointwise(self.to_qkv, maps).view(b, 3, self.groups, -1, t).unbind(1)
        energy = q.transpose(2, 3) @ k / (c // self.groups) ** 0.5
        unseen = torch.ones(t, t, device=maps.device, dtype=torch.bool).triu(1)
        attention = energy.masked_fill(unseen, float("-inf")).softmax(3)
        return pointwise(self.to_out, (v @ attention.transpose(2, 3)).reshape(b, c, t))


class Block(nn.Module):
    def __init__(self, dim_h, nr_heads):
        super().__init__()
        self.ln1 = nn.LayerNorm(dim_h)
        self.attn = CausalMultiHeadAttention(dim_h, nr_heads)
        self.ln2 = nn.LayerNorm(dim_h)
        self.ffl = FeedForwardLayer(dim_h, 4 * dim_h)

    def forward(self, maps):
        maps = maps + self.attn(channel_norm(self.ln1, maps))
        return maps + self.ffl(channel_norm(self.ln2, maps).mT).mT


class TinyTransformer(nn.Module):
    def __init__(self, vocab_size, block_size, dim_h, nr_heads, n_layers):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, dim_h)
        self.position_embedding = nn.Embedding(block_size, dim_h)
        self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])
        self.ln_f = nn.LayerNorm(dim_h)
        self.head = nn.Linear(dim_h, vocab_size)

    def forward(self, idx):
        steps = torch.arange(idx.shape[1], device=idx.device)
        maps = (self.token_embedding(idx) + self.position_embedding(steps)).transpose(1, 2)
        for block in self.blocks:
            maps = block(maps)
        return pointwise(self.head, channel_norm(self.ln_f, maps))
