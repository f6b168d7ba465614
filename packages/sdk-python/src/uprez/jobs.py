"""Jobs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Iterator, Mapping, Optional, Union

from ._parse import parse_deletion, parse_job
from ._poll import poll
from ._stream import ResultStream
from ._transport import Reply, Transport
from .errors import JobFailedError
from .models import Deletion, JobData, Page, Target

#: Download URLs expire after 15 minutes. Older ones are not used.
_LINK_AGE_S = 600.0


@dataclass(frozen=True)
class Job(JobData):
    """A job processes one image. Immutable: methods return a new object."""

    _jobs: Jobs = field(repr=False, compare=False)

    def wait_for(self, timeout: float = 600.0) -> Job:
        """Wait until the job is done. Raises ``JobFailedError``, or ``WaitTimeoutError`` after ``timeout`` seconds."""
        return self._jobs.wait_for(self, timeout)

    def refresh(self) -> Job:
        return self._jobs.get(self.id)

    def download(self, target: Target) -> int:
        """Download the result to a path or an open file. Returns the number of bytes."""
        return self._jobs.download(self, target)

    def result(self) -> bytes:
        """Return the bytes of the result."""
        return self._jobs.result(self)

    def stream(self) -> ResultStream:
        """Open the result as a binary stream, which the caller must close."""
        return self._jobs.stream(self)

    def cancel(self) -> Job:
        return self._jobs.cancel(self.id)

    def delete(self) -> Union[Job, Deletion]:
        return self._jobs.delete(self.id)


class Jobs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, job_id: str) -> Job:
        return self._make(self._transport.call("GET", f"/v1/jobs/{job_id}").data)

    def _make(self, data: Mapping[str, Any], reply: Optional[Reply] = None) -> Job:
        return parse_job(Job, data, reply, _jobs=self)

    def list(
        self,
        *,
        status: Optional[str] = None,
        created_after: Optional[datetime] = None,
        created_before: Optional[datetime] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page[Job]:
        """Return a page of jobs, newest first."""
        query = {
            "status": status,
            "created_after": created_after,
            "created_before": created_before,
            "limit": limit,
            "cursor": cursor,
        }
        data = self._transport.call("GET", "/v1/jobs", query=query).data
        return Page([self._make(job) for job in data["data"]], data["next_cursor"])

    def iterate(
        self,
        *,
        status: Optional[str] = None,
        created_after: Optional[datetime] = None,
        created_before: Optional[datetime] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Job]:
        """Iterate over all jobs, newest first. ``limit``: jobs per page."""
        cursor: Optional[str] = None
        while True:
            page = self.list(
                status=status, created_after=created_after, created_before=created_before, limit=limit, cursor=cursor
            )
            yield from page.data
            cursor = page.next_cursor
            if cursor is None:
                return

    def cancel(self, job_id: str) -> Job:
        """Cancel an unfinished job. Raises ``JobFailedError`` if it is finished, and keeps its result."""
        job = self.get(job_id)
        if job.is_final:
            raise JobFailedError(job)
        ended = self.delete(job_id)
        return ended if isinstance(ended, Job) else self.get(job_id)

    def delete(self, job_id: str) -> Union[Job, Deletion]:
        """Delete the files of a finished job, or cancel an unfinished job."""
        data = self._transport.call("DELETE", f"/v1/jobs/{job_id}").data
        return parse_deletion(data) if "deleted_at" in data else self._make(data)

    def wait_for(self, job: Job, timeout: float = 600.0) -> Job:
        """Wait until the job is done. Raises ``JobFailedError``, or ``WaitTimeoutError`` after ``timeout`` seconds."""
        done = poll(job, lambda: self.get(job.id), lambda last: last.is_final, timeout)
        if done.status != "completed":
            raise JobFailedError(done)
        return done

    def download(self, job: JobData, target: Target) -> int:
        """Download the result to a path or an open file. Returns the number of bytes."""
        return self._transport.download(self._link(job), target)

    def result(self, job: JobData) -> bytes:
        """Return the bytes of the result."""
        return self._transport.read(self._link(job))

    def stream(self, job: JobData) -> ResultStream:
        """Open the result as a binary stream, which the caller must close."""
        return self._transport.open(self._link(job))

    def _link(self, job: JobData) -> str:
        if job.download_url and time.monotonic() - job._fetched < _LINK_AGE_S:
            return job.download_url
        if job.status in ("failed", "cancelled"):
            raise JobFailedError(job)
        return f"/v1/jobs/{job.id}/result"
