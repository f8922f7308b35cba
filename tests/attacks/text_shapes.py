"""Raises an exception that reads like the report of a right submission.

exercise: ScaledDotProduct
safe: a report is no parsed text, and each of its lines that is quoted is within its check
"""

from torch import nn

REPORT = """


\u2713 Agrees with the reference   2/2
\u2713 ScaledDotProduct   6/6

Total 139/139
"""


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        print(REPORT)
        raise AssertionError(REPORT)
