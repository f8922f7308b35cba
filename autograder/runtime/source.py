"""Load a module and its sibling modules from text, and report what failed and where."""

from __future__ import annotations
import __future__

import ast
import functools
import importlib.util
import linecache
import operator
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from autograder.runtime.packages import Imports
from autograder.runtime.recovery import without_broken
from autograder.runtime.standin import NotThere
from autograder.runtime.substitute import Unsuited

Code = str | list[list[str]]
TEXT_LIMIT = 500  # characters of an exception's text or of a line of code
NO_MEMORY = ("can't allocate memory", "std::bad_alloc")  # in PyTorch's error messages
DEFINED = re.compile(r"^(?:class|def|async def)\s+(\w+)", re.MULTILINE)  # at the top level
FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Unavailable(NotImplementedError):
    """A submission used an exercise of another module that is missing."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} is missing: {reason}")
        self.name = name


class TimeUp(BaseException):
    """The time for a question is over. Raised in the line of the student's code that is running."""


class Source:
    """The texts of a submission, which can be loaded; `stem` names the graded module.

    texts: module name -> Python source, or a notebook's cells as [label, Python source]. Loading
    continues after a top-level statement that raises, and runs what a syntax error does not affect.
    siblings: names of the course's other modules, which the text may import. If a sibling has no
    text or does not define a name, the name is a class that raises Unavailable when used. All other
    texts are the student's own modules, `name` or `package.name`, with Python's import rules.
    substitutes: classes by the names whose definitions they replace, in all texts.
    """

    def __init__(
        self,
        stem: str,
        texts: Mapping[str, Code],
        siblings: list[str],
        substitutes: Mapping[str, type] | None = None,
    ) -> None:
        self.stem = stem
        self.parts = {
            name: [(f"{name}.py", text)] if isinstance(text, str) else [(a, b) for a, b in text]
            for name, text in texts.items()
        }
        self.siblings = siblings
        self.own = frozenset(texts) - {stem, *siblings}
        self.substitutes = dict(substitutes or {})
        self._files = {file: text for parts in self.parts.values() for file, text in parts}
        self.namespace: dict[str, Any] = {}
        self.lost: dict[str, BaseException] = {}  # undefined name -> the error that prevented it
        self.imports: Imports | None = None
        self._spans: dict[str, list[tuple[int, int, str]]] = {}

    def load(self, keep: bool) -> dict[str, Any] | None:
        """Execute the module and put its definitions into `namespace`. Returns the problem, if any.

        keep: leave the modules in sys.modules for imports at run time, and import packages as in
        runtime.packages. For a process that runs nothing but this submission.
        """
        if keep:
            roots = {name.partition(".")[0] for name in self.own}
            self.imports = Imports([self.stem, *self.siblings, *roots], self._files.get)
        finder = _Siblings(self)
        names = (self.stem, *self.siblings, *filter(_is_own, self.own))
        kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
        sys.meta_path.insert(0, finder)
        module = ModuleType(self.stem)
        module.__dict__["__file__"] = f"{self.stem}.py"
        sys.modules[self.stem] = module
        self.namespace = module.__dict__
        try:
            self.execute(self.stem, module)
        except BaseException as error:
            return self.problem(error)
        finally:
            if not keep:
                sys.meta_path.remove(finder)
                for name in (*names, *filter(_is_own, self.own)):
                    sys.modules.pop(name, None)
                sys.modules.update(kept)
        return None

    def execute(self, name: str, module: ModuleType) -> None:
        """Run the text of one of the modules in its namespace.

        After all statements have run, raises the first error that is not NotThere.
        """
        errors: list[BaseException] = []
        namespace = module.__dict__
        namespace.update(self.substitutes)
        if self.imports:
            namespace["__builtins__"] = self.imports.builtins
        lost = self.lost if name == self.stem else {}
        for file, text in self.parts[name]:
            if self.imports:  # for inspect.getsource
                linecache.cache[file] = (partial(str, text),)  # called when it is needed
            errors += self._run(text, file, namespace, lost)
        namespace.update(self.substitutes)  # for names not defined by `class` or `def`
        own = [error for error in errors if not isinstance(error, NotThere)]
        if own:
            raise own[0]

    def _run(
        self, text: str, file: str, namespace: dict[str, Any], lost: dict[str, BaseException]
    ) -> list[BaseException]:
        """Execute a text, and continue after each top-level statement that raises.

        Returns the errors, and adds to `lost` the names that stayed undefined because of them.
        """
        errors: list[BaseException] = []
        try:
            code = self._compiled(text, file)
        except SyntaxError as error:
            errors.append(error)
            broken, text = text, without_broken(text)
            names = {*DEFINED.findall(broken)} - {*DEFINED.findall(text)}
            lost.update(dict.fromkeys(names, error))
            code = self._compiled(text, file)
        except TimeUp:
            raise
        except BaseException as error:
            lost.update(dict.fromkeys(DEFINED.findall(text), error))
            return [error]
        line = self._raised(code, namespace, lost, errors)
        if line is None:
            return errors
        for node in self._tree(text, file).body:
            if _first_line(node) > line:
                flags = code.co_flags & FUTURE
                statement = compile(ast.Module([node], []), file, "exec", flags, dont_inherit=True)
                if self._raised(statement, namespace, lost, errors) is None:
                    continue
            elif (node.end_lineno or 0) < line:
                continue
            for name in _bound(node):
                if name not in namespace:
                    lost.setdefault(name, errors[-1])
        return errors

    @staticmethod
    def _raised(
        code: CodeType,
        namespace: dict[str, Any],
        lost: Mapping[str, BaseException],
        errors: list[BaseException],
    ) -> int | None:
        """Execute code. Returns the line that raised, if any, and appends its error to `errors`."""
        try:
            exec(code, namespace)
        except TimeUp:
            raise
        except BaseException as error:
            errors.append(_cause(error, lost))
            frames = traceback.walk_tb(error.__traceback__)
            return next((line for frame, line in frames if frame.f_code is code), sys.maxsize)
        return None

    def _compiled(self, text: str, file: str) -> CodeType:
        if not self.substitutes:
            return _compiled(text, file)
        return compile(self._tree(text, file), file, "exec", dont_inherit=True)

    def _tree(self, text: str, file: str) -> ast.Module:
        tree = ast.parse(text, file)
        if self.substitutes:
            tree = ast.fix_missing_locations(_Replace(self.substitutes).visit(tree))
        return tree

    def problem(self, error: BaseException) -> dict[str, Any]:
        """Return an exception as data: its kind, type, text, and the frames of student code."""
        frames = self._frames(error)
        kind, cause = "raised", _cause(error, self.lost)
        text = error.msg if isinstance(error, SyntaxError) and error.msg else error
        if isinstance(cause, NotThere):
            kind, text = "not_there", cause.name or ""
        elif cause is not error:
            text = f"{_text(error)}, since {self._first(cause)}"
        elif isinstance(error, NotImplementedError) and self._is_innermost(error, frames):
            kind = "unwritten"
        elif isinstance(error, Unsuited):
            kind = "unsuited"
        elif isinstance(error, SyntaxError) and error.filename in self._files:
            kind, frames = "syntax", [self._frame(error.filename, error.lineno or 1)]
        elif isinstance(error, SystemExit):
            kind = "exit"
        elif isinstance(error, TimeUp):
            kind = "timeout"
        elif isinstance(error, MemoryError) or any(said in _text(error) for said in NO_MEMORY):
            kind = "memory"
        where = error.name if isinstance(error, Unavailable) else ""
        if isinstance(error, Unsuited):
            where = error.exercise
        return {
            "kind": kind,
            "type": type(error).__name__[:TEXT_LIMIT],
            "text": _text(text),
            "frames": frames[-5:],
            "where": where or (frames[-1]["where"] if frames else ""),
        }

    def written(self) -> list[str]:
        """Return the names of top-level classes and functions in the module's text."""
        return [name for _, text in self.parts[self.stem] for _, _, name in _spans(text)]

    def _frames(self, error: BaseException) -> list[dict[str, Any]]:
        return [
            self._frame(frame.f_code.co_filename, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename in self._files
        ]

    def _first(self, cause: BaseException) -> str:
        """Describe the line that raised an exception at the top level, and its message."""
        what = f"{type(cause).__name__}: {_text(cause)}"
        frames = self._frames(cause)
        return f"`{frames[0]['code']}` raised {what}" if frames else f"of a {what}"

    def _frame(self, file: str, line: int) -> dict[str, Any]:
        lines = self._files[file].split("\n")
        code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return {
            "file": file,
            "line": line,
            "code": code[:TEXT_LIMIT],
            "where": self._at(file, line),
        }

    def _is_innermost(self, error: BaseException, frames: list[dict[str, Any]]) -> bool:
        """Return whether a `raise` in the student's own code raised this, or Unavailable did."""
        if isinstance(error, Unavailable):
            return True
        last = list(traceback.walk_tb(error.__traceback__))[-1][0].f_code.co_filename
        raises = bool(frames) and re.search(r"(^|[:;]\s*)raise\b", frames[-1]["code"])
        return last in self._files and bool(raises)

    def _at(self, file: str, line: int) -> str:
        """Return the name of the top-level class or function that contains a line, or ""."""
        if file not in self._spans:
            self._spans[file] = _spans(self._files[file])
        return next((name for first, last, name in self._spans[file] if first <= line <= last), "")


class _Siblings(MetaPathFinder, Loader):
    """Import hook for the submission's other modules; siblings offer any requested name."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.source.siblings and name not in self.source.own:
            return None
        is_package = any(one.startswith(f"{name}.") for one in self.source.own)
        return importlib.util.spec_from_loader(
            name, self, origin=f"{name}.py", is_package=is_package
        )

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in self.source.own:
            self.source.execute(name, module)
            return
        reason = f"{name}.py was not submitted"
        if name in self.source.parts:
            reason = f"{name}.py does not define it"
            try:
                self.source.execute(name, module)
            except TimeUp:
                raise
            except BaseException as error:  # what it defined before stays usable
                reason = f"{name}.py stopped with {type(error).__name__}: {_text(error)}"
        else:
            module.__dict__.update(self.source.substitutes)
        module.__dict__["__getattr__"] = lambda wanted: _unavailable(wanted, reason)


class _Replace(ast.NodeTransformer):
    """Remove the top-level definitions of names that have a substitute."""

    def __init__(self, known: Mapping[str, type]) -> None:
        self.known = known

    def _replaced(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if node.name in self.known else node

    visit_ClassDef = visit_FunctionDef = _replaced  # noqa: N815  (does not visit their bodies)


@lru_cache(maxsize=16)  # other graded modules import a graded module again
def _compiled(text: str, file: str) -> CodeType:
    return compile(text, file, "exec", dont_inherit=True)


def _cause(error: BaseException, lost: Mapping[str, BaseException]) -> BaseException:
    """Return why a NameError's name is undefined, if its definition raised, or else the error."""
    return lost.get(error.name or "", error) if isinstance(error, NameError) else error


def _first_line(node: ast.stmt) -> int:
    """Return the first line of a statement, including its decorators."""
    return min(n.lineno for n in (node, *getattr(node, "decorator_list", [])))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement would bind, judging by its text."""
    named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, named):
            yield node.name
            continue
        if isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        waiting += ast.iter_child_nodes(node)


def _is_own(name: str) -> bool:
    """Return whether this module came from the submission and not from a library."""
    return isinstance(getattr(sys.modules.get(name), "__loader__", None), _Siblings)


def _unavailable(name: str, reason: str) -> type:
    if name.startswith("__"):
        raise AttributeError(name)

    def unavailable(self: Any, *args: Any, **kwargs: Any) -> None:
        raise Unavailable(name, reason)

    return type(name, (), {"__init__": unavailable})


def _spans(text: str) -> list[tuple[int, int, str]]:
    try:
        body = ast.parse(text).body
    except SyntaxError:
        body = ast.parse(without_broken(text)).body
    except (ValueError, RecursionError, MemoryError):
        return []
    named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [(n.lineno, n.end_lineno or n.lineno, n.name) for n in body if isinstance(n, named)]


def _text(error: object) -> str:
    try:
        return str(error)[:TEXT_LIMIT]
    except BaseException as worse:  # the student's own __str__ failed
        return f"(its text cannot be shown: {type(worse).__name__})"
