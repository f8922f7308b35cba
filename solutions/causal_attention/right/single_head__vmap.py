"""Written for one sequence and mapped over the batch; returns a list, not a tuple."""

import torch


def single_head(x, q_proj, k_proj, v_proj):
    def one_sequence(tokens):
        q = q_proj(tokens) * q_proj.out_features ** -0.5
        scores = q @ k_proj(tokens).T
        look = torch.ones_like(scores).tril()
        return torch.softmax(scores.masked_fill(look == 0, -torch.inf), -1)

    weights = torch.vmap(one_sequence)(x)
    return [weights, weights @ v_proj(x)]
