"""One HTTP exchange: no retries, no redirects, no meaning."""

from __future__ import annotations

import http.client
import ssl
import urllib.parse
import urllib.request
from typing import Any, BinaryIO, Mapping, Optional

from ._source import measure

_FAILURES = (OSError, http.client.HTTPException)


class NoAnswerError(Exception):
    """The connection could not be made, or broke."""


def exchange(
    method: str, url: str, *, headers: Mapping[str, str], body: Optional[BinaryIO], timeout: float
) -> Answer:
    """Send a request and read the head of its answer. Raises ``NoAnswerError``."""
    parts = urllib.parse.urlsplit(url)
    connection = _connect(parts, timeout)
    target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    sent = dict(headers)
    if body is not None:
        size = measure(body)
        sent.update({"Transfer-Encoding": "chunked"} if size is None else {"Content-Length": str(size)})
    try:
        try:
            connection.request(method, target, body=body, headers=sent, encode_chunked="Transfer-Encoding" in sent)
        except (BrokenPipeError, ConnectionResetError):
            # Refused before everything was sent: the answer may have come already.
            pass
        return Answer(connection, connection.getresponse())
    except BaseException as error:
        connection.close()
        if isinstance(error, _FAILURES):
            raise NoAnswerError(str(error) or type(error).__name__) from error
        raise


def _connect(parts: urllib.parse.SplitResult, timeout: float) -> http.client.HTTPConnection:
    host, secure = parts.hostname or "", parts.scheme == "https"
    proxy = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme)
    context: Any = {"context": ssl.create_default_context()} if secure else {}  # only one of the two takes it
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    if not proxy:
        return kind(host, parts.port, timeout=timeout, **context)
    via = urllib.parse.urlsplit(proxy if "//" in proxy else f"//{proxy}")
    connection = kind(via.hostname or "", via.port, timeout=timeout, **context)
    connection.set_tunnel(host, parts.port)
    return connection


class Answer:
    """An answer whose body is not read yet. Closed by whoever asked for it."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self.status = response.status

    def header(self, name: str) -> Optional[str]:
        return self._response.getheader(name)

    def read(self, size: Optional[int] = None) -> bytes:
        try:
            return self._response.read(size)
        except _FAILURES as error:
            raise NoAnswerError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        self._response.close()
        self._connection.close()

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
