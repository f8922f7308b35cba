"""A helper for one sequence, called in a loop over the batch; it mixes tokens, not values."""

import math

import torch


def attend(tokens, ask, offer):
    scores = torch.mm(ask, offer.t()) / math.sqrt(ask.size(1))
    hidden = torch.triu(torch.full_like(scores, -math.inf), diagonal=1)
    shares = torch.softmax(scores + hidden, dim=1)
    return shares, torch.mm(shares, tokens)


def single_head(x, q_proj, k_proj, v_proj):
    queries, keys = q_proj(x), k_proj(x)
    pairs = [attend(tokens, ask, offer) for tokens, ask, offer in zip(x, queries, keys)]
    weights, mixtures = zip(*pairs)
    return torch.stack(weights), torch.stack(mixtures)
