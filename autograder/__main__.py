"""`python -m autograder`."""

import os
import sys


def leave_out_working_folder() -> None:
    """Import nothing from the working folder, where `python -m` looks first: it may be a class's.

    A torch.py there would be run with the user's rights.
    """
    kit = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it no longer exists, as the command will say
        return
    sys.path[:] = [one for one in sys.path if here == kit or os.path.realpath(one) != here]


def run() -> int:
    """Run the command line. Returns the exit code."""
    try:
        return _run()
    except ImportError as error:
        if (error.name or "autograder").partition(".")[0] == "autograder":
            raise
        said = f"The kit cannot start here: {error}. Call make setup in its folder."
        print(said, file=sys.stderr)
        return 3  # as in report.codes, which may lack that package too


def _run() -> int:
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
    leave_out_working_folder()
    from autograder import interrupts

    interrupts.start()  # a command is interrupted only once it can say so
    sys.exit(run())
