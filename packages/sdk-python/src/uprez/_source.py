"""The bytes of an upload."""

from __future__ import annotations

import io
import os
import re
import urllib.parse
import uuid
from contextlib import contextmanager
from typing import BinaryIO, Iterator, List, Mapping, Optional, Union

#: A path, bytes, or a file opened in binary mode.
Image = Union[str, "os.PathLike[str]", bytes, bytearray, BinaryIO]


class Source:
    """The bytes of one upload. Can be sent again unless the stream isn't seekable."""

    content_type = "application/octet-stream"

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


class FormSource(Source):
    """An image in a form, with fields that are too large for the query string."""

    def __init__(self, image: Image, filename: Optional[str], fields: Mapping[str, str]) -> None:
        super().__init__(image, filename)
        boundary = uuid.uuid4().hex
        self.content_type = f"multipart/form-data; boundary={boundary}"
        begin = f"--{boundary}\r\nContent-Disposition: form-data; name="
        # Escaped as browsers do: https://html.spec.whatwg.org/#multipart-form-data
        name = re.sub(r'["\r\n]', lambda found: urllib.parse.quote(found[0]), self.filename)
        texts = [f'{begin}"{field}"\r\n\r\n{value}\r\n' for field, value in fields.items()]
        self._before = "".join([*texts, f'{begin}"image"; filename="{name}"\r\n\r\n']).encode()
        self._after = f"\r\n--{boundary}--\r\n".encode()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        with super().open() as image:
            yield _Joined([io.BytesIO(self._before), image, io.BytesIO(self._after)])  # type: ignore[misc]


class _Joined(io.RawIOBase):
    """Reads files one after the other."""

    def __init__(self, files: List[BinaryIO]) -> None:
        self._files = files

    def read(self, size: int = -1) -> bytes:
        while self._files:
            data = self._files[0].read(size)
            if data:
                return data
            self._files.pop(0)
        return b""


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
