"""The packages, beside Python's own, that a submission can import where they are installed.

Each can change what a submission does, also by its absence, so the edition of a course has the
version of each.
"""

from __future__ import annotations

# torch, einops and their dependencies: required, then those that only some installations have.
NEEDED = ("torch", "einops", "numpy", "typing_extensions")
DEPENDENCIES = (
    "torchgen", "functorch", "filelock", "fsspec", "jinja2", "markupsafe", "mpmath", "networkx",
    "sympy", "nvidia", "triton",
)  # fmt: skip
OPTIONAL = ("scipy", "opt_einsum", "more_itertools")
THIRD_PARTY = (*NEEDED, *DEPENDENCIES, *OPTIONAL)
