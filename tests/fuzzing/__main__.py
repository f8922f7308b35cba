"""Try all cases of all kinds, and print what came of them: `make fuzz`."""

from __future__ import annotations

import time
import warnings

import torch

from fuzzing import TARGETS, fuzz


def main() -> None:
    total = 0
    for name, (target, cases) in TARGETS.items():
        begin = time.monotonic()
        tried = fuzz(target, cases)
        total += tried.count
        print("\n".join(tried.lines(name)), f"\n    ({time.monotonic() - begin:.0f} s)", flush=True)
    print(f"{total} cases, no unexpected exception")


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", "Duplicate name")  # in archives that are made on purpose
    main()
