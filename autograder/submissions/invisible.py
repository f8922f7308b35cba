"""Characters that show nothing, though Python takes some of them for letters or accents."""

from __future__ import annotations

from collections.abc import Iterator


def _characters(ranges: str) -> Iterator[str]:
    """Yield the characters in ranges, as the files of the Unicode Character Database write them."""
    for text in ranges.split():
        first, _, last = text.partition("..")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


# Default_Ignorable_Code_Point, in DerivedCoreProperties.txt (Unicode 14); unicodedata lacks it.
INVISIBLE = frozenset(
    _characters(
        "00AD 034F 061C 115F..1160 17B4..17B5 180B..180F 200B..200F 202A..202E 2060..206F 3164 "
        "FE00..FE0F FEFF FFA0 FFF0..FFF8 1BCA0..1BCA3 1D173..1D17A E0000..E0FFF"
    )
)
# Variation_Selector, in PropList.txt: they choose a form of what is before them, as of an emoji.
VARIATION_SELECTORS = frozenset(_characters("180B..180D 180F FE00..FE0F E0100..E01EF"))
