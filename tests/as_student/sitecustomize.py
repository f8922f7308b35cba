"""Hides an editable install of this project from Python: a student's machine has none.

Python imports this file at its start if its folder is in PYTHONPATH.
"""

import sys

sys.meta_path[:] = [
    finder for finder in sys.meta_path if not finder.__module__.startswith("__editable__")
]
