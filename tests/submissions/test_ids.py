"""Some names are ids of students, and no student is taken for another."""

from __future__ import annotations

import re
import time
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


@pytest.mark.parametrize("name", ["CON", "nul", "con.txt", "Com1.tar", "a/b"])
def test_a_refusal_says_which_rule_a_name_breaks(name: str) -> None:
    """Those of letters and signs are kept by a name that Windows takes for a device."""
    with pytest.raises(ids.NoId) as refused:
        ids.checked(name)
    assert ("Windows keeps this name" in str(refused.value)) is (name != "a/b")
    assert ("An id begins with" in str(refused.value)) is (name == "a/b")


@pytest.mark.dear
def test_no_id_has_a_character_that_shows_nothing() -> None:
    """An id with a character that shows nothing would look like another student's id."""
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
    "\u0e2d\u0e33\u0e19\u0e32\u0e08",  # Thai, with SARA AM
    "\u0e19\u0e49\u0e33\u0e1d\u0e19",
    "\u0e84\u0eb3",  # Lao
    "\u0e99\u0ec9\u0eb3",
    "\u0edc\u0ec8\u0ead\u0e8d",
    "\u0edd\u0eb5",
    "\u1000\u103b\u1031\u102c\u103a",  # Burmese
    "\u1019\u103b\u103e\u1031\u102c\u103a",
    "\u1019\u103c\u102d\u102f\u1037",
    "\u8fea\u4e3d\u70ed\u5df4\xb7\u8fea\u529b\u6728\u62c9\u63d0",
    "Gal\xb7la",
    "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9",
    "\u5c71\u7530\u30fb\u30b9\u30df\u30b9",
    "\u0f66\u0f92\u0fb2\u0f7c\u0f63",  # Tibetan
]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_all_scripts_are_ids(name: str) -> None:
    assert ids.checked(name) == unicodedata.normalize("NFC", name)


ONE = {
    "Thai SARA AM": (
        "\u0e2d\u0e33\u0e19\u0e32\u0e08",
        ["\u0e2d\u0e4d\u0e32\u0e19\u0e32\u0e08"],
    ),
    "Thai SARA AM with a tone": (
        "\u0e19\u0e49\u0e33",
        ["\u0e19\u0e4d\u0e49\u0e32", "\u0e19\u0e49\u0e4d\u0e32"],
    ),
    "Thai SARA AM with a vowel sign": ("\u0e01\u0e34\u0e33", ["\u0e01\u0e4d\u0e34\u0e32"]),
    "Lao AM": ("\u0e99\u0ec9\u0eb3", ["\u0e99\u0ecd\u0ec9\u0eb2", "\u0e99\u0ec9\u0ecd\u0eb2"]),
    "Lao HO NO": ("\u0edc\u0eb9", ["\u0eab\u0e99\u0eb9"]),
    "Lao HO MO": ("\u0edd\u0eb5", ["\u0eab\u0ea1\u0eb5"]),
    "a middle dot": ("Gal\xb7la", ["Gal\u0387la", "Gal\u30fbla"]),
    "a dot between Chinese": ("\u5df4\xb7\u8fea", ["\u5df4\u30fb\u8fea"]),
    "a dot between kana": ("\u30f3\u30fb\u30b9", ["\u30f3\xb7\u30b9"]),
    "dots between kana": (
        "\u30f3\u30fb\u30fb\u30b9",
        ["\u30f3\xb7\xb7\u30b9", "\u30f3\xb7\u30fb\u30b9"],
    ),
    "a dot with accents": ("\u0e99\u30fb\u3099\u0dca", ["\u0e99\xb7\u0dca\u200c\u3099"]),
    "Sinhala": (
        "\u0db4\u0dca\u0dbb\u0dd2\u0dba\u0db1\u0dca\u0dad",
        ["\u0db4\u0dca\u200d\u0dbb\u0dd2\u0dba\u0db1\u0dca\u0dad"],
    ),
    "Devanagari": (
        "\u0930\u093e\u091c\u094d\u0915",
        ["\u0930\u093e\u091c\u094d\u200c\u0915", "\u0930\u093e\u091c\u094d\u200d\u0915"],
    ),
    "Tamil": ("\u0bae\u0bcd", ["\u0bae\u0bcd\u200d", "\u0bae\u0bcd\u200c"]),
    "Malayalam": ("\u0d05\u0d7b", ["\u0d05\u0d28\u0d4d\u200d"]),
    "Persian": (
        "\u0639\u0644\u06cc\u0631\u0636\u0627",
        ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"],
    ),
    "Persian with an accent": (
        "\u0639\u0644\u0650\u0631",
        ["\u0639\u0644\u0650\u200c\u0631", "\u0639\u0644\u200c\u0650\u0631"],
    ),
    "Persian, three parts": ("\u0628\u0628\u0628", ["\u0628\u200c\u0628\u200c\u0628"]),
}


