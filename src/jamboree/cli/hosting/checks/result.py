"""The result of one check of `jamboree doctor`."""

from typing import NamedTuple


class CheckResult(NamedTuple):
    level: str  # good, warn or wrong
    message: str
    advice: str = ""


def good(message: str) -> CheckResult:
    return CheckResult("good", message)


def warn(message: str, advice: str) -> CheckResult:
    return CheckResult("warn", message, advice)


def wrong(message: str, advice: str) -> CheckResult:
    return CheckResult("wrong", message, advice)
