"""Contents of cells: Jupyter commands, experiments, code that does not work."""

from __future__ import annotations

from damage.released import LEAF, Book, Damage, answer, on_notebook, own, put


def added(name: str, source: object, phrase: str = "", at: int = 3, **expected: object) -> Damage:
    """Return a case with a student's own cell, after the imports or at another index."""

    @on_notebook(name, phrase, **expected)  # type: ignore[arg-type]
    def with_a_cell(book: Book) -> None:
        put(book, own(source), at)

    return with_a_cell


def in_answer(
    name: str, above: str, below: str = "", phrase: str = "", lost: bool = False
) -> Damage:
    """Return a case with more code in the cell of an answer."""

    @on_notebook(name, phrase, lost=(LEAF,) if lost else ())
    def with_more(book: Book) -> None:
        cell = answer(book, LEAF)
        cell["source"] = above + "".join(cell["source"]) + below

    return with_more


ELSE = "All other cells were graded."
ENDED = "The code ended its own process"
LAST = 1_000_000

# Jupyter commands

pip = added("%pip", "%pip install numpy\nimport math")
shell = added("!", "!pip install torch\n  !ls\nx = 1")
bash = added("%%bash", "%%bash\nfor f in *; do echo $f; done")
html = added("%%html", "\n%%html\n<b>not Python</b>")
timeit = added("%timeit", "%timeit torch.ones(3) @ torch.ones(3)")
timeit_block = added("%timeit in a block", "for i in range(2):\n    %timeit -n1 i\n    x = i")
question = added("a question mark in front", "?torch.softmax")
run = added("%run of another notebook", "%run multi_head.ipynb")
answer_timed = in_answer("%%time above an answer", "%%time\n")
answer_matplotlib = in_answer("%matplotlib above an answer", "%matplotlib inline\n")
answer_shell = in_answer("a shell's output is kept in an answer's cell", "", "\nfiles = !ls -l\n")
answer_kept = in_answer("%timeit -o in an answer's cell", "", "\ntook = %timeit -o -n1 1 + 1\n")
answer_help = in_answer("a question mark in an answer's cell", "", f"\n{LEAF}.forward?\n")
answer_source = in_answer("two question marks in an answer's cell", "", f"\n{LEAF}??\n")
answer_written = in_answer(
    "%%writefile above an answer", "%%writefile mine.py\n", phrase="not define it", lost=True
)
awaits = added("await", "import asyncio\nawait asyncio.sleep(0)")
displays = added("display", "display(torch.ones(2))")
shell_object = added("get_ipython", "get_ipython().run_line_magic('ls', '')")
last_value = added("the last value", "_ + 1\nOut[1]", ELSE)

# Experiments

raises = added("an experiment raises", "1 / 0", "ZeroDivisionError: division by zero")
raises_below = added("an experiment at the end raises", "torch.ones(2) @ torch.ones(3)", ELSE, LAST)
asks = added("input()", "name = input('Your name: ')", "EOFError")
exits = added("exit", "import sys\nsys.exit(1)", "It ends the program")
quits = added("quit()", "quit()", "quit")
recursive = added("an endless recursion", "def f():\n    return f()\nf()", "RecursionError")
greedy = added("an experiment wants all memory", "big = torch.ones(10**12)", "memory")
endless_below = added("an endless experiment at the end", "while True:\n    pass", "endless", LAST)
endless = added("an endless experiment", "while True:\n    pass", "endless loop")
waits = "\nif True:\n    x = 1\nif not x:\n    x = 2\nelse:\n    while True:\n        x += 1\n"
answer_endless = in_answer("an answer's cell goes on without end", "", waits, "endless loop")
sleeps = added("an experiment sleeps", "import time\ntime.sleep(3600)", "Not finished")
prints = added("an experiment prints 10 MB", "for _ in range(10_000):\n    print('x' * 1000)")
warns = added("an experiment warns", "import warnings\nwarnings.warn('careful')")
dies = added("an experiment ends the process", "import os\nos._exit(0)", ENDED, graded=False)
missing = added(
    "a package that is not there", "import my_plots", "The grader runs without my_plots"
)
no_data = added("a file that is not there", "open('data/input.txt').read()", "FileNotFoundError")
sets_types = added("another default type", "torch.set_default_dtype(torch.float64)")
no_gradients = added("gradients are turned off", "torch.set_grad_enabled(False)")
seeds = added("a seed is set", "torch.manual_seed(0)\nimport random\nrandom.seed(0)")
patches = added("torch.allclose is replaced", "torch.allclose = lambda *_, **__: True")
cuda = added("a GPU is wanted", "x = torch.ones(2).to('cuda')", ELSE)
sleeper = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()"
threads = added("a thread goes on", sleeper)

# Code that cannot be read

syntax = added("a syntax error in an experiment", "def f(:\n", "Python cannot read the file")
unfinished = added("an experiment is unfinished", "for i in range(3):", "Python cannot read")
answer_syntax = in_answer("a syntax error in an answer", "", "\n)", "Python cannot read", lost=True)
answer_conflict = in_answer(
    "marks of a merge in an answer",
    "<<<<<<< HEAD\n",
    "\n>>>>>>> mine\n",
    "There is a merge conflict",
)
answer_quotes = in_answer("quotes of a text editor", "x = \u201chello\u201d\n", "", "U+201C")
answer_space = in_answer("a space that is none", "x =\u00a01\n", "", "U+00A0")
answer_mark = in_answer("a byte order mark in an answer", "\ufeff")
answer_tabs = in_answer("tabs and spaces", "if True:\n\tx = 1\n        y = 2\n", "", "tab")
answer_feed = in_answer("a form feed in an answer", "\f\nx = 1\n")
answer_foreign = in_answer("letters of every script", "größe = 1\n# 你好, \U0001f600, e\u0301\n")
answer_half = in_answer(
    "half a character in an answer's comment", "# \ud83d\n", "", "surrogate", True
)
half = added("half a character in an experiment", "x = '\ud800'", "surrogate")
nul = added("a NUL in an experiment", "x = 1\0", "contains NUL bytes", graded=False)
pasted = added(
    "300 kB of pasted data", f"data = '{'a' * 300_000}'", "Take out pasted", graded=False
)
deep = added("parentheses without end", "(" * 50_000 + ")" * 50_000, "too many nested")


@on_notebook("lines end as on Windows")
def windows_lines(book: Book) -> None:
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")


@on_notebook("lines end as on an old Macintosh")
def macintosh_lines(book: Book) -> None:
    for cell in book["cells"]:
        cell["source"] = [line.replace("\n", "\r") for line in cell["source"]]


@on_notebook("texts are one string each")
def one_string(book: Book) -> None:
    for cell in book["cells"]:
        cell["source"] = "".join(cell["source"])


@on_notebook("texts have empty pieces")
def pieces(book: Book) -> None:
    for cell in book["cells"]:
        cell["source"] = [piece for letter in "".join(cell["source"]) for piece in (letter, "")]


@on_notebook("four experiments are endless, one of them in a function", "endless loop")
def four_endless(book: Book) -> None:
    put(book, own("def wait():\n    while True:\n        pass"), 3)
    for place in (4, 6, 8):
        put(book, own("wait()"), place)
    put(book, own("losses = []\nwhile True:\n    losses.append(1)"), 10)