@pytest.mark.parametrize("names", ONE)
def test_names_that_look_the_same_are_one_id(names: str) -> None:
    one, others = ONE[names]
    for name in (one, *others):
        for form in (name, unicodedata.normalize("NFD", name)):
            assert ids.checked(form) == ids.checked(ids.checked(form)) == ids.shown(form) == one
            assert ids.key(form) == ids.key(one)


LOOK_ALIKES = [
    "\u0e01\u0e4d\u0e33",  # twice the sign that is part of SARA AM
    "\u0e01\u0e4d\u0e49\u0e33",
    "\u0e99\u0ecd\u0eb3",
    "\u0e01\u0e34\u0e34",
    "\u1000\u102d\u102d",
    "a\u0323\u0317\u0316\u0319\u031c",
    "\u1000\u103b\u102d\u102f\u1037\u103e",
    "Gal\ua78fla",
    "Gal\u1427la",
    "\uac00\u302e",
    "\xb7anna",
    "\u30f3\uff65\u30b9",
    "an\u200cna",
    "an\u200dna",
    "anna\u200c",
    "\u0db4\u0dca\u200d\u200d\u0dbb",
    "\u0db4\u0dca\u200c\u200d\u0dbb",
    "\u0db4\u200d\u0dbb",
    "\u0d28\u0d4d\u200d\u200d",
    "\u0631\u200c\u0636",  # a letter that does not join to the next one
    "\u0648\u0654\u200c\u0636",
    "\u0644\u200c\u0621",
    "\u0644\u200c",
    "\u0644\u200c\u200c\u0631",
    "\u0644\u200d\u0631",
    "\u0644\u200cb",
    "\ufb01nn",
    "\uff21nna",
    "\ufefb\u0631",
]


@pytest.mark.parametrize(
    ("name", "end"),
    [
        *[(name, "") for name in ("-dash", "+1", ".", "..", ".hidden", "anna.", "NUL", "con.txt")],
        ("a" * (ids.MOST + 1), ""),
        *[(name, ids.REPLACEMENT) for name in ("", " ", " anna", "anna ", "\ufb01nn", "\uff21nna")],
    ],
)
def test_a_refused_name_is_shown_as_it_is_if_it_looks_so(name: str, end: str) -> None:
    shown = f"{name}{end}"
    assert (ids.shown(name), ids.is_id(shown)) == (shown, False)
    with pytest.raises(ids.NoId, match=re.escape(f"{shown} cannot be a student's id.")):
        ids.checked(name)


def test_a_refused_name_that_is_cut_says_so() -> None:
    assert ids.shown("a" * (ids.MOST + 2)) == "a" * (ids.MOST + 1) + ids.REPLACEMENT


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_name_that_looks_like_another_is_no_id(name: str) -> None:
    for form in (name, unicodedata.normalize("NFD", name)):
        assert not ids.is_id(form)
        assert ids.REPLACEMENT in ids.shown(form)


@pytest.mark.parametrize(
    "letters",
    ["\u0e4d", "\u0e4d\u0e32", "\u0628\u064b", "\u0628\u200c", "\u0d28\u0d4d\u200d", "\u30f3\xb7"],
)
def test_the_time_for_a_name_is_short_however_long_it_is(letters: str) -> None:
    start = time.process_time()
    for _ in range(100):
        ids.shown(letters * 100_000)
    assert time.process_time() - start < 2
