"""Everything that runs in the process of a student's code. Nothing here knows an answer."""
