"""Exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

if TYPE_CHECKING:
    from .models import JobData


class UprezError(Exception):
    """Base class of all errors of this package. The documentation explains each ``code``."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class ApiError(UprezError):
    """The API returned an error."""

    def __init__(self, status: int, problem: Mapping[str, Any], request_id: Optional[str] = None) -> None:
        code = str(problem.get("code", f"http_{status}"))
        super().__init__(f"{problem.get('detail') or 'The request failed.'} ({status} {code})", code)
        self.status = status
        self.detail: str = str(problem.get("detail", ""))
        self.param: Optional[str] = problem.get("param")
        self.allowed: Any = problem.get("allowed")
        self.got: Optional[str] = problem.get("got")
        self.hint: Optional[str] = problem.get("hint")
        self.max_scale: Optional[float] = problem.get("max_scale")
        self.meta: Mapping[str, Any] = problem.get("meta") or {}
        self.documentation_url: Optional[str] = problem.get("documentation_url")
        self.request_id: Optional[str] = problem.get("request_id") or request_id
        #: Seconds to wait before the next attempt, if the service says so.
        self.retry_after: Optional[float] = None


class AuthenticationError(ApiError):
    """401: the API key is missing, invalid, disabled, or expired."""


class QuotaExceededError(ApiError):
    """402: the plan or the API key has no credits left."""


class PermissionDeniedError(ApiError):
    """403: the plan or the API key doesn't allow this."""


class NotFoundError(ApiError):
    """404: the job or batch doesn't exist."""


class RateLimitError(ApiError):
    """429: too many requests, after all retries."""


class ServerError(ApiError):
    """5xx: the service failed, after all retries."""


class ConnectionFailedError(UprezError):
    """The service couldn't be reached, after all retries."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "connection_failed")


class JobFailedError(UprezError):
    """A job failed, was canceled, or has no result."""

    def __init__(self, job: JobData) -> None:
        self.job = job
        codes = {"cancelled": "cancelled", "expired": "result_expired", "failed": "internal"}
        code = job.error.code if job.error else codes.get(job.status, "job_not_finished")
        super().__init__(job.error.message if job.error else f"Job {job.id} is {job.status}.", code)


class WaitTimeoutError(UprezError):
    """The timeout passed before the work ended. Processing continues."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "wait_timeout")


class WebhookVerificationError(UprezError):
    """A webhook has an invalid signature, or is too old."""


_BY_STATUS = {
    401: AuthenticationError,
    402: QuotaExceededError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
}


def make_api_error(status: int, problem: Mapping[str, Any], request_id: Optional[str]) -> ApiError:
    """Make the most specific error of a response."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, problem, request_id)
