"""The course in nbgrader: the one room that knows it."""
