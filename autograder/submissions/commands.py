"""Turn one of Jupyter's commands into Python, if it runs Python or sets a name or a variable."""

from __future__ import annotations

import re

MOST_NESTED = 8  # commands in a command, as in `%time %prun f()`
# Commands that run the Python behind them, with their options.
RUNS = re.compile(
    r"%(?:time[ \t]+(?:--no-raise-error[ \t]+)?"
    r"|(?:prun|snakeviz)[ \t]+(?:(?:-[DlsTf][ \t]*\S+|-[rqt]+)[ \t]+)*"
    r"|memit[ \t]+(?:(?:-[rti][ \t]*\S+|-[co]+)[ \t]+)*"
    r"|[lm]prun[ \t]+(?:(?:-[fmTDu][ \t]*\S+|-[rszc]+)[ \t]+)*)"
    r"(?=[^\s#])"
)
TIME = re.compile(r"%time[ \t]+(?:--no-raise-error[ \t]+)?(?=[^\s#])")  # has the Python's value
FILES = re.compile(r"%(?P<name>run|cd)(?:[ \t]+(?P<text>.*))?$")  # see runtime.commands
VARIABLE = re.compile(r"%(?:set_)?env[ \t]+(\w+)(?:[ \t]*=|[ \t])[ \t]*([^{$\s][^{$]*)$")
MODULES = re.compile(r"%aimport[ \t]+(-?[A-Za-z_][\w.]*(?:[ \t]*,[ \t]*-?[A-Za-z_][\w.]*)*)\s*$")
MODULE = re.compile(r"(?<![-\w.])[A-Za-z_][\w.]*")  # one that no sign takes off the list
PYLAB = re.compile(r"%pylab\b(?P<few>.*--no-import-all)?")
NUMPY = "import numpy; np = numpy; from matplotlib import pyplot as plt"
# Commands without the sign, as IPython admits them in a cell of one line.
AUTOMAGIC = re.compile(
    r"(?:time|timeit|prun|run|env|set_env|aimport|pylab|matplotlib|load_ext|autoreload|pip|conda"
    r"|mamba|uv|cd|ls|ll|pwd|mkdir|rmdir|rm|cp|mv|cat|man|whos?|who_ls|lsmagic|precision|xmode"
    r"|config|store|hist(?:ory)?|reset|clear|save|load|pdb|debug)"
    r"[ \t]*(?:$|(?<=[ \t])(?!(?:and|if|in|is|not|or)\b|[*/]{1,2}=)"
    r"(?:-$|-{1,2}\w|[\w./~'\"*]))"
)
CALL = re.compile(  # as nbconvert writes it
    r"(?<![\w.])get_ipython\(\)\.run_line_magic\(\s*(?P<name>'\w+'|\"\w+\"),\s*"
    r"(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\s*\)[ \t]*$"
)


def without_runners(command: str) -> str:
    """Return the Python, or another command, that a command such as %time runs; or the command."""
    for _ in range(MOST_NESTED):
        if not (found := RUNS.match(command)):
            break
        command = command[found.end() :]
    return command


def python_of(command: str) -> str:
    """Return Python that does what a command does for a submission, or "" if that is nothing."""
    if found := FILES.match(command):
        return f"get_ipython().run_line_magic({found['name']!r}, {found['text'] or ''!r})"
    if found := VARIABLE.match(command):
        return f"__import__('os').environ[{found[1]!r}] = {found[2].strip()!r}"
    if found := MODULES.match(command):
        return "; ".join(f"import {name}" for name in MODULE.findall(found[1]))
    if found := PYLAB.match(command):
        return NUMPY if found["few"] else f"{NUMPY}; from numpy import *"
    return ""


def value_of(command: str) -> str:
    """Return an expression for what a command gives, which may be nothing that can be used."""
    for _ in range(MOST_NESTED):
        if not (found := TIME.match(command)):
            break
        command = command[found.end() :]
    if command.split() in (["%pwd"], ["!pwd"]):
        folder = "__import__('os').getcwd()"
        return f"[{folder}]" if command.startswith("!") else folder
    if command.startswith("!"):
        return f"get_ipython().getoutput({command[1:]!r})"
    if command.startswith("%"):
        name, _, text = command[1:].partition(" ")
        return f"get_ipython().run_line_magic({name!r}, {text!r})"
    return command


def as_typed(line: str) -> str:
    """Return a line with the command in place of the call that nbconvert makes of it."""
    if not (found := CALL.search(line)):
        return line
    text = re.sub(r"\\(.)", r"\1", found["text"][1:-1])
    return f"{line[: found.start()]}%{found['name'][1:-1]} {text}"
