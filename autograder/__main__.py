"""`python -m autograder`."""

import sys

from autograder.cli.main import main
from autograder.cli.output import print_anything

if __name__ == "__main__":
    print_anything()
    sys.exit(main())
