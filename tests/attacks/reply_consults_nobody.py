"""Consults the other side without end, although no substitute stands anywhere.

exercise: ScaledDotProduct
safe: there is nobody to consult
"""

import json
import os
import struct

from torch import nn

QUESTION = {"consult": {"do": "make", "of": "ScaledDotProduct", "arguments": [], "named": {}}}


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        header = json.dumps(QUESTION).encode()
        message = struct.pack("<4sIQ", b"attn", len(header), 0) + header
        while True:
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, message)
                except OSError:
                    continue
