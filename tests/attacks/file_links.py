"""Makes what is no plain file: links, pipes, sockets, devices; changes names, modes and times.

exercise: ScaledDotProduct
safe: nothing of a file system can be changed
"""

import contextlib
import os
import stat
import tempfile

import torch
from torch import nn

folder = tempfile.gettempdir() if os.path.isdir("/tmp") else "/"
path = os.path.join(folder, f"breach-{os.getppid()}-link")
ACTS = {
    "symlink": lambda: os.symlink("/etc/passwd", path),
    "link": lambda: os.link(torch.__file__, path),
    "fifo": lambda: os.mkfifo(path),
    "device": lambda: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5)),
    "folder": lambda: os.mkdir(path),
}
for name, act in ACTS.items():
    with contextlib.suppress(OSError):
        act()
        print("BREACH made a", name)
        (os.rmdir if name == "folder" else os.remove)(path)
file = torch.__file__
state = os.stat(file)
with contextlib.suppress(OSError):
    os.chmod(file, stat.S_IMODE(state.st_mode))
    print("BREACH may change the mode of", file)
with contextlib.suppress(OSError):
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    print("BREACH may change the times of", file)
with contextlib.suppress(OSError):
    os.chown(file, state.st_uid, state.st_gid)
    print("BREACH may change the owner of", file)
with contextlib.suppress(OSError):
    os.setxattr(file, "user.breach", b"1")
    os.removexattr(file, "user.breach")
    print("BREACH may change the attributes of", file)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
