"""Some names are ids of students, and no student is taken for another."""

from __future__ import annotations

import unicodedata

import pytest

from autograder.submissions import ids

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
