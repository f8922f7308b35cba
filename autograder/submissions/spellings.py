"""Give names that look the same one spelling, where Unicode's composition leaves several."""

from __future__ import annotations

import re
import unicodedata

# Letters that look like two others (of Thai and Lao), and are written in names instead of them.
PARTS = {ord(c): unicodedata.normalize("NFKC", c) for c in "\u0e33\u0eb3\u0edc\u0edd"}
# The sign before AA may stand on either side of the other marks of the letter that it is on.
AM = (
    (re.compile(r"\u0e4d([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*)\u0e32"), "\\1\u0e33"),
    (re.compile(r"\u0ecd([\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece]*)\u0eb2"), "\\1\u0eb3"),
)
MIDDLE_DOT, KATAKANA_DOT = "\u00b7", "\u30fb"  # in some fonts, they are equally wide
KANA = r"[\u3041-\u30ff\u31f0-\u31ff]"
BESIDE_KANA = re.compile(f"(?<={KANA}){MIDDLE_DOT}|{MIDDLE_DOT}(?={KANA})")
JOINERS = "\u200c\u200d"  # ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER
VIRAMA = 9  # its canonical combining class, in all scripts
# Letters of Malayalam without a vowel, which were written with a joiner before Unicode 5.1.
CHILLUS = {
    "\u0d23": "\u0d7a",
    "\u0d28": "\u0d7b",
    "\u0d30": "\u0d7c",
    "\u0d32": "\u0d7d",
    "\u0d33": "\u0d7e",
    "\u0d15": "\u0d7f",
}
OLD_CHILLU = re.compile(f"([{''.join(CHILLUS)}])\u0d4d\u200d(?![{JOINERS}])")
# Joining_Type of the Arabic block, in ArabicShaping.txt: letters that join to the next one, and to
# the one before them, and accents, which do not count.
TO_NEXT = (
    r"[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f"
    r"\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff]"
)
TO_LAST = (
    r"[\u0620\u0622-\u063f\u0641-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef"
    r"\u06fa-\u06fc\u06ff]"
)
ACCENT = r"[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
SEPARATED = re.compile(f"({TO_NEXT}{ACCENT}*)\u200c(?={ACCENT}*{TO_LAST})")


def unified(text: str) -> str:
    """Compose accents, and write what looks the same in other ways as one of them."""
    if text.isascii():
        return text
    text = _without_joiners(unicodedata.normalize("NFC", text))
    for parts, whole in AM:
        text = parts.sub(whole, text)
    for letter in "\u0edc\u0edd":
        text = text.replace(PARTS[ord(letter)], letter)
    text = unicodedata.normalize("NFC", text).replace(KATAKANA_DOT, MIDDLE_DOT)
    return BESIDE_KANA.sub(KATAKANA_DOT, text)


def _without_joiners(text: str) -> str:
    """Remove joiners from where names have them, as RFC 5892 (A.1 and A.2) allows them.

    They are invisible, and change the look of some letters in some fonts. Others are left.
    """
    text = OLD_CHILLU.sub(lambda found: CHILLUS[found[1]], text)
    text = SEPARATED.sub(r"\1", text)
    return "".join(
        c
        for last, c, following in zip(f" {text}", text, f"{text[1:]} ", strict=False)
        if c not in JOINERS or unicodedata.combining(last) != VIRAMA or following in JOINERS
    )
