"""What can go wrong, by what a caller can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

if TYPE_CHECKING:
    from .models import Job


class UprezError(Exception):
    """Everything that this package raises. ``code`` is the error's name in the documentation."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class ApiError(UprezError):
    """The API refused a call, and says which parameter is wrong and what would help."""

    def __init__(self, status: int, problem: Mapping[str, Any], request_id: Optional[str] = None) -> None:
        code = str(problem.get("code", f"http_{status}"))
        super().__init__(f"{problem.get('detail') or 'The call failed.'} ({status} {code})", code)
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


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, switched off or expired."""


class QuotaExceededError(ApiError):
    """402: the plan or the key has no units left."""


class PermissionDeniedError(ApiError):
    """403: the plan or the key does not include this."""


class NotFoundError(ApiError):
    """404: there is no such job or batch."""


class RateLimitError(ApiError):
    """429: too many calls, still after all retries."""


class ServerError(ApiError):
    """5xx: the service failed, still after all retries."""


class ConnectionFailedError(UprezError):
    """No answer came, even after all retries."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "connection_failed")


class JobFailedError(UprezError):
    """A job ended without a result, or has none (any more)."""

    def __init__(self, job: Job) -> None:
        self.job = job
        codes = {"cancelled": "cancelled", "expired": "result_expired", "failed": "internal"}
        code = job.error.code if job.error else codes.get(job.status, "job_not_finished")
        super().__init__(job.error.message if job.error else f"Job {job.id} is {job.status}.", code)


class WaitTimeoutError(UprezError):
    """The wait ended before the work did, which goes on."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "wait_timeout")


class WebhookVerificationError(UprezError):
    """A webhook that was not sent by Uprez, or too long ago."""


_BY_STATUS = {
    401: AuthenticationError,
    402: QuotaExceededError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
}


def make_api_error(status: int, problem: Mapping[str, Any], request_id: Optional[str]) -> ApiError:
    """The most specific error of an answer."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, problem, request_id)
