"""Names of players: cleaning, and distinguishing confusable ones by their skeletons, as in Unicode UTS #39.

Two names with a common skeleton look alike. The table lists letters that look like Latin ones in common fonts. Its only
use is to number names, so false positives are harmless.
"""

import re
import unicodedata
from collections.abc import Collection, Container
from functools import lru_cache

from .errors import Refused

LONGEST_NAME = 20
LONGEST_WORK = 4  # times the result: NFKC expands one letter to as many as eighteen
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\U000e0100-\U000e01ef]")  # invisible letters
STYLES = re.compile("[\ufe00-\ufe0f]")  # variation selectors, which choose between text and colour
OVERLAYS = re.compile("[\u0334-\u0338\u20d2\u20d3\u20d8-\u20e0\u20e2-\u20eb]")  # combining strokes and circles
POINTED = {"LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC", "SYRIAC"}  # scripts that are readable without marks
ABOVE_OR_BELOW = 200  # combining classes from here on are positions; those of vowel signs, viramas and nuktas are lower
NUMBER = re.compile(r" [0-9]+$")  # which distinguishes confusable names
EAST_ASIAN = "EAST ASIAN"
EAST_ASIAN_SCRIPTS = {
    "CJK",
    "IDEOGRAPHIC",
    "HIRAGANA",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "HENTAIGANA",
    "HANGUL",
    "BOPOMOFO",
}
NO_SCRIPT = {"", "MODIFIER"}  # in the Unicode names of letters common to all scripts
EDGES = " .,'`_-\u00b4\u00b7\u02bb\u02bc\u02d9\u02f3\u2010\u2018\u2019\u2026"  # inconspicuous at either end of a name
LOOK_ALIKES = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХԚԜҮѴӀЬԌꙆҚҲЄЯ", "ABESIJKMHOPCTYXQWYVIbGIKXER"),
    ("авгеѕіјкморстухԛԝѡѵүӏһԁьԍꙇқҳєҽпц", "abresijkmopctyxqwwvylhdbgikxeenu"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿϜϺ", "ABEZHIKMNOPTYXCJFM"),
    ("αβγεηικνορσςτυχωϲϳ", "abyenikvopoctuxwcj"),
    # Armenian
    ("ՕՍՏԼօսհոցյ", "OUSLouhngj"),
    # Cherokee
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏏᏒᏙᏚᏞᏟᏢᏦᏴ", "DRTiAJEWMHGZbRVSLCPKB"),
    ("ᎩᎽᎶᎹᏂᏔᏕᏗᏳ", "yYGGhWSJG"),
    # Coptic, Old Italic, Lycian and Carian, runes, Deseret and Osage
    ("ⲀⲂⲄⲈⲌⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬⲰ", "ABrEZHIKMNOPCTYXW"),
    ("ⲁⲃⲅⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲱ", "abrezhikmnopctyxw"),
    ("𐌀𐌁𐌂𐌄𐌅𐌉𐌊𐌋𐌌𐌍𐌏𐌐𐌑𐌕𐌖𐌗𐌠𐌢", "ABCEFIKLMNOPMTVXIX"),
    ("𐊂𐊋𐊗𐊆𐊇𐊒𐊠𐊡𐊢𐊰", "BKTEFOABCM"),
    ("ᛁᛕᛖᚷᚱᛒᚺᚻ", "IKMXRBHH"),
    ("𐐄𐐬𐑈𐓂𐓪𐓎𐓶", "OosOoUu"),
    # Canadian syllabics
    ("ᗅᗩᗷᑕᗞᖴᕼᒍᒪᗰᑎᑭᖇᐯᑌᗯ᙭ᕁᕽ᙮ᖯᑲᑯ", "AABCDFHJLMnPRVUWXxxxbbd"),
    # Hebrew, Arabic, Tifinagh, Miao, Bamum, Georgian, and letters of India, Burma and West Africa
    ("\u05e1\u05d5\u05df\u05c0\u0627\u06c1\u0647\u06d5\u0665\u06f5\u0667\u06f7", "olllloooooVV"),
    ("ⵔⵏⴸⵝⵟ𖼨ꛟჿ\u0d20\u0d60\u101d\u07ca", "OlVXEIVooool"),
    # Lisu
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU"),
    # Latin letters with a stroke, without a dot, or of another form
    ("ØøĐđÐŁłĦħŦŧƀƗɨıɩƵƶɑɡʋ", "OoDdDLlHhTtbIiiiZzagv"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    ("ƅꞁƖɭꟾꞮᴉƬßẞꞴꞵᴑꬽꬲꭒ℮ɛĸƽɱ⍺₥", "bllliIiTBBBbooeueeksmam"),
    # signs
    ("¡×⨯✕†⊤⟙∪∣│⏽○◯", "ixxxtTTulllOO"),
    # Katakana, Hangul and ideographs
    ("ロヘニカタハエトー", "口へ二力夕八工卜一"),
    ("〇丨丅乂メ\u110b\u11bc\u1175", "OlTxxool"),
)
PUNCTUATION = {
    "-": "\u058a\u05be\u1806\u2010\u2012\u2013\u2014\u2015\u2043\u2212\u02d7\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d",
    "'": "`\u2018\u2019\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u055a\u05f3\ua78c\u07f4\u07f5",
    '"': "\u201c\u201d\u201e\u201f\u2033\u2036\u05f4\u02ba\u3003",
    ".": "\u00b7\u0387\u2024\u2027\u2219\u22c5\u2022\u30fb\u06d4",
    ":": "\u02d0\ua789\u2236\u05c3",
    "/": "\u2044\u2215\u29f8",
}
RINGED = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)  # the first letters of the alphabets in squares and circles, and of flags
SAME_SHAPES = str.maketrans("I1|ǀ0O", "lllloo")  # in most fonts
SAME_PAIRS = (("rn", "m"), ("vv", "w"), ("\\/", "V"))


