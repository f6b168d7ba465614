"""The asyncio client."""

from .batches import AsyncBatch
from .client import AsyncUprez
from .jobs import AsyncJob
from .stream import AsyncResultStream

__all__ = ["AsyncBatch", "AsyncJob", "AsyncResultStream", "AsyncUprez"]
