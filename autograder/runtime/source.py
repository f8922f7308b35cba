"""Load a module from its text, with the modules beside it, and say what went wrong where."""

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

from autograder.runtime.mending import without_broken
from autograder.runtime.packages import Imports
from autograder.runtime.standin import NotThere
from autograder.runtime.substitute import Unsuited

Code = str | list[list[str]]
TEXT_LIMIT = 500  # characters of an exception's text or of a line of code
NO_MEMORY = ("can't allocate memory", "std::bad_alloc")  # what PyTorch's errors say
DEFINED = re.compile(r"^(?:class|def|async def)\s+(\w+)", re.MULTILINE)  # at the top level
FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Unavailable(NotImplementedError):
    """An exercise of another module that is not there was used."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} is not there: {reason}")
        self.name = name


class TimeUp(BaseException):
    """The time for a question is over; raised where the student's code stands."""


class Source:
    """The texts of a submission: `stem` names the module that is graded.

    texts: module name -> Python source, or a notebook's cells as [label, Python source]. A line at
    the top level that raises does not keep what stands below it from being run, nor a syntax error
    what stands apart from it. `siblings` are the module names that may be imported from beside it;
    one that has no text, and every name that a sibling does not define, is a class that raises
    Unavailable when used. All other texts are the student's own modules, `name` or `package.name`,
    which are imported as Python does. substitutes: classes that take the place of what is defined
    by their names, in all of the texts.
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
        self.lost: dict[str, BaseException] = {}  # by name: why what would define it did not
        self.imports: Imports | None = None
        self._spans: dict[str, list[tuple[int, int, str]]] = {}

    def load(self, keep: bool) -> dict[str, Any] | None:
        """Execute the module; what it defined is in `namespace`. Returns the problem, if any.

        keep: leave the modules in sys.modules, where code that imports late finds them; this
        process is theirs, and imports are as in child.packages.
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
        """Run the text of one of the modules in its namespace. Raises the first thing it raises,
        after all lines have been run, unless that is only what is missing in the grader."""
        errors: list[BaseException] = []
        namespace = module.__dict__
        namespace.update(self.substitutes)
        if self.imports:
            namespace["__builtins__"] = self.imports.builtins
        lost = self.lost if name == self.stem else {}
        for file, text in self.parts[name]:
            if self.imports:  # where inspect.getsource finds it
                linecache.cache[file] = (partial(str, text),)  # read once it is asked for
            errors += self._run(text, file, namespace, lost)
        namespace.update(self.substitutes)  # for what was made there in another way
        own = [error for error in errors if not isinstance(error, NotThere)]
        if own:
            raise own[0]

    def _run(
        self, text: str, file: str, namespace: dict[str, Any], lost: dict[str, BaseException]
    ) -> list[BaseException]:
        """Execute a text; go on below a line at the top level that raises.

        Returns why they raised, and puts into `lost` the names that are not there for that reason.
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
        """Execute code. Returns the line that raised, if one did, and notes why in `errors`."""
        try:
            exec(code, namespace)
        except TimeUp:
            raise
        except BaseException as error:
            errors.append(_cause(error, lost))
            stood = traceback.walk_tb(error.__traceback__)
            return next((line for frame, line in stood if frame.f_code is code), sys.maxsize)
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
        """An exception as data: its kind, type, text, and the student's own frames."""
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
        """The classes and functions that the module's text defines, whether or not it runs."""
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
        """Did the student's own code raise this, and not something that it called?"""
        if isinstance(error, Unavailable):
            return True
        last = list(traceback.walk_tb(error.__traceback__))[-1][0].f_code.co_filename
        raises = bool(frames) and re.search(r"(^|[:;]\s*)raise\b", frames[-1]["code"])
        return last in self._files and bool(raises)

    def _at(self, file: str, line: int) -> str:
        """The top-level class or function in which a line stands."""
        if file not in self._spans:
            self._spans[file] = _spans(self._files[file])
        return next((name for first, last, name in self._spans[file] if first <= line <= last), "")


class _Siblings(MetaPathFinder, Loader):
    """Serves modules beside the graded one; an assignment's has every name that is asked for."""

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
        reason = f"{name}.py was not handed in"
        if name in self.source.parts:
            reason = f"{name}.py does not define it"
            try:
                self.source.execute(name, module)
            except TimeUp:
                raise
            except BaseException as error:  # what it defined before is served
                reason = f"{name}.py stopped with {type(error).__name__}: {_text(error)}"
        else:
            module.__dict__.update(self.source.substitutes)
        module.__dict__["__getattr__"] = lambda wanted: _unavailable(wanted, reason)


class _Replace(ast.NodeTransformer):
    """Puts names that are known already in the place of definitions at the top level."""

    def __init__(self, known: Mapping[str, type]) -> None:
        self.known = known

    def _replaced(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if node.name in self.known else node

    visit_ClassDef = visit_FunctionDef = _replaced  # noqa: N815  (what is inside them is not visited)


@lru_cache(maxsize=16)  # a module that is graded is imported by others that are graded, too
def _compiled(text: str, file: str) -> CodeType:
    return compile(text, file, "exec", dont_inherit=True)


def _cause(error: BaseException, lost: Mapping[str, BaseException]) -> BaseException:
    """Return the cause of an error: a name is unknown if the statement defining it raised."""
    return lost.get(error.name or "", error) if isinstance(error, NameError) else error


def _first_line(node: ast.stmt) -> int:
    """The line with which a statement begins, or its first decorator."""
    return min(n.lineno for n in (node, *getattr(node, "decorator_list", [])))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement would give a meaning to, as far as its text tells."""
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
    except BaseException as worse:  # a __str__ of the student's that fails
        return f"(its text cannot be shown: {type(worse).__name__})"
