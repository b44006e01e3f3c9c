"""Canonical JSON: the bytes of ECMAScript's `JSON.stringify(JSON.parse(text))`, so that all clients get the same CRC.

Numbers are IEEE 754 doubles in the form of ECMAScript's Number::toString, as in RFC 8785 (JCS). Unlike there, names are
kept in order, except that those which are array indices come first and ascending: JavaScript moves them there.
msgspec writes strings as JavaScript does and numbers almost: whole floats, exponents and large integers differ.
"""

import re
from typing import Any

import msgspec

LEAST = 1e-5  # msgspec writes fractions below with an exponent, JavaScript those below 1e-6
EXACT = 2**53  # integers up to here are doubles
MOST_INDEX = 2**32 - 2  # the largest name that JavaScript treats as an array index

_encode = msgspec.json.encode
_MAY_DIFFER = re.compile(rb'\d(?:\.0(?!\d)|e[-\d]|(?<!["\w.]\d)\d{15}|":)').search  # also true of some strings
_NEEDS_WALK = re.compile(rb'(?<!["\w.])\d{16}|"(?:0|[1-9]\d*)":').search


def canonical(text: bytes) -> bytes:
    """The canonical form of JSON from msgspec, which mostly is canonical already."""
    if not _MAY_DIFFER(text):
        return text
    value = _decode_numbers(text)
    return _encode(_walked(value) if _NEEDS_WALK(text) else value)


def number_text(number: float) -> str:
    """Number::toString of ECMAScript. Python finds the same shortest digits, but switches to exponents elsewhere."""
    text = repr(float(number))
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return "0" if text == "-0.0" else text.removesuffix(".0")
    sign, digits = "-" * (number < 0), mantissa.lstrip("-").replace(".", "")
    point = int(exponent) + 1  # the position of the decimal point
    if 0 < point <= 21:
        return sign + digits.ljust(point, "0")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{mantissa}e{point - 1:+d}"


def _number(written: str) -> float | msgspec.Raw:
    number = float(written)
    if not number.is_integer() and abs(number) >= LEAST:
        return number  # msgspec writes these as JavaScript does
    return msgspec.Raw(number_text(number).encode())


def _walked(value: Any) -> Any:
    """Rewrite large integers and the order of names, for which the decoder has no hook."""
    match value:
        case bool():
            return value
        case int() if abs(value) > EXACT:
            return _raw_large(value)
        case list():
            return [_walked(each) for each in value]
        case dict():
            return {name: _walked(value[name]) for name in _in_order(value)}
    return value


def _raw_large(number: int) -> msgspec.Raw:
    try:
        return msgspec.Raw(number_text(float(number)).encode())
    except OverflowError:  # JavaScript reads it as infinite, which it writes as null
        return msgspec.Raw(b"null")


def _in_order(names: dict[str, Any]) -> list[str]:
    indices = [name for name in names if _is_index(name)]
    return [*sorted(indices, key=int), *(name for name in names if name not in indices)]


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name and int(name) <= MOST_INDEX


_decode_numbers = msgspec.json.Decoder(float_hook=_number).decode
