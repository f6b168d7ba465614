"""Signed URLs of processed images."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from datetime import datetime
from typing import TYPE_CHECKING, Optional

from ._transport import trim_base_url
from .options import Options, make_fields

if TYPE_CHECKING:
    from typing_extensions import Unpack


def sign_image_url(
    url: str,
    *,
    expires_at: Optional[datetime] = None,
    key_id: Optional[str] = None,
    secret: Optional[str] = None,
    base_url: Optional[str] = None,
    **options: Unpack[Options],
) -> str:
    """Return a signed URL of a processed image, for the ``src`` of an ``<img>``. Makes no request.

    ``url``: ``https`` URL of the original, on a host that you have allowed. ``expires_at``: when the URL stops working; a
    time without a zone is local. ``key_id``, ``secret``, and ``base_url`` (with or without ``/v1``) default to
    ``UPREZ_IMAGE_KEY_ID``, ``UPREZ_IMAGE_SECRET``, and ``UPREZ_URL``. Keep the secret on your server. Raises
    ``ValueError`` if one is missing.
    """
    key_id = key_id or os.environ.get("UPREZ_IMAGE_KEY_ID")
    secret = secret or os.environ.get("UPREZ_IMAGE_SECRET")
    base_url = base_url or os.environ.get("UPREZ_URL")
    if not key_id or not secret or not base_url:
        raise ValueError(
            "Pass key_id, secret, and base_url, or set UPREZ_IMAGE_KEY_ID, UPREZ_IMAGE_SECRET, and UPREZ_URL."
        )
    fields = {"k": key_id, **make_fields(options)}
    if expires_at is not None:
        fields["exp"] = int(expires_at.timestamp())
    joined = ",".join(f"{name}:{_text(value)}" for name, value in fields.items())
    path = f"/{joined}/{_encode(url.encode())}"
    signature = _encode(hmac.new(secret.encode(), path.encode(), hashlib.sha256).digest())
    return f"{trim_base_url(base_url)}/v1/img/{signature}{path}"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # The number sign of a color would end the path.
    return str(value).lstrip("#")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
