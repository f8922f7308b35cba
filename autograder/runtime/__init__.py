"""Answer questions about a module: what runs in the grader's process and beside a student's code.

Nothing here knows an answer.
"""
