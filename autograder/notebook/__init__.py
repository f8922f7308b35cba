"""The functions for students in a notebook: check("ScaledDotProduct"), hint(), progress().

They grade the text of the cells that were run in this session, in a process of its own, so nothing
need be saved, and what a cell has changed in this kernel does not count. Where an exercise uses
something that the kernel has otherwise than the text makes it, a sentence says so, as far as that
can be seen without running the text. Outside a notebook, `running` runs an assignment as a program.
"""

from autograder.notebook.calls import check, hint, progress

__all__ = ["check", "hint", "progress"]
