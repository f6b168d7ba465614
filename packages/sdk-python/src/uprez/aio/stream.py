"""The content of a download."""

from __future__ import annotations

from typing import AsyncIterator

from .._stream import ResultStream
from ._pool import Pool

_CHUNK = 256 * 1024


class AsyncResultStream:
    """A binary stream of a download. An interruption raises ``ConnectionFailedError``."""

    def __init__(self, stream: ResultStream, pool: Pool) -> None:
        self._stream = stream
        self._pool = pool

    async def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, by default the rest. Empty at the end."""
        return await self._pool.run(self._stream.read, size) or b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while chunk := await self.read(_CHUNK):
            yield chunk

    async def aclose(self) -> None:
        await self._pool.run(self._stream.close)
