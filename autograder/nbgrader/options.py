"""Find options of a configuration that have no effect, or a value of the wrong type.

nbgrader warns of a misspelled option only where it makes an object of the class, and of a
misspelled class never; for a wrong value it shows a traceback.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from traitlets import Float, Int, TraitError, TraitType
from traitlets.config import Config, Configurable
from traitlets.config.loader import DeferredConfig, LazyConfigValue

from autograder.grading.fitting import printable
from autograder.nbgrader.trouble import OPTION, CannotRun, why_no_database

KIT = "Kit"  # a section of the configuration without a class
Known = dict[str, dict[str, list[type[Configurable]]]]  # the classes by section, then by option


def check_values(config: Config, file: Path | None = None) -> None:
    """Raise CannotRun if an option has a value that no class takes for it.

    file: where the options are, for the message; None for those of a command's call. Classes that
    options name are imported.
    """
    known = _known()
    for section, option, value in _options(config):
        kinds = known.get(section, {}).get(option, [])
        reasons = [reason for kind in kinds if (reason := _why_wrong(kind, option, value))]
        if kinds and len(reasons) == len(kinds):
            said = f"{section}.{option} {reasons[0]}."
            if file is None:
                raise CannotRun(printable(OPTION.format(said)))
            raise CannotRun(printable(f"{file}: {_written(file)}{said} Mend it; nothing was done."))


def without_effect(config: Config, file: Path) -> Iterator[str]:
    """Yield a sentence for each option, or class with options, that nbgrader does not know.

    file: where the options are, for the sentence.
    """
    known, c = _known(), _written(file)
    names = [(section, option) for section, option, _ in _options(config)]
    for section in dict.fromkeys(section for section, _ in names if section not in known):
        what = f"{c}{section} has no effect: nbgrader knows no {section}."
        yield printable(f"{file}: {what}{_did_you_mean(section, known)}")
    for section, option in dict.fromkeys(names):
        if option not in known.get(section, {option}):
            what = f"{c}{section}.{option} has no effect: {section} has no such option."
            yield printable(f"{file}: {what}{_did_you_mean(option, known[section])}")


def _written(file: Path) -> str:
    """Return what stands before the name of a section in a file: Python's is that of an object."""
    return "c." if file.suffix == ".py" else ""


def _options(config: Config, section: str = "") -> Iterator[tuple[str, str, object]]:
    """Yield each section of a configuration with an option and its value.

    Of nested sections, as in c.Autograde.SubmissionExporter.seconds, the innermost one is yielded.
    A section that begins with a small letter keeps nothing, so its option is "".
    """
    for name, value in config.items():
        if isinstance(value, Config):
            if name != KIT:
                yield from _options(value, name)
        else:
            yield (section, name, value) if section else (name, "", value)


def _known() -> Known:
    """Return all classes with options that have been imported."""
    known: Known = {}
    classes: list[type[Configurable]] = [Configurable]
    for kind in classes:  # which grows
        classes += kind.__subclasses__()
        for section in kind.section_names():
            options = known.setdefault(section, {})
            for option in kind.class_trait_names(config=True):
                options.setdefault(option, []).append(kind)
    return known


def _why_wrong(kind: type[Configurable], option: str, value: object) -> str:
    """Return why a class does not take a value for its option, to follow its name; else ""."""
    is_read_later = isinstance(value, LazyConfigValue | DeferredConfig)
    if is_read_later or inspect.isabstract(kind):
        return ""
    trait: TraitType[object, object] = kind.class_traits()[option]
    if value is None and trait.allow_none:
        return ""
    if isinstance(value, bool) and type(trait) in (Int, Float):  # they take it for 0 or 1
        return f"expected {trait.info()}, not the bool {value}"
    try:
        if hasattr(trait, "validate"):
            trait.validate(kind.__new__(kind), value)
    except TraitError as problem:  # "The 'x' trait of an X instance expected ..."
        return (str(problem).partition(" instance ")[2] or str(problem)).rstrip(".")
    return why_no_database(str(value)) if option == "db_url" else ""


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]}?" if close else ""
