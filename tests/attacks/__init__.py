"""Hostile submissions, one to a file, and `run`, which grades them in the locked sandbox.

An attack's docstring says what it tries, which exercise it pretends to be, and what safe means.
Where it manages what a locked room has to prevent, it prints `BREACH` and what it was. The names
of all files that it makes begin with `breach-` and the number of its parent. None harms the
machine, not even without a lock.
"""
