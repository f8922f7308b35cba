"""PyTorch's own batch_norm, with eps and gamma such that its biased variance does no harm.

With n examples the biased variance is r = (n - 1) / n times the unbiased one, so that
sqrt(biased + r * eps) = sqrt(r) * sqrt(unbiased + eps). The running one it keeps is unbiased.
"""

import torch
import torch.nn.functional as F


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma, self.beta = torch.ones(dim), torch.zeros(dim)
        self.running_mean, self.running_var = torch.zeros(dim), torch.ones(dim)

    def __call__(self, x):
        self.running_mean, self.running_var = self.running_mean.to(x), self.running_var.to(x)
        r = 1 - 1 / len(x) if self.training else 1.0
        return F.batch_norm(
            x,
            self.running_mean,
            self.running_var,
            weight=self.gamma.to(x) * r**0.5,
            bias=self.beta.to(x),
            training=self.training,
            momentum=self.momentum,
            eps=r * self.eps,
        )

    def parameters(self):
        return [self.gamma, self.beta]
