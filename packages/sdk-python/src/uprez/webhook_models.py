"""Typed responses of webhook endpoints. ``raw`` holds all fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, List, Mapping, Optional


@dataclass(frozen=True)
class Webhook:
    """A webhook endpoint."""

    id: str
    #: ``endpoint``, or ``jobs`` for the ``webhook_url`` of individual jobs.
    kind: str
    url: Optional[str]
    description: str
    #: Types of events to send. An empty list means all types.
    events: List[str]
    sandbox: bool
    is_active: bool
    disabled_reason: Optional[str]
    disabled_at: Optional[datetime]
    failing_since: Optional[datetime]
    last_delivered_at: Optional[datetime]
    #: Until then, deliveries are also signed with the previous secret.
    former_secret_until: Optional[datetime]
    created_at: datetime
    #: Only after ``create`` and ``rotate``. It isn't shown again.
    secret: Optional[str] = field(repr=False)
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class DeliveryFailure:
    """The reason an attempt failed."""

    code: str
    message: str


@dataclass(frozen=True)
class DeliveryAttempt:
    """One attempt to deliver an event."""

    number: int
    at: datetime
    duration_ms: int
    response_status: Optional[int]
    response_body: Optional[str]
    error: Optional[DeliveryFailure]


@dataclass(frozen=True)
class Delivery:
    """A delivery of an event to an endpoint."""

    id: str
    event_id: str
    event_type: str
    subject: str
    url: str
    #: ``pending``, ``delivered``, or ``failed``.
    status: str
    attempts: int
    response_status: Optional[int]
    error: Optional[DeliveryFailure]
    created_at: datetime
    last_attempt_at: Optional[datetime]
    next_attempt_at: Optional[datetime]
    #: Request body. None in lists.
    body: Optional[str]
    #: The last 20 attempts, oldest first. Empty in lists.
    attempt_log: List[DeliveryAttempt]
    raw: Mapping[str, Any] = field(repr=False)
