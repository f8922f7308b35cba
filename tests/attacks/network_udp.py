"""Sends datagrams, and asks for the address of a name, which would carry its secret outside.

exercise: ScaledDotProduct
safe: there are no sockets, and no network
"""

import contextlib
import socket

import torch
from torch import nn

with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
    print("BREACH a socket for datagrams")
    sending.sendto(b"the numbers that were asked", ("127.0.0.1", 9))
    print("BREACH sent a datagram")
with contextlib.suppress(OSError):
    if socket.getaddrinfo("localhost", 80, proto=socket.IPPROTO_TCP)[0][4][0] and open(
        "/etc/hosts"
    ):
        print("BREACH asked for the address of a name")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
