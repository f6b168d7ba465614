"""Runs requests of the synchronous client in threads."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from typing import Any, AsyncIterator, Awaitable, Callable, Optional, Type, TypeVar, Union

from .._source import Image
from ..models import Page

T = TypeVar("T")
#: An image, or an asynchronous stream of bytes such as the body of a request.
AsyncImage = Union[Image, AsyncIterator[bytes]]

#: Streams up to this size are kept in memory. Larger ones are in a temporary file, so they can be sent again.
_SPOOL_BYTES = 4 * 1024 * 1024


class Pool:
    def __init__(self, threads: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="uprez")

    def run(self, call: Callable[..., T], *args: Any, **named: Any) -> Awaitable[T]:
        """Run a call in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._executor, partial(call, *args, **named))

    async def send(self, call: Callable[..., T], image: Optional[AsyncImage], **named: Any) -> T:
        """Run a call that sends an image."""
        if not hasattr(image, "__aiter__"):
            return await self.run(call, image, **named)
        with tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES) as file:
            async for chunk in image:  # type: ignore[union-attr]  # has __aiter__
                file.write(chunk)
            file.seek(0)
            return await self.run(call, Spooled(file), **named)

    def close(self) -> None:
        self._executor.shutdown(wait=False)


class Spooled:
    """``SpooledTemporaryFile`` is seekable, but has no ``seekable`` before Python 3.11."""

    def __init__(self, file: Any) -> None:
        self.read, self.seek, self.tell = file.read, file.seek, file.tell

    def seekable(self) -> bool:
        return True


async def iterate(load: Callable[[Optional[str]], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    """Iterate over the rows of all pages. ``load``: returns the page at a cursor."""
    cursor: Optional[str] = None
    while True:
        page = await load(cursor)
        for row in page.data:
            yield row
        cursor = page.next_cursor
        if cursor is None:
            return


def convert(kind: Type[T], data: Any, **owner: object) -> T:
    """Make the asynchronous class of a job or batch, with the same fields."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # T is always a dataclass
    return kind(**{name: getattr(data, name) for name in names if name not in owner}, **owner)
