"""The forward pass checks its own weights, waits until they add up to 1, and logs their entropy."""

import torch
import torch.nn as nn


class ScaledDotProduct(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.entropies: list[float] = []

    def forward(self, Q, K, V):
        assert V.device.type in ("cpu", "cuda", "mps"), "an unknown device"
        d_k = torch.tensor(float(Q.shape[-1]), device=Q.device, dtype=Q.dtype)
        weights = torch.softmax(Q @ K.mT * (1 / float(d_k) ** 0.5), dim=-1)
        if not bool((weights >= 0).all()):
            raise ValueError("a weight is negative")
        while not torch.isclose(weights.sum(-1), weights.new_ones(())).all():
            weights = weights / weights.sum(-1, keepdim=True)
        entropy = torch.distributions.Categorical(probs=weights.detach()).entropy()
        self.entropies.append(entropy.mean().item())
        return weights @ V
