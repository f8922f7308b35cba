"""Raises SystemExit(0) when it is imported.

exercise: ScaledDotProduct
safe: it defines nothing, so it has no points
"""

import sys

sys.exit(0)
