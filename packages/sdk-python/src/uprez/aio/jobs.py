"""Jobs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import AsyncContextManager, AsyncIterator, Optional, Union

from .._poll import poll_async
from ..errors import JobFailedError
from ..jobs import Job, Jobs
from ..models import Deletion, JobData, Page, Target
from ._pool import Pool, convert, iterate
from .stream import AsyncResultStream


@dataclass(frozen=True)
class AsyncJob(JobData):
    """A job processes one image. Immutable: methods return a new object."""

    _jobs: AsyncJobs = field(repr=False, compare=False)

    async def wait_for(self, timeout: float = 600.0) -> AsyncJob:
        """Wait until the job is done. Raises ``JobFailedError``, or ``WaitTimeoutError`` after ``timeout`` seconds."""
        return await self._jobs.wait_for(self, timeout)

    async def refresh(self) -> AsyncJob:
        return await self._jobs.get(self.id)

    async def download(self, target: Target) -> int:
        """Download the result to a path or an open file. Returns the number of bytes."""
        return await self._jobs.download(self, target)

    async def result(self) -> bytes:
        """Return the bytes of the result."""
        return await self._jobs.result(self)

    def stream(self) -> AsyncContextManager[AsyncResultStream]:
        """Open the result as a stream: ``async with job.stream() as stream``."""
        return self._jobs.stream(self)

    async def cancel(self) -> AsyncJob:
        return await self._jobs.cancel(self.id)

    async def delete(self) -> Union[AsyncJob, Deletion]:
        return await self._jobs.delete(self.id)


class AsyncJobs:
    def __init__(self, jobs: Jobs, pool: Pool) -> None:
        self._sync = jobs
        self._pool = pool

    async def get(self, job_id: str) -> AsyncJob:
        return self._adopt(await self._pool.run(self._sync.get, job_id))

    async def list(
        self,
        *,
        status: Optional[str] = None,
        created_after: Optional[datetime] = None,
        created_before: Optional[datetime] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Page[AsyncJob]:
        """Return a page of jobs, newest first."""
        times = {"created_after": created_after, "created_before": created_before}
        page = await self._pool.run(self._sync.list, status=status, limit=limit, cursor=cursor, **times)
        return Page([self._adopt(job) for job in page.data], page.next_cursor)

    def iterate(
        self,
        *,
        status: Optional[str] = None,
        created_after: Optional[datetime] = None,
        created_before: Optional[datetime] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[AsyncJob]:
        """Iterate over all jobs, newest first. ``limit``: jobs per page."""
        times = {"created_after": created_after, "created_before": created_before}
        return iterate(lambda cursor: self.list(status=status, limit=limit, cursor=cursor, **times))

    async def cancel(self, job_id: str) -> AsyncJob:
        """Cancel an unfinished job. Raises ``JobFailedError`` if it is finished, and keeps its result."""
        return self._adopt(await self._pool.run(self._sync.cancel, job_id))

    async def delete(self, job_id: str) -> Union[AsyncJob, Deletion]:
        """Delete the files of a finished job, or cancel an unfinished job."""
        ended = await self._pool.run(self._sync.delete, job_id)
        return self._adopt(ended) if isinstance(ended, Job) else ended

    async def wait_for(self, job: AsyncJob, timeout: float = 600.0) -> AsyncJob:
        """Wait until the job is done. Raises ``JobFailedError``, or ``WaitTimeoutError`` after ``timeout`` seconds."""
        done = await poll_async(job, lambda: self.get(job.id), lambda last: last.is_final, timeout)
        if done.status != "completed":
            raise JobFailedError(done)
        return done

    async def download(self, job: AsyncJob, target: Target) -> int:
        """Download the result to a path or an open file. Returns the number of bytes."""
        return await self._pool.run(self._sync.download, job, target)

    async def result(self, job: AsyncJob) -> bytes:
        """Return the bytes of the result."""
        return await self._pool.run(self._sync.result, job)

    @asynccontextmanager
    async def stream(self, job: AsyncJob) -> AsyncIterator[AsyncResultStream]:
        """Open the result as a stream: ``async with jobs.stream(job) as stream``."""
        stream = AsyncResultStream(await self._pool.run(self._sync.stream, job), self._pool)
        try:
            yield stream
        finally:
            await stream.aclose()

    def _adopt(self, job: Job) -> AsyncJob:
        return convert(AsyncJob, job, _jobs=self)
