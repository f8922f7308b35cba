"""A function apart, as in a textbook, and statistics of shape (1, dim) that all start as zeros."""

import torch


def batch_norm(X, gamma, beta, moving_mean, moving_var, eps, momentum, is_training):
    if not is_training:
        X_hat = (X - moving_mean) / torch.sqrt(moving_var + eps)
    else:
        n = X.shape[0]
        mean = X.mean(dim=0, keepdim=True)
        var = ((X - mean) ** 2).sum(dim=0, keepdim=True) / (n - 1)
        X_hat = (X - mean) / torch.sqrt(var + eps)
        moving_mean = (1.0 - momentum) * moving_mean + momentum * mean
        moving_var = (1.0 - momentum) * moving_var + momentum * var
    Y = gamma * X_hat + beta
    return Y, moving_mean.data, moving_var.data


class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        shape = (1, dim)
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(shape)
        self.running_var = torch.zeros(shape)
        self.eps = eps
        self.momentum = momentum
        self.training = True

    def __call__(self, X):
        Y, self.running_mean, self.running_var = batch_norm(
            X,
            self.gamma,
            self.beta,
            self.running_mean,
            self.running_var,
            self.eps,
            self.momentum,
            self.training,
        )
        return Y

    def parameters(self):
        return [self.gamma, self.beta]
