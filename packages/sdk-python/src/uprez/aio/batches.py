"""Batches of images with the same options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional, Sequence

from .._poll import poll_async
from .._source import Image
from ..batches import Batch, Batches, NamedImage
from ..models import BatchData, BatchItem, Target
from ..options import Options
from ._pool import Pool, convert

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class AsyncBatch(BatchData):
    """A batch of images with the same options. Immutable: methods return a new object."""

    _batches: AsyncBatches = field(repr=False, compare=False)

    async def wait_for(self, timeout: float = 3600.0) -> AsyncBatch:
        """Wait until all items have ended. Raises ``WaitTimeoutError`` after ``timeout`` seconds."""
        return await self._batches.wait_for(self, timeout)

    async def refresh(self) -> AsyncBatch:
        return await self._batches.get(self.id)

    async def cancel(self) -> AsyncBatch:
        """Cancel the unfinished items. Items that have been processing for a while are charged."""
        return await self._batches.cancel(self.id)

    async def retry(self, engine: Optional[str] = None) -> AsyncBatch:
        """Retry the failed items, optionally with another engine."""
        return await self._batches.retry(self.id, engine)

    async def download_zip(self, target: Target, name: Optional[str] = None) -> int:
        """Download all results so far as a ZIP archive. Returns the number of bytes.

        ``name``: pattern for the file names.
        """
        return await self._batches.download_zip(self.id, target, name)


class AsyncBatches:
    def __init__(self, batches: Batches, pool: Pool) -> None:
        self._sync = batches
        self._pool = pool

    async def process(
        self,
        images: Sequence[NamedImage],
        *,
        accept_partial: bool = False,
        idempotency_key: Optional[str] = None,
        **options: Unpack[Options],
    ) -> AsyncBatch:
        """Create a batch and upload its files. A rejected file fails its own item only."""
        given = {"accept_partial": accept_partial, "idempotency_key": idempotency_key}
        return self._adopt(await self._pool.run(self._sync.process, images, **given, **options))

    async def upload(self, batch_id: str, item_id: str, image: Image) -> BatchItem:
        """Upload the file for an item."""
        return await self._pool.run(self._sync.upload, batch_id, item_id, image)

    async def get(self, batch_id: str) -> AsyncBatch:
        return self._adopt(await self._pool.run(self._sync.get, batch_id))

    async def cancel(self, batch_id: str) -> AsyncBatch:
        return self._adopt(await self._pool.run(self._sync.cancel, batch_id))

    async def retry(self, batch_id: str, engine: Optional[str] = None) -> AsyncBatch:
        """Retry the failed items, optionally with another engine."""
        return self._adopt(await self._pool.run(self._sync.retry, batch_id, engine))

    async def wait_for(self, batch: AsyncBatch, timeout: float = 3600.0) -> AsyncBatch:
        """Wait until all items have ended. Raises ``WaitTimeoutError`` after ``timeout`` seconds."""
        return await poll_async(batch, lambda: self.get(batch.id), lambda last: last.is_final, timeout)

    async def download_zip(self, batch_id: str, target: Target, name: Optional[str] = None) -> int:
        """Download all results so far as a ZIP archive. Returns the number of bytes.

        ``name``: pattern for the file names.
        """
        return await self._pool.run(self._sync.download_zip, batch_id, target, name)

    def _adopt(self, batch: Batch) -> AsyncBatch:
        return convert(AsyncBatch, batch, _batches=self)
