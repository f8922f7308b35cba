"""Inert objects that replace packages which a submission imports and the grader does not have.

Attributes, calls and operators on a stand-in return another stand-in. Stand-ins have no value:
where code needs a number, a tensor or a truth, NotThere names the missing package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dis import opmap
from functools import lru_cache
from types import FrameType, FunctionType
from typing import Any, ClassVar, NoReturn

TYPING = frozenset({"beartype", "jaxtyping", "nptyping", "torchtyping", "typeguard"})
CELLS = frozenset({"capture", "prun", "time", "timeit"})  # cell magics with Python in the cell
OPERATORS = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift",
    "rshift", "and", "or", "xor",
)  # fmt: skip
WITHOUT_VALUE = (
    "len", "int", "float", "complex", "index", "lt", "le", "gt", "ge", "array", "array_ufunc",
    "contains", "reversed", "fspath",
)  # fmt: skip
MAX_PATH = 200  # characters


class NotThere(ImportError):
    """Code needs a value from a missing package; `name` is the dotted path of the object."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not available in the grader", name=path)


class StandIn:
    """A replacement for the object at a dotted path in a missing package."""

    __slots__ = ()
    _path: ClassVar[str]

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return []
        if name.startswith("__") and name != "__version__":  # protocols that are not supported
            raise AttributeError(f"{self._path}, which is not available, has no {name}")
        return stand_in(f"{self._path}.{name}")

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Act as a decorator, or as the package's function if it is in WORKING; or do nothing."""
        root, _, last = self._path.rpartition(".")
        if work := WORKING.get((root.partition(".")[0], last)):
            return work(*arguments, **named)
        if len(arguments) == 1 and not named and _is_defined(arguments[0]):
            return arguments[0]
        return stand_in(self._path)

    def __bool__(self) -> bool:
        return False  # as in `if package:`, which often has an alternative

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __delattr__(self, name: str) -> None:
        pass

    def __getitem__(self, key: object) -> Any:
        return stand_in(self._path)

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __delitem__(self, key: object) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        """Yield one stand-in per name in an assignment such as `figure, axes = ...`.

        Raises NotThere in any other iteration.
        """
        count = _unpacked(sys._getframe(1))
        if count is None:
            raise NotThere(self._path)
        return iter([stand_in(self._path) for _ in range(count)])

    def __instancecheck__(self, instance: object) -> bool:
        return self._path.partition(".")[0] in TYPING  # accept what shape annotations describe

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Return a base class that can be subclassed but not instantiated."""
        path = self._path

        def __new__(cls: type, *_: object, **__: object) -> NoReturn:  # noqa: N807
            raise NotThere(path)

        return (type(f"stand-in for {path}", (), {"__new__": __new__, "__call__": __new__}),)

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __repr__(self) -> str:
        return f"<{self._path}: not available in the grader>"

    def __format__(self, form: str) -> str:
        return repr(self)

    @classmethod
    def __torch_function__(
        cls, function: object, types: object, arguments: Any = (), named: Any = None
    ) -> NoReturn:
        raise NotThere(cls._path)


@lru_cache(maxsize=1 << 14)
def stand_in(path: str) -> StandIn:
    """Return the stand-in for a dotted path.

    Its type is named "stand-in for ...", for error messages of other libraries.
    """
    path = path[:MAX_PATH]
    made: StandIn = type(
        f"stand-in for {path}",
        (StandIn,),
        {"__slots__": (), "__module__": "builtins", "_path": path},
    )()
    return made


class _Bar(StandIn):
    """A progress bar that iterates over its items and displays nothing."""

    __slots__ = ("_items",)
    _path = "a progress bar"

    @staticmethod
    def over(items: Any = None, *_: object, iterable: Any = (), **__: object) -> Any:
        made = _Bar()
        object.__setattr__(made, "_items", iterable if items is None else items)
        return made

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class ZMQInteractiveShell(StandIn):
    """The shell of a notebook, which code recognizes by its truth, its name or its settings."""

    __slots__ = ()
    _path = "get_ipython"
    config: ClassVar[dict[str, object]] = {"IPKernelApp": {}}

    def __bool__(self) -> bool:
        return True

    @property
    def user_ns(self) -> dict[str, Any]:
        """The names of the notebook, or of the own module that asks for them."""
        return sys._getframe(1).f_globals

    def ex(self, code: str) -> None:
        """Run Python in the notebook."""
        exec(compile(code, "<ex>", "exec", dont_inherit=True), sys._getframe(1).f_globals)

    def run_cell(self, code: str, *_: object, **__: object) -> None:
        """Run a cell that has only Python in it."""
        exec(compile(code, "<run_cell>", "exec", dont_inherit=True), sys._getframe(1).f_globals)


def _inert(self: StandIn, *_: object) -> Any:
    return stand_in(self._path)


def _without_value(self: StandIn, *_: object, **__: object) -> NoReturn:
    raise NotThere(self._path)


for _name in OPERATORS:
    for _prefix in ("", "r"):
        setattr(StandIn, f"__{_prefix}{_name}__", _inert)
for _name in ("neg", "pos", "abs", "invert", "round"):
    setattr(StandIn, f"__{_name}__", _inert)
for _name in WITHOUT_VALUE:
    if f"__{_name}__" not in vars(StandIn):
        setattr(StandIn, f"__{_name}__", _without_value)


def _is_defined(value: object) -> bool:
    """Return whether a value comes from a definition, as decorated objects do."""
    kinds = (type, classmethod, staticmethod, property)
    is_function = isinstance(value, FunctionType) and value.__name__ != "<lambda>"
    return is_function or isinstance(value, kinds)


def _unpacked(frame: FrameType) -> int | None:
    """Return the number of names that the frame is about to unpack into, None if it is not."""
    code, at = frame.f_code.co_code, frame.f_lasti
    if at >= 0 and code[at] == opmap["UNPACK_SEQUENCE"]:
        return code[at + 1]
    return None


def _ranging(*limits: int, **_: object) -> Any:
    return _Bar.over(range(*limits))


def _print(*values: object, sep: str = " ", end: str = "\n", **_: object) -> None:
    print(*values, sep=sep, end=end)


def _same(*values: Any, **_: object) -> Any:
    return values[0] if len(values) == 1 else values or None


def _shown(*_: object, **__: object) -> Any:
    return stand_in("autograder.notebook.shown")


def _run_cell(magic: str = "", line: str = "", cell: str = "", **_: object) -> None:
    """Run the Python of a notebook's magic cell, as a converted script calls it."""
    if magic in CELLS:
        exec(compile(cell, f"<%%{magic}>", "exec", dont_inherit=True), sys._getframe(2).f_globals)


# Functions that are easy to replace, by the names of the package and the function.
WORKING: dict[tuple[str, str], Callable[..., Any]] = {
    ("tqdm", "tqdm"): _Bar.over,
    ("tqdm", "tqdm_notebook"): _Bar.over,
    ("tqdm", "trange"): _ranging,
    ("tqdm", "tnrange"): _ranging,
    ("tqdm", "write"): _print,
    ("rich", "track"): _Bar.over,
    ("alive_progress", "alive_it"): _Bar.over,
    ("fastprogress", "progress_bar"): _Bar.over,
    ("fastprogress", "master_bar"): _Bar.over,
    ("progressbar", "progressbar"): _Bar.over,
    ("rich", "print"): _print,
    ("icecream", "ic"): _same,
    ("typeguard", "check_type"): lambda value, *_, **__: value,
    ("beartype", "is_bearable"): lambda *_, **__: True,
    ("get_ipython", "run_cell_magic"): _run_cell,
    ("autograder", "check"): _shown,
    ("autograder", "hint"): _shown,
    ("autograder", "progress"): _shown,
    ("IPython", "get_ipython"): lambda: stand_in("get_ipython"),  # as notebooks know it
}
