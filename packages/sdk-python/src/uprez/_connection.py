"""A single HTTP request, without retries and redirects."""

from __future__ import annotations

import http.client
import ssl
import urllib.parse
import urllib.request
from typing import Any, BinaryIO, Mapping, Optional

from ._source import measure

_FAILURES = (OSError, http.client.HTTPException)


class NoResponseError(Exception):
    """The connection failed or was interrupted."""


def exchange(
    method: str, url: str, *, headers: Mapping[str, str], body: Optional[BinaryIO], timeout: float
) -> Response:
    """Send a request and return the response, with its body unread. Raises ``NoResponseError``."""
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
            # The server may respond before it has read the whole body.
            pass
        return Response(connection, connection.getresponse())
    except BaseException as error:
        connection.close()
        if isinstance(error, _FAILURES):
            raise NoResponseError(str(error) or type(error).__name__) from error
        raise


def _connect(parts: urllib.parse.SplitResult, timeout: float) -> http.client.HTTPConnection:
    host, secure = parts.hostname or "", parts.scheme == "https"
    proxy = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme)
    context: Any = {"context": ssl.create_default_context()} if secure else {}  # only HTTPSConnection accepts it
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    if not proxy:
        return kind(host, parts.port, timeout=timeout, **context)
    via = urllib.parse.urlsplit(proxy if "//" in proxy else f"//{proxy}")
    connection = kind(via.hostname or "", via.port, timeout=timeout, **context)
    connection.set_tunnel(host, parts.port)
    return connection


class Response:
    """A response with an unread body. The caller must close it."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self._is_detached = False
        self.status = response.status

    def header(self, name: str) -> Optional[str]:
        return self._response.getheader(name)

    def read(self, size: Optional[int] = None) -> bytes:
        try:
            return self._response.read(size)
        except _FAILURES as error:
            raise NoResponseError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        self._response.close()
        self._connection.close()

    def detach(self) -> Response:
        """Keep the connection open at the end of the ``with`` block."""
        self._is_detached = True
        return self

    def __enter__(self) -> Response:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_detached:
            self.close()
