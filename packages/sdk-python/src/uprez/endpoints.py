"""Webhook endpoints and their deliveries. The API key needs the scope ``webhooks``."""

from __future__ import annotations

from datetime import datetime
from typing import List, Optional, Sequence

from ._parse import parse_delivery, parse_webhook
from ._transport import Transport
from .models import Page
from .webhook_models import Delivery, Webhook


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> List[Webhook]:
        data = self._transport.call("GET", "/v1/webhooks").data
        return [parse_webhook(webhook) for webhook in data["data"]]

    def create(
        self,
        url: str,
        *,
        description: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        sandbox: Optional[bool] = None,
    ) -> Webhook:
        """Create an endpoint. Its ``secret`` isn't shown again. ``events``: types to send; all types by default."""
        body = _given(url=url, description=description, events=events, sandbox=sandbox)
        return parse_webhook(self._transport.call("POST", "/v1/webhooks", body=body, is_safe=False).data)

    def get(self, webhook_id: str) -> Webhook:
        return parse_webhook(self._transport.call("GET", f"/v1/webhooks/{webhook_id}").data)

    def update(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        description: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        is_active: Optional[bool] = None,
    ) -> Webhook:
        """Change an endpoint. Omitted fields stay as they are. ``is_active``: False disables the endpoint."""
        body = _given(url=url, description=description, events=events, is_active=is_active)
        return parse_webhook(self._transport.call("PATCH", f"/v1/webhooks/{webhook_id}", body=body).data)

    def delete(self, webhook_id: str) -> None:
        self._transport.call("DELETE", f"/v1/webhooks/{webhook_id}")

    def rotate(self, webhook_id: str, *, overlap_hours: Optional[float] = None) -> Webhook:
        """Rotate the secret. Deliveries are signed with both secrets until the previous one expires."""
        path, body = f"/v1/webhooks/{webhook_id}/rotate", _given(overlap_hours=overlap_hours)
        return parse_webhook(self._transport.call("POST", path, body=body, is_safe=False).data)

    def test(self, webhook_id: str) -> Delivery:
        """Send a test event."""
        return parse_delivery(self._transport.call("POST", f"/v1/webhooks/{webhook_id}/test", is_safe=False).data)

    def resend(self, webhook_id: str, since: datetime) -> int:
        """Resend all events since a time, which must have a time zone. Returns the number of events."""
        path, body = f"/v1/webhooks/{webhook_id}/resend", {"since": since.isoformat()}
        return int(self._transport.call("POST", path, body=body, is_safe=False).data["events"])

    def deliveries(
        self,
        webhook_id: str,
        *,
        status: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page[Delivery]:
        """Return a page of deliveries, newest first."""
        query = {"status": status, "limit": limit, "cursor": cursor}
        data = self._transport.call("GET", f"/v1/webhooks/{webhook_id}/deliveries", query=query).data
        return Page([parse_delivery(delivery) for delivery in data["data"]], data["next_cursor"])

    def delivery(self, webhook_id: str, delivery_id: str) -> Delivery:
        """Return a delivery with its body and attempts."""
        return parse_delivery(self._transport.call("GET", _path(webhook_id, delivery_id)).data)

    def resend_delivery(self, webhook_id: str, delivery_id: str) -> Delivery:
        path = f"{_path(webhook_id, delivery_id)}/resend"
        return parse_delivery(self._transport.call("POST", path, is_safe=False).data)


def _path(webhook_id: str, delivery_id: str) -> str:
    return f"/v1/webhooks/{webhook_id}/deliveries/{delivery_id}"


def _given(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
