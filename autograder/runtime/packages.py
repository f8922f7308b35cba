"""Which packages a submission finds, at home as in class, and what stands in for the others."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from typing import Any

from autograder.runtime.eager import run_flex_attention_eagerly
from autograder.runtime.standin import stand_in

# torch, einops and what they import, at once or when it is needed.
NEEDED = ("torch", "einops", "numpy", "typing_extensions")
WELCOME = (
    "torchgen", "functorch", "filelock", "fsspec", "jinja2", "markupsafe", "mpmath", "networkx",
    "sympy", "nvidia", "triton",
)  # fmt: skip
HARMLESS = ("scipy", "opt_einsum", "more_itertools")  # where they are installed
LISTED = frozenset({*NEEDED, *WELCOME, *HARMLESS, *sys.stdlib_module_names})
UNLISTED = "_sysconfigdata"  # begins the names of what Python keeps about how it was built
OWN = frozenset({"cython_runtime"})  # of compiled modules
IN_NOTEBOOKS = ("get_ipython", "display")  # names that are known there without an import
REFUSALS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


class Imports:
    """Imports for a submission: what is listed is the real thing, all else a stand-in.

    siblings: names of modules of its own. text: the source of a file of it, or None. What was not
    there, by the names of the packages, is in `missing`.
    """

    def __init__(self, siblings: list[str], text: Callable[[str], str | None]) -> None:
        self.missing: list[str] = []
        self._own = frozenset(siblings)
        self._text = text
        self._guarded: dict[str, list[tuple[int, int]]] = {}
        self.builtins = {
            **vars(builtins),
            **{name: stand_in(name) for name in IN_NOTEBOOKS},
            "__import__": self._import,
        }

    def _import(
        self,
        name: str,
        globals: dict[str, Any] | None = None,
        locals: dict[str, Any] | None = None,
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> Any:
        root = name.partition(".")[0]
        if level == 1 and root in self._own:  # it lies beside this module
            level = 0
        if level or root in LISTED or root in self._own:
            try:
                found = builtins.__import__(name, globals, locals, fromlist, level)
                run_flex_attention_eagerly()
                return found
            except ModuleNotFoundError as error:
                if error.name != root:
                    raise
        caller = sys._getframe(1)
        if self._is_guarded(caller.f_code.co_filename, caller.f_lineno):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if root not in self.missing:
            self.missing.append(root)
        return stand_in(name if fromlist else root)

    def _is_guarded(self, file: str, line: int) -> bool:
        """Return whether the submission handles a failed import at this line."""
        if file not in self._guarded:
            text = self._text(file)
            self._guarded[file] = [] if text is None else list(_guarded(ast.parse(text)))
        return any(first <= line <= last for first, last in self._guarded[file])


def _guarded(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The lines in which a failed import is caught: those of `try`, and of `with suppress(...)`."""
    for node in ast.walk(tree):
        caught: list[ast.expr | None] = []
        if isinstance(node, ast.Try):
            caught = [handler.type for handler in node.handlers]
        elif isinstance(node, ast.With):
            calls = [i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call)]
            caught = [a for c in calls if ast.unparse(c.func).endswith("suppress") for a in c.args]
        if isinstance(node, ast.Try | ast.With) and any(map(_catches, caught)):
            yield node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno


def _catches(caught: ast.expr | None) -> bool:
    """Return whether an except clause catches a failed import. None: it catches everything."""
    if caught is None:
        return True
    return any(isinstance(n, ast.Name) and n.id in REFUSALS for n in ast.walk(caught))


class _Listed:
    """A finder that finds what is listed, and nothing else that another one would find."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] not in LISTED and not name.startswith(UNLISTED):
            return None
        found: ModuleSpec | None = self._finder.find_spec(name, path, target)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def keep_to_the_list() -> None:
    """Have this process import nothing that is not listed, however it is done.

    So libraries, too, find at home what they find in class. The code that runs submissions is not
    listed either: it goes on without an entry among the modules.
    """
    for name in [*sys.modules]:
        root = name.partition(".")[0]
        if root not in LISTED and root not in OWN and not root.startswith("_"):
            del sys.modules[name]
    sys.meta_path[:] = [_Listed(finder) for finder in sys.meta_path]
