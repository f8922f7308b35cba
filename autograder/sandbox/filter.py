"""Compile a seccomp filter of the system calls that a locked child may make.

All other calls fail with EPERM, so that a student reads "Operation not permitted" and the line.
Calls of another architecture end the process. The list comes from traces of correct submissions
(strace), plus calls that the C library makes under other conditions. Source: seccomp(2), and the
manual page of each call.
"""

from __future__ import annotations

import base64
import errno
import fcntl
import mmap
import os
import tempfile
import termios

from autograder.sandbox.bubblewrap import CannotLock, not_installed

# Calls on open descriptors, memory, clocks and the process itself, which reach nothing new.
HARMLESS = (
    "read", "readv", "pread64", "preadv", "write", "writev", "lseek", "close", "fstat",
    "newfstatat", "stat", "lstat", "statx", "getdents64", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getcwd", "dup", "poll", "ppoll", "select", "pselect6", "brk",
    "munmap", "mremap", "mprotect", "membarrier", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "sigaltstack", "restart_syscall",
    "set_robust_list", "rseq", "sched_yield", "getcpu", "getrandom", "nanosleep",
    "gettimeofday", "time", "times", "setitimer", "getitimer", "alarm", "pause", "getpid",
    "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getpgrp", "getrusage", "uname",
    "exit", "exit_group",
)  # fmt: skip
# Calls that tell something about a process; process 0 is the calling one.
OF_PROCESSES = ("getpgid", "getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler")
NOT_READING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_TMPFILE & ~os.O_DIRECTORY
# Clocks of the machine and of the calling process; clocks of other processes have larger numbers.
OF_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")
CLOCKS = 16
OF_DESCRIPTORS = (fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL)
# Waits within one process. Without this flag, two processes that map the same file share a place to
# wait, by which they could signal each other: see futex(2).
WAITS_WITHIN = 128  # FUTEX_PRIVATE_FLAG
# What memory allocators advise about their own memory. Other advice takes a file's pages out of the
# cache, or brings them in, which another process can notice.
OF_MEMORY = ("DONTNEED", "FREE", "HUGEPAGE", "NOHUGEPAGE", "DONTDUMP", "DODUMP")
# The limit on memory counts what belongs to one process alone, not what it could share.
OF_MAPPINGS = 0x0F  # the bits of mmap's flags that say whether memory is shared: <linux/mman.h>
OF_TERMINALS = (termios.TCGETS, termios.TIOCGWINSZ, termios.FIOCLEX)  # in tests for a terminal


def compiled() -> str:
    """Return the filter's program for this machine, in base64. Raises CannotLock."""
    try:
        from pyseccomp import ALLOW, EQ, ERRNO, LT, MASKED_EQ, Arg, SyscallFilter
    except ImportError:
        raise not_installed("pyseccomp") from None
    except RuntimeError:  # pyseccomp did not find the library
        raise CannotLock(
            "libseccomp is not installed. Install it: apt install libseccomp2."
        ) from None
    allowed = SyscallFilter(ERRNO(errno.EPERM))
    for name in HARMLESS:
        allowed.add_rule(ALLOW, name)
    for name in OF_PROCESSES:
        allowed.add_rule(ALLOW, name, Arg(0, EQ, 0))
    for name in OF_CLOCKS:
        allowed.add_rule(ALLOW, name, Arg(0, LT, CLOCKS))
    allowed.add_rule(ALLOW, "openat", Arg(2, MASKED_EQ, NOT_READING, os.O_RDONLY))
    allowed.add_rule(ALLOW, "open", Arg(1, MASKED_EQ, NOT_READING, os.O_RDONLY))
    for command in OF_DESCRIPTORS:
        allowed.add_rule(ALLOW, "fcntl", Arg(1, EQ, command))
    for command in OF_TERMINALS:
        allowed.add_rule(ALLOW, "ioctl", Arg(1, EQ, command))
    allowed.add_rule(ALLOW, "mmap", Arg(3, MASKED_EQ, OF_MAPPINGS, mmap.MAP_PRIVATE))
    allowed.add_rule(ALLOW, "mmap", Arg(3, MASKED_EQ, mmap.MAP_ANONYMOUS, 0))  # of a file
    for advice in OF_MEMORY:
        allowed.add_rule(ALLOW, "madvise", Arg(2, EQ, getattr(mmap, f"MADV_{advice}")))
    allowed.add_rule(ALLOW, "futex", Arg(1, MASKED_EQ, WAITS_WITHIN, WAITS_WITHIN))
    # Reading its own limits: the process is 0 and the new limit is NULL.
    allowed.add_rule(ALLOW, "prlimit64", Arg(0, EQ, 0), Arg(2, EQ, 0))
    with tempfile.TemporaryFile() as file:
        allowed.export_bpf(file)
        file.seek(0)
        return base64.b64encode(file.read()).decode()
