"""The connection to nbgrader: its course, and a grader in place of its kernel.

No other package imports nbgrader.
"""

import sys

# jsonschema would load a grammar for a kind of address that no notebook has, which takes seconds.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

MARK = "attention_exercise_kit"  # in the metadata of a notebook that was graded
