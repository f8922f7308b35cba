"""`python -m autograder`."""

import sys

from autograder import interrupts
from autograder.cli.codes import INTERRUPTED

if __name__ == "__main__":
    interrupts.start()  # a command is interrupted only once it can say so
    try:
        from autograder.cli.main import main
        from autograder.report.streams import print_anything

        print_anything()
        code = main()
    except KeyboardInterrupt:  # the second one, before the command began
        print("interrupted", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)
