"""A flood of requests from one address."""

import asyncio

from .field import BYSTANDER, Field, connected, somewhere

ASK = f"GET /api/v1/tables HTTP/1.1\r\nHost: {BYSTANDER}\r\n\r\n".encode()


async def flood(field: Field, size: int, source: str = "") -> None:
    asked = [0]
    try:
        await asyncio.gather(*[_ask_on(field, source or somewhere(0), asked) for _ in range(size)])
    finally:
        field.note(f"{asked[0]} requests of a flood answered")


async def _ask_on(field: Field, source: str, asked: list[int]) -> None:
    while True:
        try:
            async with connected(field, source) as (reader, writer):
                while True:
                    writer.write(ASK)
                    head = (await reader.readuntil(b"\r\n\r\n")).decode()
                    await reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
                    asked[0] += 1
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.1)
