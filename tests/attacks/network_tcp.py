"""Listens, and connects to itself and to others, over TCP.

exercise: ScaledDotProduct
safe: there are no sockets, and no network
"""

import contextlib
import socket

import torch
from torch import nn

for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    with contextlib.suppress(OSError):
        listening = socket.create_server((address, 0), family=family)
        print("BREACH listens at", address)
        with socket.create_connection(listening.getsockname()[:2], timeout=0.5) as talking:
            talking.send(b"the numbers that were asked")
            print("BREACH connected to", address)
        listening.close()
    with contextlib.suppress(OSError):
        socket.socket(family, socket.SOCK_STREAM).close()
        print("BREACH a socket", family)
try:
    socket.create_connection(("127.0.0.1", 9), timeout=0.3)
except ConnectionRefusedError:
    print("BREACH reached the machine's own network")
except OSError:
    pass


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
