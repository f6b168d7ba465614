"""Image options."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Mapping, TypedDict, Union


class Options(TypedDict, total=False):
    """Options of a processing request. See the API reference."""

    scale: float
    width: int
    height: int
    fit: str
    long_side: int
    short_side: int
    megapixels: float
    engine: str
    detail: str
    strength: int
    #: Bytes of a PNG file.
    mask: bytes
    format: str
    quality: int
    target_bytes: int
    grain: int
    edges: str
    alpha: str
    never_larger: bool
    background: str
    metadata: str
    preserve_metadata: bool
    gps: bool
    dpi: int
    keep_dpi: bool
    print_profile: str
    retention: float
    cache: bool
    webhook_url: str
    #: Options that this package doesn't support yet.
    extra: Mapping[str, Union[str, int, float, bool]]


def make_fields(options: Options) -> dict[str, Any]:
    """Make the fields of a request."""
    fields: dict[str, Any] = {name: value for name, value in options.items() if name != "extra" and value is not None}
    if "mask" in fields:
        fields["mask"] = b64encode(fields["mask"]).decode()
    fields.update(options.get("extra") or {})
    return fields
