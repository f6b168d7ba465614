"""The content of a download."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

from ._connection import NoResponseError, Response
from .errors import ConnectionFailedError

_CHUNK = 256 * 1024


class ResultStream(io.RawIOBase):
    """A binary stream of a download. The caller must close it, for example with ``with``.

    An interruption raises ``ConnectionFailedError``.
    """

    def __init__(self, response: Response) -> None:
        super().__init__()
        self._response = response.detach()
        self._received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        try:
            chunk = self._response.read(len(view))
            self._received += len(chunk)
            if not chunk and len(view):
                require_length(self._response, self._received)
        except NoResponseError as error:
            raise ConnectionFailedError(f"The download was interrupted: {error}") from error
        view[: len(chunk)] = chunk
        return len(chunk)

    def copy_to(self, file: BinaryIO) -> int:
        """Copy the rest to a file. Returns the number of bytes."""
        size = 0
        while chunk := self.read(_CHUNK):
            file.write(chunk)
            size += len(chunk)
        return size

    def close(self) -> None:
        if not self.closed:
            self._response.close()
        super().close()


def copy(response: Response, file: BinaryIO) -> int:
    """Copy a whole response to a file. Raises ``NoResponseError`` after an interruption, which can be retried."""
    size = 0
    while chunk := response.read(_CHUNK):
        file.write(chunk)
        size += len(chunk)
    require_length(response, size)
    return size


def require_length(response: Response, size: int) -> None:
    """``http.client`` doesn't report an early end."""
    length = response.header("Content-Length")
    if length is not None and size != int(length):
        raise NoResponseError(f"received {size} of {length} bytes")
