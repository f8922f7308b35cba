"""The command line: its verbs and the grading output."""
