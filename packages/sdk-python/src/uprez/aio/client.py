"""The asyncio client."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from ..client import Uprez
from ..models import Account, DryRun, Engine, Estimate
from ..options import Options
from ._pool import AsyncImage, Pool
from .batches import AsyncBatches
from .jobs import AsyncJob, AsyncJobs
from .webhooks import AsyncEvents, AsyncWebhooks

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class AsyncUprez:
    """A client of the Uprez API for asyncio, with the methods of ``Uprez``. Close it, for example with ``async with``.

    Requests run in up to ``max_threads`` threads; waiting for a job needs none. Canceling a task doesn't stop a request
    that has already been sent. The other parameters are those of ``Uprez``.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        max_retries: int = 3,
        timeout: float = 60.0,
        max_threads: int = 16,
    ) -> None:
        self._sync = Uprez(api_key, base_url=base_url, max_retries=max_retries, timeout=timeout)
        self._pool = Pool(max_threads)
        self.jobs = AsyncJobs(self._sync.jobs, self._pool)
        self.batches = AsyncBatches(self._sync.batches, self._pool)
        self.events = AsyncEvents(self._sync.events, self._pool)
        self.webhooks = AsyncWebhooks(self._sync.webhooks, self._pool)

    async def process(
        self,
        image: Optional[AsyncImage] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[Options],
    ) -> AsyncJob:
        """Process an image (a path, bytes, an open file, or an asynchronous stream), or the image at ``image_url``.

        Returns the job. See ``Uprez.process``.
        """
        given = {"image_url": image_url, "filename": filename, "idempotency_key": idempotency_key}
        return self.jobs._adopt(await self._pool.send(self._sync.process, image, **given, **options))

    async def process_image(
        self,
        image: Optional[AsyncImage] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: float = 600.0,
        **options: Unpack[Options],
    ) -> bytes:
        """Process an image and return the bytes of the result. See ``Uprez.process_image``."""
        given = {"image_url": image_url, "filename": filename, "idempotency_key": idempotency_key, "timeout": timeout}
        return await self._pool.send(self._sync.process_image, image, **given, **options)

    async def dry_run(
        self,
        image: Optional[AsyncImage] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        **options: Unpack[Options],
    ) -> DryRun:
        """Validate an image and its options, and estimate the result. Nothing is processed or charged."""
        return await self._pool.send(self._sync.dry_run, image, image_url=image_url, filename=filename, **options)

    async def estimate(self, *, width: int, height: int, **facts: object) -> Estimate:
        """Estimate the result and cost of an image of this size. ``facts``: ``scale`` and other options."""
        return await self._pool.run(self._sync.estimate, width=width, height=height, **facts)

    async def account(self) -> Account:
        return await self._pool.run(self._sync.account)

    async def engines(self) -> List[Engine]:
        return await self._pool.run(self._sync.engines)

    async def aclose(self) -> None:
        self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
