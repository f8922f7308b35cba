"""A loop over the new tokens, which needs no mask: each is added to the cache and looks at it."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.past: list[tuple[torch.Tensor, torch.Tensor]] = []

    def forward(self, x: torch.Tensor, start_pos: int = 0) -> torch.Tensor:
        self.past = self.past[:start_pos]
        found = []
        for token in x.unbind(dim=1):
            self.past.append((self.W_key(token), self.W_value(token)))
            keys, values = (torch.stack(part, dim=1) for part in zip(*self.past))
            scores = torch.einsum("bd,bsd->bs", self.W_query(token), keys)
            weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=1)
            found.append(torch.einsum("bs,bsd->bd", weights, values))
        return torch.stack(found, dim=1)
