"""How messages are written and read: as JSON, one a frame."""

import msgspec

from .requests import ClientMessage

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ClientMessage).decode
