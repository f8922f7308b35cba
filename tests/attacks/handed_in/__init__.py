"""Hostile files and folders: each function puts one into a class's folder, beside honest work.

The first line of a function says what a student tries with it. They are run by the tests, not by
students: what is hostile is what they make. `secret` is a folder outside, which holds a solution.
"""