def _table() -> dict[int, str]:
    letters = {ord(letter): latin for row, drawn in LOOK_ALIKES for letter, latin in zip(row, drawn, strict=True)}
    ringed = {start + number: chr(ord("A") + number) for start in RINGED for number in range(26)}
    cherokee = {small: letters[capital].lower() for small, capital in _small_cherokee() if capital in letters}
    marks = {ord(mark): plain for plain, row in PUNCTUATION.items() for mark in row}
    return letters | marks | cherokee | ringed | {ord("æ"): "ae", ord("Æ"): "AE", ord("œ"): "oe", ord("Œ"): "OE"}


def _small_cherokee() -> list[tuple[int, int]]:
    return [(0xAB70 + number, 0x13A0 + number) for number in range(80)] + [
        (0x13F8 + at, 0x13F0 + at) for at in range(6)
    ]


LATIN = _table()


@lru_cache(maxsize=8192)  # a table may have thousands of spectators
def skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name: without case and accents, and letter by letter as it is drawn."""
    bare = _without_foreign_marks(unicodedata.normalize("NFKD", STYLES.sub("", name)), POINTED)
    latin = _in_digits(bare.translate(LATIN))
    read = _in_digits(bare).translate(LATIN)  # a digit may look like a letter, such as an Arabic five
    folded = {_folded(each).strip(EDGES) for each in (name, latin, read, _with_pairs(_folded(latin)))}
    return frozenset(
        {f"drawn {_with_pairs(latin.translate(SAME_SHAPES)).strip(EDGES)}", *map("folded {}".format, folded)}
    )


@lru_cache(maxsize=8192)
def occupied(name: str) -> frozenset[str]:
    """The skeletons that a name reserves: those of a mixed-script name also without its number."""
    return skeletons(name) | skeletons(NUMBER.sub("", name)) if mixes_scripts(name) else skeletons(name)


def strict_skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name without case and script, but with its accents: Zoë is not Zoe."""
    decomposed = OVERLAYS.sub("", unicodedata.normalize("NFKD", STYLES.sub("", name)))
    composed = unicodedata.normalize("NFC", _in_digits(decomposed.translate(LATIN)))
    return frozenset({_folded(name), _folded(_without_foreign_marks(composed, set()))})


