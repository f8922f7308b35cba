"""`python -m autograder`."""

import signal
import sys

from autograder.cli.main import main
from autograder.cli.output import print_anything

if __name__ == "__main__":
    print_anything()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # results are ended as by Ctrl-C
    sys.exit(main())
