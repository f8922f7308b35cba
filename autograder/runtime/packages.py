"""Decide which packages a submission can import, and replace the others with stand-ins.

The list does not depend on the machine, so a submission gets the same grade everywhere.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Set
from importlib.machinery import ModuleSpec
from types import FrameType
from typing import Any, Protocol

from autograder.runtime.compiling import parsed
from autograder.runtime.eager import run_flex_attention_eagerly
from autograder.runtime.standin import StandIn, stand_in
from autograder.runtime.third_party import THIRD_PARTY

LISTED = frozenset({*THIRD_PARTY, *sys.stdlib_module_names})
BUILD_DATA = "_sysconfigdata"  # prefix of the standard library's modules about Python's build
OWN = frozenset({"cython_runtime"})  # created by compiled modules
IN_NOTEBOOKS = ("get_ipython", "display")  # names that notebooks know without an import
KIT = "autograder.notebook"  # in a process for student code, its functions do nothing
CALLS = ("check", "hint", "progress")
IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
RAISES = "raise"  # in place of the errors that an `except` catches and raises again
really_import_module = importlib.import_module


class OwnModules(Protocol):
    """The student's own modules, see runtime.own_files."""

    def package_of(self, module: Mapping[str, Any]) -> str: ...

    def begin(self, name: str) -> None: ...


class Imports:
    """Import listed packages for a submission, and stand-ins for all others.

    siblings: names of the course's modules. text: returns the source of one of the submission's
    files, or None. own: the student's own modules. missing: names of the packages that were
    replaced.
    """

    def __init__(
        self, siblings: list[str], text: Callable[[str], str | None], own: OwnModules
    ) -> None:
        self.missing: list[str] = []
        self._siblings = frozenset(siblings)
        self._text = text
        self._own = own
        self._tries: dict[str, list[tuple[int, int, set[str]]]] = {}
        self.builtins = {
            **vars(builtins),
            **{name: stand_in(name) for name in IN_NOTEBOOKS},
            **{name: stand_in(f"{KIT}.{name}") for name in CALLS},
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
        root, package = name.partition(".")[0], ""
        if level and not (globals or {}).get("__package__"):  # beside a module that is in none
            package = self._own.package_of(globals or {})
            globals = {"__package__": package}
            level = 0 if root in self._siblings else level
        if not level:
            self._own.begin(root)
        try:
            found = builtins.__import__(name, globals, locals, fromlist, level)
            run_flex_attention_eagerly()
            return found
        except ModuleNotFoundError as error:
            missing = str(error.name).rpartition(".")[2] if package else str(error.name)
            part = "" if level or root not in LISTED else _lacking(error)
            if missing != root and not part and not isinstance(sys.modules.get(root), StandIn):
                raise
            is_kit = KIT in (name, *(f"{name}.{one}" for one in fromlist or ()))
            if not is_kit and self._has_alternative(error):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name) from None
        lacks = missing.partition(".")[0] if part else root
        if lacks not in self.missing and part != missing and not is_kit:
            self.missing.append(lacks)
        if not part:
            return stand_in(name if fromlist else root)
        _replace(part)
        return self._import(name, globals, locals, fromlist)

    def _has_alternative(self, error: ModuleNotFoundError) -> bool:
        """Return whether the code that imports a module catches this error, or its callers do."""
        caller = _caller()
        if self._catches(caller, {RAISES}):
            return self.is_caught(error)
        return self._catches(caller, IMPORT_ERRORS)

    def forget_calls(self) -> None:
        """Make the kit's functions unknown again, after the lines of a notebook that call them."""
        for name in CALLS:
            self.builtins.pop(name, None)

    def is_caught(self, error: BaseException) -> bool:
        """Return whether the submission's code that is running catches an error of this kind."""
        kinds = {kind.__name__ for kind in type(error).__mro__}
        frame: FrameType | None = sys._getframe(1)
        while frame and not self._catches(frame, kinds):
            frame = frame.f_back
        return frame is not None

    def _catches(self, frame: FrameType, kinds: Set[str]) -> bool:
        """Return whether the submission handles one of these errors where a frame is."""
        file, line = frame.f_code.co_filename, frame.f_lineno
        if file not in self._tries:
            text = self._text(file)
            self._tries[file] = [] if text is None else list(_tries(parsed(text)))
        return any(
            first <= line <= last and not kinds.isdisjoint(caught)
            for first, last, caught in self._tries[file]
        )


def _import_module(name: str, package: str | None = None) -> Any:
    """Import a module as importlib does; for a submission's code, as its `import` does."""
    caller = sys._getframe(1)
    if caller.f_builtins is vars(builtins):
        return really_import_module(name, package)
    whole = importlib.util.resolve_name(name, package)
    return caller.f_builtins["__import__"](whole, caller.f_globals, None, ("__name__",))


def _caller() -> FrameType:
    """Return the frame of the code that imports something by a function of this module."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__ and frame.f_back:
        frame = frame.f_back
    return frame


def _lacking(error: ModuleNotFoundError) -> str:
    """Return the name of a library's module that needs what cannot be found; "" if none does."""
    name = str(error.name)
    if isinstance(sys.modules.get(name.rpartition(".")[0]), StandIn):
        return name
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    return next((f.f_globals["__name__"] for f in frames if f.f_code.co_name == "<module>"), "")


def _replace(name: str) -> None:
    """Put a stand-in in the place of a library's module that cannot be imported."""
    parent, _, last = name.rpartition(".")
    sys.modules[name] = stand_in(name)  # type: ignore[assignment]
    if parent:
        setattr(sys.modules[parent], last, sys.modules[name])


def _tries(tree: ast.Module) -> Iterator[tuple[int, int, set[str]]]:
    """Yield the line ranges in which `try` or `with suppress(...)` catches errors, and which.

    Of an `except` that ends with `raise`, yields RAISES.
    """
    for node in ast.walk(tree):
        caught: list[ast.expr | None] = []
        if isinstance(node, ast.Try):
            caught = [
                ast.Name(RAISES) if isinstance(one.body[-1], ast.Raise) else one.type
                for one in node.handlers
            ]
        elif isinstance(node, ast.With):
            calls = [i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call)]
            caught = [a for c in calls if ast.unparse(c.func).endswith("suppress") for a in c.args]
        if isinstance(node, ast.Try | ast.With) and caught:
            kinds = {name for one in caught for name in _named(one)}
            yield node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno, kinds


def _named(caught: ast.expr | None) -> Iterator[str]:
    """Yield the names of the errors in an except clause. None: a bare `except:`."""
    if caught is None:
        yield "BaseException"
        return
    for node in ast.walk(caught):
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.id if isinstance(node, ast.Name) else node.attr


class _Listed:
    """A wrapper around another finder that finds only listed packages."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] not in LISTED and not name.startswith(BUILD_DATA):
            return None
        found: ModuleSpec | None = self._finder.find_spec(name, path, target)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def allow_only_listed() -> None:
    """Prevent this process from importing anything that is not listed, in any way.

    Libraries also get the same packages on every machine. The grader's own modules are not listed:
    they leave sys.modules and keep running.
    """
    for name in [*sys.modules]:
        root = name.partition(".")[0]
        if root not in LISTED and root not in OWN and not root.startswith("_"):
            del sys.modules[name]
    sys.meta_path[:] = [_Listed(finder) for finder in sys.meta_path]
    importlib.import_module = _import_module
