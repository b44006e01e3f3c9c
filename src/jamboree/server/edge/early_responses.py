"""Answers the server gives before the application is asked, and what stands at the head of every answer."""

import msgspec

HARDENED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NOT_KEPT = {"cache-control": "no-store"}
HEAD = [(name.encode(), value.encode()) for name, value in HARDENED.items()]
REFUSALS = {
    400: (b"Bad Request", "malformed", "This is no request of HTTP."),
    431: (b"Request Header Fields Too Large", "too-big", "The head of a request may have 32768 bytes."),
}


def refusal(status: int) -> bytes:
    """Write a whole answer that ends the connection."""
    phrase, code, sentence = REFUSALS[status]
    body = msgspec.json.encode({"code": code, "sentence": sentence, "detail": None})
    headers = {
        **HARDENED,
        **NOT_KEPT,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return b"HTTP/1.1 %d %s\r\n%s\r\n%s" % (status, phrase, head.encode(), body)
