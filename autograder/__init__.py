"""Grade exercises in PyTorch: right is accepted, wrong is named."""

import sys

if sys.version_info < (3, 10):  # noqa: UP036  (this file is all that an older one can read)
    sys.stderr.write(
        "{} is Python {}.{}; the kit needs 3.10 or newer. Call make setup in its folder.\n".format(
            sys.executable, *sys.version_info[:2]
        )
    )
    sys.exit(3)