def mixes_scripts(name: str) -> bool:
    """Whether a word mixes scripts, as in UTS #39; East Asian and Latin ones may be mixed."""
    if name.isascii():
        return False
    words = "".join(each if unicodedata.category(each)[0] in "LM" else " " for each in name).split()
    return any(_are_mixed({script(each) for each in word if each.isalpha()} - {""}) for word in words)


def _are_mixed(scripts: set[str]) -> bool:
    return len(scripts) > 1 and scripts != {"LATIN", EAST_ASIAN}


@lru_cache(maxsize=8192)
def script(letter: str) -> str:
    """The script of a letter or a mark, by its Unicode name; empty for one that is common to all scripts."""
    words = unicodedata.name(letter, "").split()
    first = next((word for word in words if word != "COMBINING"), "")
    return "" if first in NO_SCRIPT else EAST_ASIAN if first in EAST_ASIAN_SCRIPTS else first


def _without_foreign_marks(text: str, pointed: Container[str]) -> str:
    """Remove marks, except vowel signs and the like that belong to the script of their base letter."""
    result, base = "", ""
    for letter in text:
        category = unicodedata.category(letter)
        if category not in ("Mn", "Me"):
            base = letter if category != "Mc" else base
        elif category == "Me" or letter == result[-1:] or not _belongs(letter, base, pointed):
            continue
        result += letter
    return result


def _belongs(mark: str, base: str, pointed: Container[str]) -> bool:
    own = script(base) if base else ""
    return bool(own) and own == script(mark) and own not in pointed and unicodedata.combining(mark) < ABOVE_OR_BELOW


def _in_digits(text: str) -> str:
    """Convert digits of any script to ASCII."""
    if text.isascii():
        return text
    return "".join(letter if (digit := unicodedata.digit(letter, None)) is None else str(digit) for letter in text)


def _with_pairs(text: str) -> str:
    for pair, one in SAME_PAIRS:
        text = text.replace(pair, one)
    return text


def _folded(name: str) -> str:
    return STYLES.sub("", name).casefold()


def clean(text: str, longest: int) -> str:
    """Remove unprintable and invisible characters, direction marks and extra space."""
    composed = BLANK.sub("", unicodedata.normalize("NFKC", text))[: LONGEST_WORK * longest]
    spaced = "".join(" " if letter.isspace() else letter for letter in composed)
    printable = "".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C")
    return " ".join(printable.split())[:longest].strip()


def own_name(wanted: str, taken: Collection[str]) -> str:
    """Clean a name, and number it if it looks like another one at the table."""
    name = clean(wanted, LONGEST_NAME)
    if not any(letter.isalnum() for letter in name):
        raise Refused("bad-name", "A player needs a name with a letter or a digit in it.")
    return distinct_name(name, taken)


def alike(wanted: str, other: str) -> bool:
    """Whether two names look the same, accents included."""
    return bool(strict_skeletons(clean(wanted, LONGEST_NAME)) & strict_skeletons(other))


def distinct_name(name: str, taken: Collection[str]) -> str:
    """Number a name if another one looks like it, or if one of its words mixes scripts."""
    known = frozenset[str]().union(*map(occupied, taken))
    number, apart = 2, name
    is_suspect = mixes_scripts(name) and not NUMBER.search(name)
    while skeletons(apart) & known or (is_suspect and apart == name):
        ending = f" {number}"
        apart = name[: LONGEST_NAME - len(ending)].rstrip() + ending
        number += 1
    return apart
