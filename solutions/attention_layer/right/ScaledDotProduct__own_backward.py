"""A function of its own for autograd, with the gradient worked out by hand."""

import math

import torch
from torch import nn


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V):
        scale = 1 / math.sqrt(Q.shape[-1])
        P = torch.softmax(Q @ K.mT * scale, dim=-1)
        ctx.save_for_backward(Q, K, V, P)
        ctx.scale = scale
        return P @ V

    @staticmethod
    def backward(ctx, grad):
        Q, K, V, P = ctx.saved_tensors
        of_weights = grad @ V.mT
        of_scores = P * (of_weights - (of_weights * P).sum(-1, keepdim=True)) * ctx.scale
        return of_scores @ K, of_scores.mT @ Q, P.mT @ grad


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return Attend.apply(Q, K, V)
