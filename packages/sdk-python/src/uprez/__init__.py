"""Upscale and resize images with the Uprez API."""

from ._stream import ResultStream
from ._version import __version__
from .aio import AsyncBatch, AsyncJob, AsyncResultStream, AsyncUprez
from .batches import Batch, BatchImage
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
from .image_urls import sign_image_url
from .jobs import Job
from .models import Account, BatchData, BatchItem, Deletion, DryRun, Engine, Estimate, Event, JobData, Page, Size
from .options import Options
from .webhook_models import Delivery, DeliveryAttempt, Webhook
from .webhooks import verify_webhook

__all__ = [
    "Account",
    "ApiError",
    "AsyncBatch",
    "AsyncJob",
    "AsyncResultStream",
    "AsyncUprez",
    "AuthenticationError",
    "Batch",
    "BatchData",
    "BatchImage",
    "BatchItem",
    "ConnectionFailedError",
    "Deletion",
    "Delivery",
    "DeliveryAttempt",
    "DryRun",
    "Engine",
    "Estimate",
    "Event",
    "Job",
    "JobData",
    "JobFailedError",
    "NotFoundError",
    "Options",
    "Page",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "ResultStream",
    "ServerError",
    "Size",
    "Uprez",
    "UprezError",
    "WaitTimeoutError",
    "Webhook",
    "WebhookVerificationError",
    "__version__",
    "sign_image_url",
    "verify_webhook",
]
