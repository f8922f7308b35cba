"""What may lie in the place of a file of JSON or TOML that a program wrote."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

DEEP, DIGITS = "[" * 100_000, "1" * 5_000
CONTENTS = {
    "too deep": DEEP.encode(),
    "too deep within": f'{{"metadata": {DEEP}'.encode(),
    "many digits": DIGITS.encode(),
    "many digits within": f'{{"metadata": {DIGITS}}}'.encode(),
    "not UTF-8": b'{"metadata": "\xff"}',
    "not JSON": b"<p>Sign in",
    "another form": b'{"metadata": [1, {"rows": 5}]}',
    "a list": b"[1]",
    "nothing": b"",
}
OTHERS: dict[str, Callable[[Path], object]] = {
    "a folder": os.mkdir,
    "a link": lambda path: os.symlink(path.parent, path),
    "no file": lambda path: None,
}
if hasattr(os, "mkfifo"):
    OTHERS["a named pipe"] = os.mkfifo
KINDS = (*CONTENTS, *OTHERS)


def put_damaged(path: Path, kind: str) -> None:
    """Put something else in the place of a file."""
    path.unlink(missing_ok=True)
    if kind in CONTENTS:
        path.write_bytes(CONTENTS[kind])
    else:
        OTHERS[kind](path)
