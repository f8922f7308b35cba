"""keepdim=True everywhere: after the first batch the running averages have shape (1, dim)."""

import torch


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        # parameters
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        # notes
        self.running_mean = torch.zeros(1, dim)
        self.running_var = torch.ones(1, dim)

    def __call__(self, x):
        if self.training:
            xmean = x.mean(0, keepdim=True)
            xvar = x.var(0, keepdim=True)
        else:
            xmean, xvar = self.running_mean, self.running_var
        self.out = self.gamma * ((x - xmean) / torch.sqrt(xvar + self.eps)) + self.beta
        if self.training:
            m = self.momentum
            with torch.no_grad():
                self.running_mean = (1 - m) * self.running_mean + m * xmean
                self.running_var = (1 - m) * self.running_var + m * xvar
        return self.out

    def parameters(self):
        return [self.gamma, self.beta]
