"""What can be asked of an image."""

from __future__ import annotations

from typing import Any, Mapping, TypedDict, Union


class Options(TypedDict, total=False):
    """The parameters of a processing call; each is explained in the documentation."""

    scale: float
    width: int
    height: int
    fit: str
    long_side: int
    short_side: int
    megapixels: float
    engine: str
    format: str
    quality: int
    target_bytes: int
    background: str
    metadata: str
    preserve_metadata: bool
    gps: bool
    retention: float
    cache: bool
    webhook_url: str
    #: Parameters that are newer than this package, sent as they are.
    extra: Mapping[str, Union[str, int, float, bool]]


def make_fields(options: Options) -> dict[str, Any]:
    """The fields of a call: names are sent as they are spelled here."""
    fields: dict[str, Any] = {name: value for name, value in options.items() if name != "extra" and value is not None}
    fields.update(options.get("extra") or {})
    return fields
