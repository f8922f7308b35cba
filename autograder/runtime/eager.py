"""PyTorch's compiler switched off: what a submission compiles, runs as it is written.

It needs a C++ compiler and a folder for its files, and takes longer than an exercise may.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

FLEX_ATTENTION = "torch.nn.attention.flex_attention"


def run_eagerly() -> None:
    """Have torch.compile hand back what it is given, in this process.

    What else of the compiler is imported, to trace a function say, asks for a temporary folder.
    """
    import torch  # whoever starts processes for students' code reads this module, and needs none

    torch.compile = _as_it_is
    tempfile.tempdir = os.sep  # is there, and nothing can be written to it


def run_flex_attention_eagerly() -> None:
    """Have flex_attention, once it is imported, compute by PyTorch's own formula for it.

    That has gradients on a CPU too, which the compiled one has not.
    """
    module = sys.modules.get(FLEX_ATTENTION)
    if module is None or hasattr(module, "flex_attention_compiled"):
        return
    from torch._higher_order_ops.flex_attention import math_attention

    vars(module).update(
        flex_attention_compiled=vars(module)["flex_attention_hop"],
        flex_attention_hop=math_attention,
        _validate_device=lambda *_: None,
        _FLEX_ATTENTION_DISABLE_COMPILE_DEBUG=True,
    )


def _as_it_is(
    model: Callable[..., Any] | None = None, *_: object, **__: object
) -> Callable[..., Any]:
    return _as_it_is if model is None else model
