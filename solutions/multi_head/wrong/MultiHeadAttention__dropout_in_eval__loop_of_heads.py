"""A loop over pairs of head and sequence with F.dropout, which is not told whether it trains."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_input, nr_heads=8, dim_head=16, dropout_p=0.0, scale_factor=0.5):
        super().__init__()
        self.num_heads = nr_heads
        self.head_dim = dim_head
        self.p = dropout_p
        self.scaling = 1 / dim_head**scale_factor
        self.to_qkv = nn.Linear(dim_input, nr_heads * dim_head * 3, bias=False)
        self.to_out = nn.Linear(nr_heads * dim_head, dim_input)

    def attend(self, query, key, value):
        probabilities = F.softmax(torch.mm(query * self.scaling, key.t()), dim=1)
        probabilities = F.dropout(probabilities, self.p)
        return torch.mm(probabilities, value)

    def forward(self, x):
        sentences = []
        for sentence in x:
            query, key, value = self.to_qkv(sentence).split(self.num_heads * self.head_dim, 1)
            columns = []
            for triple in zip(*(t.split(self.head_dim, 1) for t in (query, key, value))):
                columns.append(self.attend(*triple))
            sentences.append(torch.cat(columns, 1))
        return self.to_out(torch.stack(sentences))
