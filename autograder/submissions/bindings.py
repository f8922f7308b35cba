"""Decide whether code binds one of some names, without parsing it.

Python's parser is not for strangers' code in the grader: deep nesting can exhaust its stack.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from autograder.errors import Signal

TOKEN = re.compile(
    r"#[^\n]*"
    r"|(?P<string>'''(?:[^\\]|\\.)*?(?:'''|\\?\Z)|\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\\?\Z)"
    r"|'(?:[^'\\\n]|\\.)*'?|\"(?:[^\"\\\n]|\\.)*\"?)"
    r"|(?P<other>\w+|\\\r?\n|:=|[=!<>]=|(?:\*\*|//|<<|>>|[-+*/@%&|^])=|[^\s\w]|\n)",
    re.DOTALL,
)
WORD = re.compile(r"\w+")
NOT_ASCII = re.compile(r"\b[A-Za-z0-9_]*[^\W\x00-\x7f]\w*")  # a word with other letters
KEYWORD = re.compile(r"(?:if|elif|else|for|while|try|except|finally|with|async|class|def)\b")
ASSIGNS = re.compile(r"=|(?:\*\*|//|<<|>>|[-+*/@%&|^])=")
BEFORE = {"def", "class", "as", "global"}  # words before a name that they bind
# Statements, as their tokens with spaces between, of a definition that does nothing.
NOTHING = re.compile(
    r"(?:@ .*|''|pass|\. \. \.|return(?: None| NotImplemented)?|raise\b.*|assert (?:False|0)\b.*"
    r"|(?:self \. )?\w+ = None"
    r"|(?!(?:else|try|finally) )\w+ : [^=]*)?"  # the last is an annotation
)
PREPARES = re.compile(r"(?:super|(?:\w+ \. )*Module)\b")  # begins a call of the parent's __init__
# Words that hint at names given as strings: globals()["f"] = g
DYNAMIC = {"globals", "locals", "vars", "setattr", "exec", "eval", "run_cell", "__dict__"}
# Code, as its tokens with spaces between, that binds names of the module which it need not contain.
UNSEEN = re.compile(
    r"\b(?:globals|vars|locals) \( \) "
    r"(?:\[ (?!'' \])[^\n;]{1,200}?\] = |\. (?:update|setdefault|__setitem__) |\|= )"
    r"| = (?:globals|vars) \( \) [\n;]"
    r"|(?<![.\w] )\bexec \( (?!'' [,)])"
    r"|\bsetattr \( sys \. modules \["
    r"|\bsys \. modules \[ __name__ \] (?:[\n;]|\. (?:__dict__|__class__|\w+ =) )"
)
UNSEEN_WORDS = {"globals", "vars", "locals", "exec", "modules", "__getattr__"}
LAZY = re.compile(r"^def __getattr__\b", re.MULTILINE)  # makes a module's names when asked for


class Token(NamedTuple):
    """A token of a statement. is_free: it is outside brackets that follow a name, as in f(x)."""

    text: str
    depth: int
    is_free: bool


def binds(text: str, names: Set[str]) -> bool:
    """Return whether code binds one of the names, in whatever scope.

    A use is no binding, nor is `from module import name`, so that helpers may import exercises. A
    string with a name in it counts if the code also has a word such as globals or setattr. If
    brackets are not balanced, each occurrence of a name counts. Refused although harmless: a local
    variable or a method called like an exercise. Missed: names put together from parts, and
    attributes assigned to a module object, see `binds_unseen`.
    """
    text = as_python_reads(text)
    if not mentioned(text, names):
        return False
    tokens = list(TOKEN.finditer(text))
    strings = {word for found in tokens for word in WORD.findall(found["string"] or "")}
    words = {found["other"] for found in tokens}
    is_dynamic = bool(DYNAMIC & words)
    if is_dynamic and names & strings:
        return True
    if not names & words:
        return False
    try:
        return any(_binds(statement, names, is_dynamic) for statement in _statements(text))
    except Unbalanced:
        return True


def mentioned(text: str, names: Set[str]) -> set[str]:
    """Return those of some names that are words of a text."""
    there = {one for one in names if one in text}  # at once; most texts have none
    return there & {*WORD.findall(text)} if there else there


def without_strings(text: str) -> str:
    """Return code without its strings and comments."""
    return TOKEN.sub(lambda found: found[0] if found["other"] else "", text)


def binds_unseen(text: str) -> bool:
    """Return whether code binds names that nobody can tell from its text, such as parts of names.

    It calls exec with a text that is not there, changes globals() or its own module, or has a
    function for names that it lacks.
    """
    if not mentioned(text, UNSEEN_WORDS):
        return False
    tokens = (found["other"] or ("''" if found["string"] else "") for found in TOKEN.finditer(text))
    code = " ".join(one for one in tokens if one and not one.startswith("\\"))
    return bool(UNSEEN.search(f"{code} \n") or LAZY.search(text))


def as_python_reads(text: str) -> str:
    """Return code with its names as Python reads them: a wide letter is the same as a plain one."""
    return text if text.isascii() else _in_plain_names(text)


@lru_cache(maxsize=32)  # each file of a student is read in several ways
def _in_plain_names(text: str) -> str:
    lines = text.split("\n")  # of which few have such letters
    return "\n".join(line if line.isascii() else NOT_ASCII.sub(_plain_name, line) for line in lines)


def _plain_name(found: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", found[0])
    return plain if plain.isidentifier() else found[0]


def does_nothing(text: str) -> bool:
    """Return whether code has only headers, docstrings, and statements such as pass."""
    try:
        return all(map(_does_nothing, _statements(text)))
    except Unbalanced:
        return False


def _does_nothing(statement: list[Token]) -> bool:
    if statement and statement[0].text in ("def", "class", "async"):
        colons = (i for i, one in enumerate(statement) if one.text == ":" and not one.depth)
        header = next(colons, None)
        if header is None:
            return False
        statement = statement[header + 1 :]
    text = " ".join(one.text for one in statement)
    prepares = PREPARES.match(text) and "__init__ (" in text
    return bool(prepares or NOTHING.fullmatch(text))


def lines_within(lines: Sequence[str]) -> frozenset[int]:
    """Return the indices of lines that begin inside a text, or continue a line by a backslash."""
    return _lines_within("\n".join(lines))


@lru_cache(maxsize=64)  # a file is searched for the work that it has, and again for that of others
def _lines_within(text: str) -> frozenset[int]:
    found: set[int] = set()
    number = 0
    for token in TOKEN.finditer(text):
        height = token[0].count("\n")
        if token["string"] or token[0].startswith("\\"):
            found.update(range(number + 1, number + height + 1))
        number += height
    return frozenset(found)


class Unbalanced(Signal):
    """Brackets are not closed, or closed without being open."""


def _statements(text: str) -> Iterator[list[Token]]:
    """Yield the statements, or their lines; a block's statement may follow in its first line."""
    statement: list[Token] = []
    open_brackets: list[bool] = []  # whether each is free, and all around it
    last = ""
    for found in TOKEN.finditer(text):
        one = found["other"] or ("''" if found["string"] else "")
        if not one or one.startswith("\\"):
            continue
        if one in "\n;" and not open_brackets:
            yield statement
            statement, last = [], ""
            continue
        if one == "\n":
            continue
        if one in ")]}":
            if not open_brackets:
                raise Unbalanced
            open_brackets.pop()
        is_free = not open_brackets or open_brackets[-1]
        statement.append(Token(one, len(open_brackets), is_free))
        if one in "([{":
            follows = bool(WORD.fullmatch(last)) and last not in ("for", "in", "return", "import")
            open_brackets.append(is_free and not (follows or last in (")", "]", "''")))
        last = one
    if open_brackets:
        raise Unbalanced
    yield statement


