"""The feed of what happened, kept for 30 days."""

from __future__ import annotations

from typing import Iterator, Optional

from ._parse import pick
from ._transport import Transport
from .models import Event, Page


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> Page[Event]:
        """One page of events, oldest first, that came after one that is known."""
        data = self._transport.call("GET", "/v1/events", query={"after": after, "limit": limit}).data
        return Page([pick(Event, event) for event in data["data"]], data["next_cursor"])

    def iterate(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Event]:
        """All events so far, asked for page by page; ``limit``: of one page."""
        while True:
            page = self.list(after=after, limit=limit)
            yield from page.data
            after = page.next_cursor
            if after is None:
                return
