"""A sum, divided."""


def geometric_mean(x):
    return x.sum(-1) / x.shape[-1]
