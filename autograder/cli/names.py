"""Let the command line read the name of every student's file."""

from __future__ import annotations

import codecs
import os
import sys

from autograder.errors import MachineError

SETTING = "PYTHONUTF8"
UNREADABLE = (
    "This locale cannot read names such as José.py, which would cost points. Set "
    "LC_ALL=C.UTF-8, and call Python without -E and -I."
)


def read_every_name() -> None:
    """Run this program again, in Python's UTF-8 mode, if its locale is ASCII only.

    Raises MachineError if that does not help.
    """
    if codecs.lookup(sys.getfilesystemencoding()).name != "ascii":
        return
    if os.environ.get(SETTING) == "1":
        raise MachineError(UNREADABLE)
    os.environ[SETTING] = "1"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
