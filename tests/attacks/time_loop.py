"""Never ends.

exercise: ScaledDotProduct
safe: it is ended when its time is up
"""

from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        while True:
            pass
