"""Conversion of JSON to models. Unknown fields stay in ``raw``."""

from __future__ import annotations

import time
from dataclasses import fields
from datetime import datetime
from typing import Any, Mapping, Optional, Type, TypeVar

from ._transport import Reply
from .models import BatchItem, Deletion, Estimate, Event, Failure, Limit, Size
from .webhook_models import Delivery, DeliveryAttempt, DeliveryFailure, Webhook

T = TypeVar("T")


def pick(kind: Type[T], data: Mapping[str, Any], **given: object) -> T:
    """Make a dataclass from fields of the same name. Missing fields are None. ``given`` overrides fields."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # T is always a dataclass
    known = {name: data.get(name) for name in names}
    if "raw" in names:
        known["raw"] = data
    return kind(**{**known, **given})


def parse_time(text: Optional[str]) -> Any:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def _maybe(kind: Type[T], data: Optional[Mapping[str, Any]]) -> Optional[T]:
    return None if data is None else pick(kind, data)


def parse_job(kind: Type[T], data: Mapping[str, Any], reply: Optional[Reply], **owner: object) -> T:
    return pick(
        kind,
        data,
        original_size=pick(Size, data["original_size"]),
        processed_size=_maybe(Size, data.get("processed_size")),
        created_at=parse_time(data["created_at"]),
        expires_at=parse_time(data.get("expires_at")),
        free_cancel_until=parse_time(data.get("free_cancel_until")),
        error=_maybe(Failure, data.get("error")),
        credits_charged=_charged(reply),
        cached=data.get("cached", False),
        _fetched=time.monotonic(),
        **owner,
    )


def parse_deletion(data: Mapping[str, Any]) -> Deletion:
    return pick(Deletion, data, deleted_at=parse_time(data["deleted_at"]))


def parse_estimate(data: Mapping[str, Any]) -> Estimate:
    return pick(Estimate, data, limit=_maybe(Limit, data.get("limit")))


def parse_item(data: Mapping[str, Any]) -> BatchItem:
    return pick(BatchItem, data, error=_maybe(Failure, data.get("error")))


def parse_batch(kind: Type[T], data: Mapping[str, Any], reply: Optional[Reply], **owner: object) -> T:
    return pick(
        kind,
        data,
        created_at=parse_time(data["created_at"]),
        expires_at=parse_time(data["expires_at"]),
        items=[parse_item(item) for item in data["items"]],
        credits_charged=_charged(reply),
        **owner,
    )


def parse_event(data: Mapping[str, Any]) -> Event:
    return pick(Event, data, timestamp=parse_time(data["timestamp"]))


def parse_webhook(data: Mapping[str, Any]) -> Webhook:
    names = ("disabled_at", "failing_since", "last_delivered_at", "former_secret_until", "created_at")
    return pick(Webhook, data, **{name: parse_time(data.get(name)) for name in names})


def parse_delivery(data: Mapping[str, Any]) -> Delivery:
    names = ("created_at", "last_attempt_at", "next_attempt_at")
    return pick(
        Delivery,
        data,
        error=_maybe(DeliveryFailure, data.get("error")),
        attempt_log=[_parse_attempt(attempt) for attempt in data.get("attempt_log", [])],
        **{name: parse_time(data.get(name)) for name in names},
    )


def _parse_attempt(data: Mapping[str, Any]) -> DeliveryAttempt:
    return pick(DeliveryAttempt, data, at=parse_time(data["at"]), error=_maybe(DeliveryFailure, data.get("error")))


def _charged(reply: Optional[Reply]) -> Optional[int]:
    text = reply.header("X-Credits-Charged") if reply else None
    return None if text is None else int(text)
