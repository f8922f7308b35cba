"""Its output and its module run code wherever they are unpickled or copied.

exercise: ScaledDotProduct
safe: nothing is ever unpickled
"""

from torch import nn


class Loaded:
    def __reduce__(self):
        return exec, ("print('BREACH unpickled')",)

    def __deepcopy__(self, memo):
        print("copied")
        return self


class ScaledDotProduct(nn.Module):
    def __reduce__(self):
        return exec, ("print('BREACH unpickled the module')",)

    def __setstate__(self, state):
        print("BREACH set a state")

    def forward(self, Q, K, V):
        return [Loaded(), Loaded()]
