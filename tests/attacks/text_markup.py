"""Prints and raises texts that a browser, a spreadsheet or a log would take for its own.

exercise: ScaledDotProduct
safe: they are shown as the texts that they are
"""

from torch import nn

MARKUP = (
    "<script>fetch('http://127.0.0.1/')</script><img src=x onerror=alert(1)></pre></code>\n"
    '=HYPERLINK("http://127.0.0.1/","6/6")\n+cmd|\' /C calc\'!A0\n-1+1\n@SUM(1)\n\t=1\n'
    "![x](http://127.0.0.1/x.png) $\\href{javascript:alert(1)}{x}$ {{7*7}} %s %n ${PATH} `id`\n"
    "::error::breach\n]]></failure><!--"
)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        print(MARKUP)
        raise ValueError(MARKUP)
