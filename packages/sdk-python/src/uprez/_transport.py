"""Calls of the API: the key, retries, errors."""

from __future__ import annotations

import email.utils
import json
import os
import random
import time
import urllib.parse
from typing import Any, BinaryIO, Callable, Mapping, NamedTuple, Optional, TypeVar, Union

from ._connection import Answer, NoAnswerError, exchange
from ._source import Source
from ._version import __version__
from .errors import ConnectionFailedError, UprezError, make_api_error

_RETRIED = {429, 500, 502, 503, 504}
_LONGEST_WAIT_S = 60.0
_CHUNK = 256 * 1024

T = TypeVar("T")


class Reply(NamedTuple):
    data: Any  # whatever JSON holds
    #: Reads a header of the answer by its name.
    header: Callable[[str], Optional[str]]


class Transport:
    def __init__(self, api_key: str, base_url: str, *, max_retries: int, timeout: float) -> None:
        self._api_key = api_key
        self._base_url = base_url.rstrip("/")
        self._max_retries = max_retries
        self._timeout = timeout

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: object = None,
        source: Optional[Source] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Reply:
        """A call that is answered with JSON. Raises ``ApiError`` or ``ConnectionFailedError``."""
        sent = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key}", **(headers or {})}
        if source is not None:
            sent["Content-Type"] = "application/octet-stream"
        elif body is not None:
            sent["Content-Type"] = "application/json"
            source = Source(json.dumps(body).encode())
        return self._send(method, self._address(path, query), headers=sent, source=source, read=_read_reply)

    def download(self, address: str, target: Union[str, os.PathLike[str], BinaryIO]) -> int:
        """Stream what lies at a path of the API or a signed link into a file; its bytes."""
        if not isinstance(target, (str, os.PathLike)):
            return self._get(address, lambda answer: _copy_once(answer, target))
        partial = f"{os.fspath(target)}.part"

        def write(answer: Answer) -> int:
            with open(partial, "wb") as file:
                return _copy(answer, file)

        try:
            size = self._get(address, write)
            os.replace(partial, target)
            return size
        finally:
            if os.path.exists(partial):
                os.remove(partial)

    def _get(self, address: str, read: Callable[[Answer], T]) -> T:
        # A signed link needs no key, and may lead to another host.
        if "://" in address:
            return self._send("GET", address, headers={}, source=None, read=read)
        headers = {"Authorization": f"Bearer {self._api_key}"}
        return self._send("GET", self._address(address, None), headers=headers, source=None, read=read)

    def _address(self, path: str, query: Optional[Mapping[str, Any]]) -> str:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        return self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def _send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        source: Optional[Source],
        read: Callable[[Answer], T],
    ) -> T:
        sent = {"User-Agent": f"uprez-python/{__version__}", **headers}
        for attempt in range(self._max_retries + 1):
            retry_after = None
            error: UprezError
            try:
                with self._exchange(method, url, sent, source) as answer:
                    if answer.status < 300:
                        return read(answer)
                    error = _read_error(answer)
                    if answer.status not in _RETRIED:
                        raise error
                    retry_after = answer.header("Retry-After")
            except NoAnswerError as failure:
                error = ConnectionFailedError(f"No answer came: {failure}")
            if attempt == self._max_retries or (source is not None and source.is_spent):
                raise error
            time.sleep(pause_seconds(attempt, retry_after))
        raise AssertionError("the last attempt returns or raises")

    def _exchange(self, method: str, url: str, headers: Mapping[str, str], source: Optional[Source]) -> Answer:
        if source is None:
            return exchange(method, url, headers=headers, body=None, timeout=self._timeout)
        with source.open() as body:
            return exchange(method, url, headers=headers, body=body, timeout=self._timeout)


def pause_seconds(attempt: int, retry_after: Optional[str]) -> float:
    """How long to wait after a failed attempt, counted from 0: what the answer asks for, else longer each time."""
    asked = _read_seconds(retry_after)
    return 0.5 * 2**attempt * random.uniform(0.5, 1) if asked is None else asked


def _read_seconds(retry_after: Optional[str]) -> Optional[float]:
    """Seconds of a ``Retry-After``: a number or a date."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def _read_reply(answer: Answer) -> Reply:
    try:
        return Reply(json.loads(answer.read()), answer.header)
    except ValueError:
        problem = {"code": "unexpected_answer", "detail": "The answer is no JSON: is this the API's address?"}
        raise make_api_error(answer.status, problem, answer.header("X-Request-Id")) from None


def _read_error(answer: Answer) -> UprezError:
    try:
        problem = json.loads(answer.read())
    except ValueError:
        problem = None
    return make_api_error(
        answer.status, problem if isinstance(problem, dict) else {}, answer.header("X-Request-Id")
    )


def _copy(answer: Answer, file: BinaryIO) -> int:
    size = 0
    while True:
        chunk = answer.read(_CHUNK)
        if not chunk:
            break
        file.write(chunk)
        size += len(chunk)
    length = answer.header("Content-Length")
    if length is not None and size != int(length):
        raise NoAnswerError(f"{size} of {length} bytes came")
    return size


def _copy_once(answer: Answer, file: BinaryIO) -> int:
    """Into a file of the caller's, where nothing can be taken back: what breaks off is not tried again."""
    try:
        return _copy(answer, file)
    except NoAnswerError as error:
        raise ConnectionFailedError(f"The download broke off: {error}") from error


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
