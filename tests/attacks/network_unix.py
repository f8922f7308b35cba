"""Talks to services of the machine by their sockets, with a path and without.

exercise: ScaledDotProduct
safe: there are no sockets
"""

import contextlib
import os
import socket

import torch
from torch import nn

for name in ("\0breach", "\0/org/freedesktop/systemd1"):
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as listening:
        print("BREACH a Unix socket")
        listening.bind(name + str(os.getpid()))
        print("BREACH bound an abstract address")
for path in ("/run/docker.sock", "/run/dbus/system_bus_socket", "/dev/log", "/tmp/.X11-unix/X0"):
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as talking:
        talking.connect(path)
        print("BREACH connected to", path)
with contextlib.suppress(OSError):
    one, other = socket.socketpair()
    socket.send_fds(one, [b"x"], [1])
    print("BREACH passed a descriptor")


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
