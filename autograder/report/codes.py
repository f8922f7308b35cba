"""Exit codes of the verbs, and the sentence on stderr of one that fails."""

from __future__ import annotations

import sys

from autograder.errors import AutograderError, GraderError, UsageError
from autograder.grading.fitting import printable

OK, POINTS_LOST, INTERRUPTED, FAILED, USAGE = range(5)


def complain(error: AutograderError) -> int:
    """Print an error to stderr. Returns its exit code."""
    at_fault = "The grader failed: " if isinstance(error, GraderError) else ""
    print(f"{at_fault}{printable(str(error))}", file=sys.stderr)
    return USAGE if isinstance(error, UsageError) else FAILED
