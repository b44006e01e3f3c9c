"""Error responses that are sent without the application, and the security headers of every response."""

import msgspec

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NO_STORE = {"cache-control": "no-store"}
ENCODED_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
REFUSALS = {
    400: (b"Bad Request", "malformed", "This is not an HTTP request."),
    431: (b"Request Header Fields Too Large", "too-big", "The head of a request may have at most 32768 bytes."),
}


def refusal(status: int) -> bytes:
    """A complete HTTP response that ends the connection."""
    phrase, code, sentence = REFUSALS[status]
    body = msgspec.json.encode({"code": code, "sentence": sentence, "detail": None})
    headers = {
        **SECURITY_HEADERS,
        **NO_STORE,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return b"HTTP/1.1 %d %s\r\n%s\r\n%s" % (status, phrase, head.encode(), body)
