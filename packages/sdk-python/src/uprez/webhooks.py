"""Webhook verification (Standard Webhooks, https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .errors import WebhookVerificationError


def verify_webhook(
    payload: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Verify a webhook and return its event. ``payload``: the unmodified request body.

    ``secrets``: one secret, or several during a rotation. ``tolerance``: maximum difference of the clocks in seconds.
    Raises ``WebhookVerificationError``. Respond with 400 in that case.
    """
    given = {name.lower(): value for name, value in headers.items()}
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("The webhook headers are missing or invalid.", "invalid_signature")
    content = b".".join([message_id.encode(), timestamp.encode(), body])
    sent = [one[3:].encode() for one in given.get("webhook-signature", "").split(" ") if one.startswith("v1,")]
    expected = [_sign(secret, content) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    matches = [hmac.compare_digest(one, other) for one in sent for other in expected]
    if not any(matches):
        raise WebhookVerificationError("The webhook signature doesn't match.", "invalid_signature")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The webhook timestamp is outside the tolerance.", "timestamp_outside_tolerance")
    event: Dict[str, Any] = json.loads(body)
    return event


def _sign(secret: str, content: bytes) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        raise ValueError('A webhook secret is "whsec_" followed by base64.') from None
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
