"""nbgrader's side: its course, and the engine in place of its kernel. No other room knows it."""

MARK = "attention_exercise_kit"  # in the metadata of a notebook that was graded
