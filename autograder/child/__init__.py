"""The process that runs a student's code: it starts, locks itself in and answers questions.

No code here knows a right answer.
"""
