"""The functions for students in a notebook: check("ScaledDotProduct"), hint(), progress().

They grade the text of the cells that were run in this session, in a process of its own, so nothing
need be saved, and what a cell has changed in this kernel does not count.
"""

from autograder.notebook.calls import check, hint, progress

__all__ = ["check", "hint", "progress"]
