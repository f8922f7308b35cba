"""Switch off PyTorch's compiler, so that code which a submission compiles runs uncompiled.

The compiler needs a C++ compiler and a writable folder, and takes longer than a question may.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

FLEX_ATTENTION = "torch.nn.attention.flex_attention"


def run_eagerly() -> None:
    """Make torch.compile return its argument unchanged in this process.

    Also sets the temporary folder, which other parts of the compiler request on import.
    """
    import torch  # here, because the grader imports this module too and need not load torch

    torch.compile = _uncompiled
    tempfile.tempdir = os.sep  # exists, and nothing can be written to it


def run_flex_attention_eagerly() -> None:
    """Make flex_attention, if it is imported, use PyTorch's uncompiled implementation.

    Unlike the compiled one, it has gradients on a CPU.
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


def _uncompiled(
    model: Callable[..., Any] | None = None, *_: object, **__: object
) -> Callable[..., Any]:
    return _uncompiled if model is None else model
