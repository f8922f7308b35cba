"""Leaves data for a later submission in shared memory: System V, POSIX, message queues, mappings.

exercise: ScaledDotProduct
safe: there is nothing to share
"""

import contextlib
import ctypes
import mmap
import os
from multiprocessing import shared_memory

import torch
from torch import nn

IPC_PRIVATE, IPC_RMID, IPC_CREAT = 0, 0, 0o1000
libc = ctypes.CDLL(None, use_errno=True)
segment = libc.shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0o600)
if segment >= 0:
    print("BREACH System V memory")
    libc.shmctl(segment, IPC_RMID, None)
queue = libc.msgget(IPC_PRIVATE, IPC_CREAT | 0o600)
if queue >= 0:
    print("BREACH a System V queue")
    libc.msgctl(queue, IPC_RMID, None)
semaphores = libc.semget(IPC_PRIVATE, 1, IPC_CREAT | 0o600)
if semaphores >= 0:
    print("BREACH System V semaphores")
    libc.semctl(semaphores, 0, IPC_RMID)
with contextlib.suppress(OSError):
    memory = shared_memory.SharedMemory(f"breach-{os.getppid()}-memory", create=True, size=4096)
    print("BREACH POSIX memory")
    memory.close()
    memory.unlink()
with contextlib.suppress(OSError):  # the limit on memory would not count it
    mmap.mmap(-1, 4096)
    print("BREACH a mapping that could be shared")
name = b"/breach-%d-queue" % os.getppid()
queue = libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)
if queue >= 0:
    print("BREACH a POSIX queue")
    libc.mq_unlink(name)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
