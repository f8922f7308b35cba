"""`python -m autograder`."""

import sys

from autograder import interrupts


def run() -> int:
    """Run the command line. Returns the exit code."""
    from autograder.cli.names import read_every_name
    from autograder.errors import AutograderError
    from autograder.report.codes import INTERRUPTED, complain

    try:
        read_every_name()
        from autograder.cli.main import main
        from autograder.report.streams import print_anything

        print_anything()
        return main()
    except AutograderError as error:
        return complain(error)
    except KeyboardInterrupt:  # the second one, before the command began
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    interrupts.start()  # a command is interrupted only once it can say so
    sys.exit(run())
