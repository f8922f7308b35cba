"""Answer questions about a module, in the grader and in the process that runs a student's code.

No code here knows a right answer.
"""
