"""nbgrader's side: its course, and the engine in place of its kernel. No other room knows it."""

import sys

# For a kind of address that no notebook has, jsonschema reads a grammar that takes seconds.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

MARK = "attention_exercise_kit"  # in the metadata of a notebook that was graded
