"""The command line: its verbs, their exit codes and the grading output."""
