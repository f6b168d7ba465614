"""Typed responses. ``raw`` holds all fields."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, Generic, List, Mapping, Optional, TypeVar, Union

Target = Union[str, "os.PathLike[str]", BinaryIO]
T = TypeVar("T")


@dataclass(frozen=True)
class Size:
    width: int
    height: int
    #: Size in bytes.
    file_size: int


@dataclass(frozen=True)
class Failure:
    """The reason a job or batch item failed."""

    code: str
    message: str
    documentation_url: Optional[str] = None


@dataclass(frozen=True)
class JobData:
    """A job processes one image."""

    id: str
    status: str
    progress: int
    filename: str
    scale_factor: float
    format: str
    quality: int
    engine: str
    original_size: Size
    processed_size: Optional[Size]
    processing_time: Optional[float]
    fidelity: Optional[float]
    download_url: Optional[str]
    created_at: datetime
    expires_at: Optional[datetime]
    sandbox: bool
    notes: List[str]
    error: Optional[Failure]
    queue_position: Optional[int]
    #: Credits that the job costs; 0 if it failed, was canceled free of charge, or isn't charged.
    credits: int
    #: Until then, canceling is free. None unless the job is processing.
    free_cancel_until: Optional[datetime]
    #: Credits charged for the request. They are refunded if the job fails or is free. None unless the request created
    #: the job.
    credits_charged: Optional[int]
    #: Whether the result is a copy of a stored result, at no charge. False until the job is completed.
    cached: bool
    raw: Mapping[str, Any] = field(repr=False)
    _fetched: float = field(repr=False, compare=False)

    @property
    def is_final(self) -> bool:
        return self.status not in ("queued", "processing")


@dataclass(frozen=True)
class Deletion:
    """The deleted files of a job, with their digests."""

    id: str
    deleted_at: datetime
    objects: List[Mapping[str, str]]


@dataclass(frozen=True)
class DryRun:
    """The estimated result and cost of an image."""

    width: int
    height: int
    bytes: float
    seconds: float
    format: str
    quality: int
    engine: str
    units: int
    meter: str
    notes: List[str]
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Limit:
    """The first limit that a job would exceed."""

    code: str
    detail: str
    max_scale: Optional[float]
    unlocked_by: Optional[str]


@dataclass(frozen=True)
class Estimate:
    width: int
    height: int
    bytes: Optional[float]
    seconds: Optional[float]
    units: int
    meter: str
    #: The limit that the job would exceed; None if it would be accepted.
    limit: Optional[Limit]


@dataclass(frozen=True)
class BatchItem:
    id: str
    client_id: str
    name: str
    status: str
    progress: int
    job_id: Optional[str]
    download_url: Optional[str]
    notes: List[str]
    error: Optional[Failure]
    #: Upload of the result to the target URL: ``status``, ``host``, ``attempts``, ``error``, ... None without a target.
    delivery: Optional[Mapping[str, Any]] = None


@dataclass(frozen=True)
class BatchData:
    """A batch of images with the same options."""

    id: str
    status: str
    progress: int
    counts: Mapping[str, int]
    sandbox: bool
    created_at: datetime
    expires_at: datetime
    items: List[BatchItem]
    #: Credits charged for the request. They are refunded for images that fail or are free. None unless the request
    #: created the batch.
    credits_charged: Optional[int]
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def is_final(self) -> bool:
        return self.status != "active"


@dataclass(frozen=True)
class Account:
    plan: str
    plan_name: str
    calls_per_minute: int
    quota: List[Mapping[str, Any]]
    key: Mapping[str, Any]
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Engine:
    name: str
    meter: str
    says: str
    is_auto: bool
    available: Optional[bool]
    device: Optional[str]
    pixels_per_second: Optional[float]


@dataclass(frozen=True)
class Event:
    """An event of the event feed and of webhooks."""

    id: str
    type: str
    timestamp: datetime
    sandbox: bool
    data: Mapping[str, Any]
    raw: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Page(Generic[T]):
    data: List[T]
    #: Cursor of the next page; None on the last page.
    next_cursor: Optional[str]
