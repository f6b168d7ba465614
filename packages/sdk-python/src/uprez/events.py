"""The event feed."""

from __future__ import annotations

from typing import Iterator, Optional

from ._parse import parse_event
from ._transport import Transport
from .models import Event, Page


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, *, after: Optional[str] = None, type: Optional[str] = None, limit: Optional[int] = None
    ) -> Page[Event]:
        """Return a page of events after the event ``after``, oldest first."""
        data = self._transport.call("GET", "/v1/events", query={"after": after, "type": type, "limit": limit}).data
        return Page([parse_event(event) for event in data["data"]], data["next_cursor"])

    def iterate(
        self, *, after: Optional[str] = None, type: Optional[str] = None, limit: Optional[int] = None
    ) -> Iterator[Event]:
        """Iterate over all events. ``limit``: events per page."""
        while True:
            page = self.list(after=after, type=type, limit=limit)
            yield from page.data
            after = page.next_cursor
            if after is None:
                return
