"""Skeletons of names, as in UTS #39: two names with a skeleton in common look alike.

The table has letters that are drawn like a Latin one in common fonts. It serves to tell names apart, not to judge
them, so it may find too many alike.
"""

import re
import unicodedata
from functools import lru_cache

STYLES = re.compile("[\ufe00-\ufe0f]")  # variation selectors: whether a sign is drawn in colour
MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")  # combining, of any script
OVERLAYS = re.compile("[\u0334-\u0338\u20d2\u20d3\u20d8-\u20e0\u20e2-\u20eb]")  # of these, strokes and circles
LOOK_ALIKES = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХԚԜҮѴӀЬ", "ABESIJKMHOPCTYXQWYVIb"),
    ("авгеѕіјкморстухԛԝѡѵүӏһԁь", "abresijkmopctyxqwwvylhdb"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿϜ", "ABEZHIKMNOPTYXCJF"),
    ("αβγεηικνορσςτυχωϲϳ", "abyenikvopoctuxwcj"),
    # Armenian
    ("ՕՍՏԼօսհոցյ", "OUSLouhngj"),
    # Cherokee
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏏᏒᏙᏚᏞᏟᏢᏦᏴ", "DRTiAJEWMHGZbRVSLCPKB"),
    # Lisu
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU"),
    # Latin letters with a stroke, without a dot, or of another form
    ("ØøĐđÐŁłĦħŦŧƀƗɨıɩƵƶɑɡʋ", "OoDdDLlHhTtbIiiiZzagv"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    # Katakana and ideographs
    ("ロヘニカタハエトー", "口へ二力夕八工卜一"),
)
RINGED = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)  # where alphabets in squares and circles begin, and of flags
SAME_SHAPES = str.maketrans("I1|ǀ0O", "lllloo")  # in most fonts; in a name all in capitals they are letters apart
SAME_PAIRS = (("rn", "m"), ("vv", "w"))


def _table() -> dict[int, str]:
    letters = {ord(letter): latin for row, drawn in LOOK_ALIKES for letter, latin in zip(row, drawn, strict=True)}
    ringed = {start + number: chr(ord("A") + number) for start in RINGED for number in range(26)}
    return letters | ringed | {ord("æ"): "ae", ord("Æ"): "AE", ord("œ"): "oe", ord("Œ"): "OE"}


LATIN = _table()


@lru_cache(maxsize=8192)  # thousands may watch a table
def skeletons(name: str) -> frozenset[str]:
    """Give what a name looks like: whatever its case and its accents, and letter by letter as it is drawn."""
    latin = _latin(MARKS, name)
    drawn = latin.translate(SAME_SHAPES)
    for pair, one in SAME_PAIRS:
        drawn = drawn.replace(pair, one)
    return frozenset({f"folded {_folded(name)}", f"folded {_folded(latin)}", f"drawn {drawn}"})


def strict_skeletons(name: str) -> frozenset[str]:
    """Give what a name looks like whatever its case and its script, but with its accents: Zoë is not Zoe."""
    return frozenset({_folded(name), _folded(unicodedata.normalize("NFC", _latin(OVERLAYS, name)))})


def _latin(left_out: re.Pattern[str], name: str) -> str:
    """Write a name in Latin letters that look like its own, without some of its marks."""
    decomposed = unicodedata.normalize("NFKD", STYLES.sub("", name))
    return left_out.sub("", decomposed).translate(LATIN)


def _folded(name: str) -> str:
    return STYLES.sub("", name).casefold()
