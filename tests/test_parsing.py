"""Data that somebody has changed is refused with one error, whatever is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_data import DEEP, DIGITS, KINDS, put_damaged

from autograder import parsing
from autograder.parsing import DamagedData

REASONS = {
    "too deep": "nested too deeply",
    "many digits within": "Exceeds the limit",
    "not UTF-8": "'utf-8' codec",
    "a list": "not a JSON object",
    "a folder": "it is a folder, not a file",
    "a link": "it is a link, not a file",
    "a named pipe": "it is a named pipe, not a file",
    "no file": "No such file",
}


def test_data_arrives_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(b'{"a": [1, "\xc3\xa4"]}')
    assert parsing.read(path, 20, parsing.json_object) == {"a": [1, "ä"]}
    assert parsing.parsed(b'a = ["\xc3\xa4"]\r\n', parsing.toml) == {"a": ["ä"]}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "another form"])
def test_whatever_lies_there_raises_one_error(kind: str, tmp_path: Path) -> None:
    put_damaged(path := tmp_path / "kept.json", kind)
    with pytest.raises(DamagedData, match=REASONS.get(kind)):
        parsing.read(path, 10**6, parsing.json_object)


def test_a_file_above_its_limit_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(b'{"a": 1}')
    with pytest.raises(DamagedData, match="it has 8 bytes, more than 7"):
        parsing.read(path, 7, parsing.json_object)


@pytest.mark.parametrize("name", ["\0", "\ud800", "a" * 300])
def test_a_name_that_no_file_has_is_no_other_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedData):
        parsing.read(tmp_path / name, 10, parsing.json_object)


def test_damaged_toml_raises_it_too() -> None:
    for text in (f"a = {DEEP}".encode(), f"a = {DIGITS}".encode(), b"a = '\xff'", b"a ="):
        with pytest.raises(DamagedData):
            parsing.parsed(text, parsing.toml)


@pytest.mark.parametrize("key", [0, "a", "rows"])
def test_what_is_missing_raises_it_too(key: object) -> None:
    with pytest.raises(DamagedData, match="something is missing"):
        parsing.parsed(b'{"a": 1}', lambda data: parsing.json_object(data)[key]["b"])  # type: ignore[index]
