"""Load a module and its sibling modules from text, as far as that is possible."""

from __future__ import annotations

import importlib.util
import posixpath
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError
from types import ModuleType
from typing import Any, NoReturn

from autograder.runtime.compiling import Compiler
from autograder.runtime.going_on import GoingOn
from autograder.runtime.own_files import OwnFiles, absolute, remember
from autograder.runtime.packages import Imports
from autograder.runtime.problems import Problems, TimeUp, Unavailable, text_of
from autograder.runtime.standin import NotThere
from autograder.runtime.statements import definitions
from autograder.runtime.stepping import Stepping

Code = str | list[list[str]]


class Source:
    """The texts of a submission, which can be loaded; `stem` names the graded module.

    texts: module name -> Python source, or a notebook's cells as [label, Python source]. Loading
    continues after a top-level statement that raises, and runs what a syntax error does not affect.
    siblings: names of the course's other modules, which the text may import. If a sibling has no
    text or does not define a name, the name is a class that raises Unavailable when used. All other
    texts are the student's own modules, by their places such as `src/helpers.py`.
    substitutes: classes and functions by the names whose definitions they replace, in all texts.
    fatal: exceptions that are not the code's own, which are raised instead of being described.
    homes, folders: where the modules with a name lie, and their folders, see `OwnFiles`. stepping:
    how the graded module is run if it is a slow notebook.
    """

    def __init__(
        self,
        stem: str,
        texts: Mapping[str, Code],
        siblings: list[str],
        substitutes: Mapping[str, Callable[..., Any]] | None = None,
        fatal: tuple[type[BaseException], ...] = (),
        homes: Mapping[str, str] | None = None,
        folders: Sequence[str] = ("",),
        stepping: Stepping | None = None,
    ) -> None:
        self._stepping = stepping
        self.fatal = fatal
        self.passed_on: tuple[type[BaseException], ...] = (TimeUp, *fatal)
        self.stem = stem
        self.parts = {
            name: [(_label(name), text)] if isinstance(text, str) else [(a, b) for a, b in text]
            for name, text in texts.items()
        }
        self.siblings = siblings
        beside = {name: posixpath.join(folders[0], f"{name}.py") for name in (stem, *siblings)}
        self.homes = {**beside, **(homes or {})}
        self.own = frozenset(texts) - {stem, *siblings}
        self.files = OwnFiles(
            self.own, self.homes, folders, self.execute, self.text_of, self._begin
        )
        self.substitutes = dict(substitutes or {})
        self._files = {file: text for parts in self.parts.values() for file, text in parts}
        self.namespace: dict[str, Any] = {}
        self.lost: dict[str, BaseException] = {}  # undefined name -> the error that prevented it
        self._has_run_through = False  # all of the module's text has run, with errors or without
        self._left_out: BaseException | None = None  # the first error that an own module survived
        self.imports: Imports | None = None
        self._waiting: dict[str, ModuleType] = {}  # modules with a name that have not begun to run
        self._failed: dict[str, BaseException] = {}
        self._problems = Problems(self._files, self.lost)

    def load(self, keep: bool) -> dict[str, Any] | None:
        """Execute the module and put its definitions into `namespace`. Returns the problem, if any.

        keep: leave the modules in sys.modules for imports at run time, and import packages as in
        runtime.packages. For a process that runs nothing but this submission.
        """
        if keep:
            named = [self.stem, *self.siblings]
            self.imports = Imports(named, self._files.get, self.files)
        finders = [_Siblings(self), self.files]
        names = (self.stem, *self.siblings)
        kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
        sys.meta_path[:0] = finders
        module = ModuleType(self.stem)
        module.__dict__["__file__"] = absolute(self.homes[self.stem])
        if not self.is_apart:
            sys.modules[self.stem] = module
        self.namespace = module.__dict__
        try:
            self.run_named(self.stem, module)
        except BaseException as error:
            return self.problem(error)
        else:
            return self.problem(self._left_out) if self._left_out else None
        finally:
            if self.imports:
                self.imports.forget_calls()
            if not keep:
                for finder in finders:
                    sys.meta_path.remove(finder)
                self.files.forget()
                for name in names:
                    sys.modules.pop(name, None)
                sys.modules.update(kept)

    @property
    def is_apart(self) -> bool:
        """True if the graded module is a notebook, and a module of its name was handed in."""
        name = posixpath.basename(self.homes[self.stem])
        return name.endswith(".ipynb") and self.files.has_module(name)

    def run_named(self, name: str, module: ModuleType) -> None:
        """Run the graded module or a sibling, after its package has begun. Raises as `execute`."""
        self._waiting[name] = module
        try:
            self.files.enter_package(vars(module), self.text_of(name))
        except self.passed_on:
            raise
        except BaseException:  # if the module has not run, its own import raises it again
            pass
        self._begin(name)
        if name in self._failed:
            raise self._failed.pop(name)

    def _begin(self, name: str) -> None:
        """Run the graded module or a sibling, unless it has begun. What it defines is usable."""
        if module := self._waiting.pop(name, None):
            try:
                self.execute(name, vars(module))
            except self.passed_on:
                raise
            except BaseException as error:
                self._failed[name] = error

    def execute(self, name: str, namespace: dict[str, Any]) -> None:
        """Run the text of one of the modules in a namespace: its own, or for a notebook any.

        After all statements have run, raises the first error that is not NotThere. An own module
        does so at once if the error ends it. If not, it raises nothing until code asks for a name
        that it could not define.
        """
        errors: list[BaseException] = []
        namespace.update(self.substitutes)
        if self.imports:
            namespace["__builtins__"] = self.imports.builtins
        lost: dict[str, BaseException] = self.lost if name == self.stem else {}
        compiler = Compiler(self.parts[name], self.substitutes)
        stepping = self._stepping if name == self.stem else None
        going_on = GoingOn(self.passed_on, partial(self._ends, name), stepping)
        if self.imports:  # for inspect.getsource, which asks for a class by its module's file
            remember(str(namespace["__file__"]), self.text_of(name))
        for file, text in self.parts[name]:
            if self.imports:
                remember(file, text)
            errors += going_on.run(text, file, namespace, lost, compiler)
            if self._ends(name, errors):
                break
        self._has_run_through |= name == self.stem
        for one, substitute in self.substitutes.items():  # not defined by `class` or `def`
            if not isinstance(namespace.get(one), ModuleType):  # a file for each class
                namespace[one] = substitute
        own = [error for error in errors if not isinstance(error, NotThere)]
        if name in self.own and own and not self._ends(name, errors):
            self._left_out = self._left_out or own[0]
            self.lost.update({**lost, **self.lost})
            if namespace is not self.namespace:
                namespace.setdefault("__getattr__", partial(_lost, namespace["__name__"], lost))
        elif own:
            late = next((one for one in own if isinstance(one, TimeUp)), own[0])
            raise own[-1] if name in self.own else late

    def _ends(self, name: str, errors: Sequence[BaseException]) -> bool:
        """Return whether the last of these errors ends a module, which only an own module does.

        An exit and a failed import do, and what the code that imports the module catches. It goes
        on behind all else, such as a file that it cannot write here, or a version it cannot read.
        """
        if name not in self.own or not errors or isinstance(errors[-1], NotThere):
            return False
        error = errors[-1]
        is_import = isinstance(error, ImportError) and not isinstance(error, PackageNotFoundError)
        is_final = is_import or isinstance(error, SyntaxError) or not isinstance(error, Exception)
        return is_final or not self.imports or self.imports.is_caught(error)

    def text_of(self, name: str) -> str:
        """Return the text of a module; "" if it was not handed in."""
        return "\n".join(text for _, text in self.parts.get(name, []))

    def problem(self, error: BaseException) -> dict[str, Any]:
        """Return an exception as data: its kind, type, text, and the frames of student code.

        Raises it if it is fatal.
        """
        if isinstance(error, self.fatal):
            raise error
        return self._problems.described(error)

    def written(self) -> list[str]:
        """Return the names of top-level classes and functions in the module's text."""
        return [name for _, text in self.parts[self.stem] for _, _, name in definitions(text)]

    def deleted(self) -> list[str]:
        """Return those of `written` that no error prevented, and that are not there in the end."""
        there = {*self.namespace, *self.lost}
        return [name for name in self.written() if self._has_run_through and name not in there]


