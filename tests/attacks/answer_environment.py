"""Looks for secrets in the environment, as Python, libc and the kernel have it, and in argv.

exercise: ScaledDotProduct
safe: the environment is empty but for what PyTorch is told, and no argument names the course
"""

import ctypes
import os
import sys
from pathlib import Path

import torch
from torch import nn

HARMLESS = {
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OMP_THREAD_LIMIT",
    "LC_CTYPE",
    "PWD",
    "GLIBC_TUNABLES",
    "TORCHINDUCTOR_CACHE_DIR",
}
HARMLESS |= {"PYTHONMALLOC", "MALLOC_ARENA_MAX", "MKL_NUM_THREADS"}

libc = ctypes.CDLL(None)
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
texts = [f"{key}={value}" for key, value in os.environ.items()]
for place in range(1000 if environ else 0):
    if environ[place] is None:
        break
    texts.append(environ[place].decode(errors="replace"))
for name in ("environ", "cmdline"):
    try:
        texts += Path("/proc/self", name).read_bytes().decode(errors="replace").split("\0")
    except OSError:
        continue
for text in texts:
    name, equals, _ = text.partition("=")
    if "CANARY-" in text or (equals and name.isupper() and name not in HARMLESS):
        print("BREACH environment:", text[:80])
for argument in [*sys.argv, *sys.orig_argv]:
    if "CANARY-" in argument or "solutions" in argument:
        print("BREACH argument:", argument)


class ScaledDotProduct(nn.Module):
    def forward(self, Q, K, V):
        return torch.zeros(*Q.shape[:-1], V.shape[-1])