def _binds(statement: list[Token], names: Set[str], is_dynamic: bool) -> bool:
    """Return whether a statement binds one of the names.

    is_dynamic: a keyword argument may, as in globals().update(f=g).
    """
    outer = [i for i, one in enumerate(statement) if not one.depth]
    assigned = max((i for i in outer if ASSIGNS.fullmatch(statement[i].text)), default=-1)
    begin = statement[0].text if statement else ""
    colon = next((i for i in outer if statement[i].text == ":"), -1)
    # Targets stand behind the colon of a block, or in front of that of an annotation.
    is_block = bool(KEYWORD.fullmatch(begin))
    first, last = (colon, assigned) if is_block or colon < 0 else (-1, min(colon, assigned))
    in_for = in_as = False  # between `for` and `in`; behind `as` of a block
    for i, one in enumerate(statement):
        in_for = one.text == "for" or (in_for and one.text != "in")
        in_as = is_block and (one.text == "as" or (in_as and (one.text != "," or one.depth > 0)))
        in_as = in_as and one.text != ":"
        if one.text not in names:
            continue
        before = statement[i - 1].text if i else ""
        after = statement[i + 1].text if i + 1 < len(statement) else ""
        if before == "." or (after in (".", "(", "[") and before not in BEFORE and begin != "case"):
            continue
        is_assigned = one.is_free and first < i < last
        is_assigned = is_assigned or (is_dynamic and after == "=")
        is_target = is_assigned or in_for or in_as or after == ":="
        if is_target or before in BEFORE or begin in ("global", "case"):
            return True
    return False
