"""Upscale and resize images with the Uprez API."""

from ._version import __version__
from .client import Uprez
from .errors import (
    ApiError,
    AuthenticationError,
    ConnectionFailedError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServerError,
    UprezError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from .models import Account, Batch, BatchItem, Deletion, DryRun, Engine, Estimate, Event, Job, Page, Size
from .options import Options
from .webhooks import verify_webhook

__all__ = [
    "Account",
    "ApiError",
    "AuthenticationError",
    "Batch",
    "BatchItem",
    "ConnectionFailedError",
    "Deletion",
    "DryRun",
    "Engine",
    "Estimate",
    "Event",
    "Job",
    "JobFailedError",
    "NotFoundError",
    "Options",
    "Page",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "ServerError",
    "Size",
    "Uprez",
    "UprezError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
