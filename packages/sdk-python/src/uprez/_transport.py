"""Requests to the API: authentication, retries, and errors."""

from __future__ import annotations

import email.utils
import io
import json
import os
import random
import time
import urllib.parse
from datetime import datetime
from typing import Any, BinaryIO, Callable, Mapping, NamedTuple, Optional, Tuple, TypeVar, Union

from ._connection import NoResponseError, Response, exchange
from ._source import Source
from ._stream import ResultStream, copy
from ._version import __version__
from .errors import ConnectionFailedError, UprezError, make_api_error

_RETRIED = {429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
#: The longest Retry-After after which a request is retried.
_MAX_WAIT_S = 60.0

T = TypeVar("T")


class Reply(NamedTuple):
    data: Any  # parsed JSON
    #: Returns a response header.
    header: Callable[[str], Optional[str]]


class Transport:
    def __init__(self, api_key: str, base_url: str, *, max_retries: int, timeout: float) -> None:
        self._api_key = api_key
        self._base_url = trim_base_url(base_url)
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
        is_safe: bool = True,
    ) -> Reply:
        """Send a request and parse the JSON response.

        Errors and ``is_safe`` are those of ``request``.
        """
        return self.request(
            method, path, query=query, body=body, source=source, headers=headers, is_safe=is_safe, read=read_reply
        )

    def request(
        self,
        method: str,
        path: str,
        *,
        read: Callable[[Response], T],
        query: Optional[Mapping[str, Any]] = None,
        body: object = None,
        source: Optional[Source] = None,
        headers: Optional[Mapping[str, str]] = None,
        is_safe: bool = True,
    ) -> T:
        """Send a request and read the response. Raises ``ApiError`` or ``ConnectionFailedError``.

        ``is_safe``: the request may be repeated if its outcome is unknown.
        """
        sent = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key}", **(headers or {})}
        if source is not None:
            sent["Content-Type"] = source.content_type
        elif body is not None:
            sent["Content-Type"] = "application/json"
            source = Source(json.dumps(body).encode())
        url = self._url(path, query)
        return self._send(method, url, headers=sent, source=source, read=read, is_safe=is_safe)

    def read(self, url: str) -> bytes:
        """Return the content of an API path or a signed URL."""

        def collect(response: Response) -> bytes:
            file = io.BytesIO()
            copy(response, file)
            return file.getvalue()

        return self._get(url, collect)

    def open(self, url: str) -> ResultStream:
        """Open the content of an API path or a signed URL. An interruption isn't retried."""
        return self._get(url, ResultStream)

    def download(self, url: str, target: Union[str, os.PathLike[str], BinaryIO]) -> int:
        """Download an API path or a signed URL to a file. Returns the number of bytes."""
        if not isinstance(target, (str, os.PathLike)):
            with self.open(url) as stream:
                return stream.copy_to(target)
        partial = f"{os.fspath(target)}.part"

        def write(response: Response) -> int:
            with open(partial, "wb") as file:
                return copy(response, file)

        try:
            size = self._get(url, write)
            os.replace(partial, target)
            return size
        finally:
            if os.path.exists(partial):
                os.remove(partial)

    def _get(self, url: str, read: Callable[[Response], T]) -> T:
        # A signed URL needs no API key, and may point to another host.
        if "://" in url:
            return self._send("GET", url, headers={}, source=None, read=read)
        headers = {"Authorization": f"Bearer {self._api_key}"}
        return self._send("GET", self._url(url, None), headers=headers, source=None, read=read)

    def _url(self, path: str, query: Optional[Mapping[str, Any]]) -> str:
        given = make_texts(query or {})
        return self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def _send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        source: Optional[Source],
        read: Callable[[Response], T],
        is_safe: bool = True,
    ) -> T:
        sent = {"User-Agent": f"uprez-python/{__version__}", **headers}
        for attempt in range(self._max_retries + 1):
            retry_after = None
            error: UprezError
            retried = _RETRIED if is_safe else {429}
            try:
                with self._exchange(method, url, sent, source) as response:
                    if response.status < 300:
                        return read(response)
                    error = _read_error(response)
                    if response.status not in retried:
                        raise error
                    retry_after = response.header("Retry-After")
            except NoResponseError as failure:
                error = ConnectionFailedError(f"Couldn't connect to the service: {failure}")
                if not is_safe:
                    raise error from failure
            if attempt == self._max_retries or is_too_long(retry_after) or (source is not None and source.is_spent):
                raise error
            time.sleep(pause_seconds(attempt, retry_after))
        raise AssertionError("unreachable")

    def _exchange(self, method: str, url: str, headers: Mapping[str, str], source: Optional[Source]) -> Response:
        if source is None:
            response = exchange(method, url, headers=headers, body=None, timeout=self._timeout)
            location = response.header("Location")
            if response.status not in _REDIRECTS or location is None or "Authorization" in headers:
                return response
            # A signed URL may redirect to the storage. The API key is never sent elsewhere.
            response.close()
            url = urllib.parse.urljoin(url, location)
            return exchange(method, url, headers=headers, body=None, timeout=self._timeout)
        with source.open() as body:
            return exchange(method, url, headers=headers, body=body, timeout=self._timeout)


def trim_base_url(url: str) -> str:
    """Remove ``/v1`` from the end of a URL, because paths of the API start with it."""
    url = url.rstrip("/")
    return url[:-3] if url.endswith("/v1") else url


def pause_seconds(attempt: int, retry_after: Optional[str]) -> float:
    """Return the seconds to wait after an attempt (from 0): ``Retry-After``, or exponential backoff, with jitter."""
    asked = _read_seconds(retry_after)
    if asked is None:
        return 0.5 * 2**attempt * random.uniform(0.5, 1)
    return asked + random.uniform(0, 0.25)


def is_too_long(retry_after: Optional[str]) -> bool:
    """Return whether ``Retry-After`` is that of an hourly or daily limit."""
    return (_read_seconds(retry_after) or 0) > _MAX_WAIT_S


def _read_seconds(retry_after: Optional[str]) -> Optional[float]:
    """Parse the seconds or the date of a ``Retry-After`` header."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(seconds, 0.0)


def read_image(response: Response) -> Tuple[str, Optional[bytes]]:
    """Return the ID of a job, and its result unless it isn't finished (202)."""
    job_id = response.header("X-Job-Id") or ""
    if response.status == 202:
        return job_id, None
    file = io.BytesIO()
    copy(response, file)
    return job_id, file.getvalue()


def read_reply(response: Response) -> Reply:
    if response.status == 204:
        return Reply(None, response.header)
    try:
        return Reply(json.loads(response.read()), response.header)
    except ValueError:
        problem = {"code": "unexpected_answer", "detail": "The response isn't JSON. Check base_url."}
        raise make_api_error(response.status, problem, response.header("X-Request-Id")) from None


def _read_error(response: Response) -> UprezError:
    try:
        problem = json.loads(response.read())
    except ValueError:
        problem = None
    facts = problem if isinstance(problem, dict) else {}
    error = make_api_error(response.status, facts, response.header("X-Request-Id"))
    error.retry_after = _read_seconds(response.header("Retry-After"))
    return error


def make_texts(fields: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in fields.items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)