class _Siblings(MetaPathFinder, Loader):
    """Import hook for the course's other modules, which offer any requested name."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        is_apart = name == self.source.stem and self.source.is_apart
        if name not in self.source.siblings or is_apart:
            return None
        folders = self.source.files.folders_of(name)  # `from name.name import`, from outside
        if name not in self.source.parts and self.source.files.has_package(folders):
            return None  # it is found as a package
        spec = importlib.util.spec_from_loader(
            name, self, origin=f"{name}.py", is_package=bool(folders)
        )
        if spec and folders:
            spec.submodule_search_locations = folders
        return spec

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in self.source.homes:
            module.__dict__["__file__"] = absolute(self.source.homes[name])
        reason = f"{name}.py was not submitted"
        if name in self.source.parts:
            reason = f"{name}.py does not define it"
            folder = posixpath.dirname(self.source.homes[name])
            try:
                with self.source.files.looking_first_in(folder):
                    self.source.run_named(name, module)
            except self.source.passed_on:
                raise
            except BaseException as error:  # what it defined before stays usable
                reason = f"{name}.py stopped with {type(error).__name__}: {text_of(error)}"
        else:
            module.__dict__.update(self.source.substitutes)
        module.__dict__["__getattr__"] = lambda wanted: _unavailable(wanted, reason)


def _label(name: str) -> str:
    """Return the name that messages give to a module, or to the own module of a place."""
    return name if name.endswith(".py") else f"{name}.py"


def _lost(module: str, lost: Mapping[str, BaseException], name: str) -> NoReturn:
    """Raise the error that kept an own module from defining a name, as its `__getattr__`."""
    raise lost.get(name) or AttributeError(f"module {module!r} has no attribute {name!r}")


def _unavailable(name: str, reason: str) -> type:
    if name.startswith("__"):
        raise AttributeError(name)

    def unavailable(self: Any, *args: Any, **kwargs: Any) -> None:
        raise Unavailable(name, reason)

    return type(name, (), {"__init__": unavailable})
