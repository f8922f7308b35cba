"""Reaches parts of the kernel that hardly a program needs: bpf, io_uring, userfaultfd, keys.

exercise: ScaledDotProduct
safe: a call that is not on the list is refused before the kernel looks at its arguments
"""

import ctypes
import errno
import platform

import torch
from torch import nn

REFUSED = {errno.EPERM, errno.ENOSYS, errno.EACCES}
CALLS = {  # with arguments that do nothing
    "bpf": (321, 0, 0, 0),
    "io_uring_setup": (425, 0, 0),
    "userfaultfd": (323, -1),
    "perf_event_open": (298, 0, 0, -1, -1, -1),
    "add_key": (248, 0, 0, 0, 0, -2),
    "keyctl": (250, 999),
    "fanotify_init": (300, 0xFFFFFFFF, 0),
    "inotify_init1": (294, -1),
    "kcmp": (312, 0, 0, 99, 0, 0),
    "process_madvise": (440, -1, 0, 0, 0, 0),
    "pidfd_getfd": (438, -1, 0, 0),
    "seccomp": (317, 99, 0, 0),
    "modify_ldt": (154, 99, 0, 0),
    "vmsplice": (278, -1, 0, 0, 0),
    "mbind": (237, 0, 0, 99, 0, 0, 0),
    "move_pages": (279, 0, 0, 0, 0, 0, 99),
    "init_module": (175, 0, 0, 0),
    "kexec_load": (246, 0, 99, 0, 99),
    "quotactl": (179, 0xFFFFFFFF, 0, 0, 0),
    "lookup_dcookie": (212, 0, 0, 0),
    "remap_file_pages": (216, 1, 1, 1, 1, 1),
    "timer_create": (222, 99, 0, 0),
    "mq_open": (240, 0, 0, 0, 0),
    "acct": (163, 1),
}
libc = ctypes.CDLL(None, use_errno=True)
for name, (number, *arguments) in CALLS.items() if platform.machine() == "x86_64" else ():
    ctypes.set_errno(0)
    if libc.syscall(number, *arguments) >= 0 or ctypes.get_errno() not in REFUSED:
        print("BREACH reached", name)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
