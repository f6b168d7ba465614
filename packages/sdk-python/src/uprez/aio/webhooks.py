"""Webhook endpoints, their deliveries, and the event feed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, AsyncIterator, List, Optional, Sequence

from ..endpoints import Webhooks
from ..events import Events
from ..models import Event, Page
from ..webhook_models import Delivery, Webhook
from ._pool import Pool, iterate


class AsyncWebhooks:
    """Webhook endpoints. The API key needs the scope ``webhooks``."""

    def __init__(self, webhooks: Webhooks, pool: Pool) -> None:
        self._sync = webhooks
        self._pool = pool

    async def list(self) -> List[Webhook]:
        return await self._pool.run(self._sync.list)

    async def create(
        self,
        url: str,
        *,
        description: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        sandbox: Optional[bool] = None,
    ) -> Webhook:
        """Create an endpoint. Its ``secret`` isn't shown again. ``events``: types to send; all types by default."""
        named: Any = {"description": description, "events": events, "sandbox": sandbox}
        return await self._pool.run(self._sync.create, url, **named)

    async def get(self, webhook_id: str) -> Webhook:
        return await self._pool.run(self._sync.get, webhook_id)

    async def update(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        description: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        is_active: Optional[bool] = None,
    ) -> Webhook:
        """Change an endpoint. Omitted fields stay as they are. ``is_active``: False disables the endpoint."""
        named: Any = {"url": url, "description": description, "events": events, "is_active": is_active}
        return await self._pool.run(self._sync.update, webhook_id, **named)

    async def delete(self, webhook_id: str) -> None:
        await self._pool.run(self._sync.delete, webhook_id)

    async def rotate(self, webhook_id: str, *, overlap_hours: Optional[float] = None) -> Webhook:
        """Rotate the secret. Deliveries are signed with both secrets until the previous one expires."""
        return await self._pool.run(self._sync.rotate, webhook_id, overlap_hours=overlap_hours)

    async def test(self, webhook_id: str) -> Delivery:
        """Send a test event."""
        return await self._pool.run(self._sync.test, webhook_id)

    async def resend(self, webhook_id: str, since: datetime) -> int:
        """Resend all events since a time, which must have a time zone. Returns the number of events."""
        return await self._pool.run(self._sync.resend, webhook_id, since)

    async def deliveries(
        self,
        webhook_id: str,
        *,
        status: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page[Delivery]:
        """Return a page of deliveries, newest first."""
        named: Any = {"status": status, "limit": limit, "cursor": cursor}
        return await self._pool.run(self._sync.deliveries, webhook_id, **named)

    async def delivery(self, webhook_id: str, delivery_id: str) -> Delivery:
        """Return a delivery with its body and attempts."""
        return await self._pool.run(self._sync.delivery, webhook_id, delivery_id)

    async def resend_delivery(self, webhook_id: str, delivery_id: str) -> Delivery:
        return await self._pool.run(self._sync.resend_delivery, webhook_id, delivery_id)


class AsyncEvents:
    """The event feed."""

    def __init__(self, events: Events, pool: Pool) -> None:
        self._sync = events
        self._pool = pool

    async def list(
        self, *, after: Optional[str] = None, type: Optional[str] = None, limit: Optional[int] = None
    ) -> Page[Event]:
        """Return a page of events after the event ``after``, oldest first."""
        return await self._pool.run(self._sync.list, after=after, type=type, limit=limit)

    def iterate(
        self, *, after: Optional[str] = None, type: Optional[str] = None, limit: Optional[int] = None
    ) -> AsyncIterator[Event]:
        """Iterate over all events. ``limit``: events per page."""
        return iterate(lambda cursor: self.list(after=cursor or after, type=type, limit=limit))
