"""Jobs."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Iterator, Optional, Union

from ._parse import parse_deletion, parse_job
from ._poll import poll
from ._transport import Transport
from .errors import JobFailedError
from .models import Deletion, Job, Page, Target

#: Download URLs expire after 15 minutes. Older ones are replaced.
_LINK_AGE_S = 600.0


class Jobs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, job_id: str) -> Job:
        return parse_job(self._transport.call("GET", f"/v1/jobs/{job_id}").data, self)

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
        return Page([parse_job(job, self) for job in data["data"]], data["next_cursor"])

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
        return parse_deletion(data) if "deleted_at" in data else parse_job(data, self)

    def wait_for(self, job: Job, timeout: float = 600.0) -> Job:
        """Wait until the job is completed. Raises ``JobFailedError`` or, after ``timeout`` seconds, ``WaitTimeoutError``."""
        done = poll(job, lambda: self.get(job.id), lambda last: last.is_final, timeout)
        if done.status != "completed":
            raise JobFailedError(done)
        return done

    def download(self, job: Job, target: Target) -> int:
        """Download the result to a path or an open file. Returns the number of bytes."""
        if not job.download_url or time.monotonic() - job._fetched > _LINK_AGE_S:
            job = self.get(job.id)
        if not job.download_url:
            raise JobFailedError(job)
        return self._transport.download(job.download_url, target)
