"""The bytes of an upload."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import BinaryIO, Iterator, Optional, Union

#: A path, bytes, or a file opened in binary mode.
Image = Union[str, "os.PathLike[str]", bytes, bytearray, BinaryIO]


class Source:
    """The bytes of one upload. Can be sent again unless the stream isn't seekable."""

    def __init__(self, image: Image, filename: Optional[str] = None) -> None:
        self._image = image
        self._start: Optional[int] = None
        self.is_spent = False
        if isinstance(image, (str, os.PathLike)):
            if not os.path.isfile(image):
                raise FileNotFoundError(f"File not found: {os.fspath(image)!r}")
            self.filename = filename or os.path.basename(os.fspath(image))
        elif not _is_binary(image):
            raise TypeError("An image must be a path, bytes, or a file opened in binary mode.")
        else:
            self.filename = filename or os.path.basename(str(getattr(image, "name", "")) or "image")
            if not isinstance(image, (bytes, bytearray)) and image.seekable():
                self._start = image.tell()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes from the start."""
        image = self._image
        if isinstance(image, (str, os.PathLike)):
            with open(image, "rb") as file:
                yield file
        elif isinstance(image, (bytes, bytearray)):
            yield io.BytesIO(image)
        else:
            if self._start is None:
                self.is_spent = True
            else:
                image.seek(self._start)
            yield image


def _is_binary(image: object) -> bool:
    if isinstance(image, io.TextIOBase):
        return False
    return isinstance(image, (bytes, bytearray)) or hasattr(image, "seekable")


def measure(body: BinaryIO) -> Optional[int]:
    """Return the number of remaining bytes, or None if the file isn't seekable."""
    if not body.seekable():
        return None
    here = body.tell()
    end = body.seek(0, os.SEEK_END)
    body.seek(here)
    return end - here
