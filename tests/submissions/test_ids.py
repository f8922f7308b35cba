"""Some names are ids of students, and no student is taken for another."""

from __future__ import annotations

import unicodedata

import pytest

from autograder.submissions import ids
from autograder.submissions.invisible import INVISIBLE

TOWERS = "U\N{COMBINING DIAERESIS}\N{COMBINING MACRON}"  # one letter, of two bytes
THREE = "\N{GREEK SMALL LETTER IOTA WITH DIALYTIKA AND TONOS}"  # in small letters, three characters


@pytest.mark.parametrize("letter", [TOWERS, "e\N{COMBINING ACUTE ACCENT}", "\u1100\u1161\u11a8"])
def test_a_long_name_is_the_whole_of_it_or_none(letter: str) -> None:
    """Ids are not cut, however accents are written: two people's ids could become equal."""
    for count in range(1, 100):
        name = letter * count
        composed = unicodedata.normalize("NFC", name)
        assert ids.is_id(name) == (len(composed.encode()) <= ids.MOST)
        if ids.is_id(name):
            assert ids.checked(name) == composed


def test_long_names_that_differ_at_their_end_are_two_peoples() -> None:
    one, other = (ids.checked(f"{THREE * 50}{end}") for end in "ab")
    assert ids.key(one) != ids.key(other)
    assert ids.key(one) == ids.key(one.upper())


def test_no_id_has_a_character_that_shows_nothing() -> None:
    """It would look like another student's id."""
    assert {*"\u034f\u115f\u1160\u17b4\u180b\u200d\u3164\ufe0f\uffa0\U000e0100"} <= INVISIBLE
    for c in INVISIBLE:
        for name in (f"{c}ben", f"b{c}en", f"ben{c}", f"b.{c}", c):
            assert not ids.is_id(name), ascii(name)
            assert ids.REPLACEMENT in ids.shown(name)


NAMES = [
    "Jos\xe9",
    "Jose\u0301",
    "\u0141ukasz",
    "Nguy\u1ec5n V\u0103n Th\u1ecb",
    "O'Neill",
    "\xde\xf3ra",
    "\u0391\u03bb\u03ad\u03be\u03b7\u03c2",
    "\u042e\u0440\u0438\u0439",
    "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
    "\u05d0\u05d1\u05b0\u05e8\u05b8\u05d4\u05b8\u05dd",
    "\u0915\u094d\u0937\u093f\u0924\u093f\u091c",
    "\u0bae\u0ba3\u0bbf",
    "\u0e2a\u0e21\u0e0a\u0e32\u0e22",
    "\u1019\u103c\u1004\u1037\u103a",
    "\u179f\u17bb\u1781",
    "\u1820\u1828",
    "\uae40\ubbfc\uc900",
    "\u1100\u1175\u11b7",
    "\u9e97\u5b50",
    "\u3055\u304f\u3089",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_all_scripts_are_ids(name: str) -> None:
    assert ids.checked(name) == unicodedata.normalize("NFC", name)
