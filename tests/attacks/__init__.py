"""Hostile submissions, one to a file, and `run`, which grades them in the locked sandbox.

An attack's docstring says what it tries, which exercise it pretends to be, and what safe means.
Where it manages what a locked room has to prevent, it prints `BREACH` and what it was; every file
that it makes has `breach` in its name. None harms the machine, not even without a lock.
"""
