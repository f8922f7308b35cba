"""Hostile submissions, one to a file, and `run`, which grades them in the locked sandbox.

An attack's docstring says what it tries, which exercise it pretends to be, and what safe means.
Where it manages what a locked room has to prevent, it prints `BREACH` and what it was. The names
of all files that it makes begin with `breach-` and the number of its parent. None harms the
machine, not even without a lock. Those whose names begin with `budget_` or `tell_` are graded with
short limits; the latter twice, with other secrets of the course, and no report may tell which it
was. What is hostile by its form, files and folders, is in `handed_in`.
"""
