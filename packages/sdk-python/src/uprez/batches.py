"""Batches of images with the same options."""

from __future__ import annotations

import os
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from ._parse import parse_batch, parse_item
from ._poll import poll
from ._source import Image, Source
from ._transport import Reply, Transport
from .errors import ApiError
from .models import BatchData, BatchItem, Target
from .options import Options, make_fields

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class BatchImage:
    """An image of a batch: a path, an https URL, bytes, or an open file."""

    image: Image
    filename: Optional[str] = None
    #: Where the result is uploaded to with PUT, such as a signed URL of a bucket.
    target_url: Optional[str] = field(default=None, repr=False)


#: A path, an https URL, a file name with its bytes or open file, or a ``BatchImage``.
NamedImage = Union[str, "os.PathLike[str]", Tuple[str, Image], BatchImage]

_CONCURRENT_UPLOADS = 4
#: Statuses that reject a single file.
_FILE_ERRORS = {400, 409, 413, 415, 422}


@dataclass(frozen=True)
class Batch(BatchData):
    """A batch of images with the same options. Immutable: methods return a new object."""

    _batches: Batches = field(repr=False, compare=False)

    def wait_for(self, timeout: float = 3600.0) -> Batch:
        """Wait until all items have ended. Raises ``WaitTimeoutError`` after ``timeout`` seconds."""
        return self._batches.wait_for(self, timeout)

    def refresh(self) -> Batch:
        return self._batches.get(self.id)

    def cancel(self) -> Batch:
        """Cancel the unfinished items. Items that have been processing for a while are charged."""
        return self._batches.cancel(self.id)

    def retry(self, engine: Optional[str] = None) -> Batch:
        """Retry the failed items, optionally with another engine."""
        return self._batches.retry(self.id, engine)

    def download_zip(self, target: Target, name: Optional[str] = None) -> int:
        """Download all results so far as a ZIP archive. Returns the number of bytes.

        ``name``: pattern for the file names.
        """
        return self._batches.download_zip(self.id, target, name)


class Batches:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def process(
        self,
        images: Sequence[NamedImage],
        *,
        accept_partial: bool = False,
        idempotency_key: Optional[str] = None,
        **options: Unpack[Options],
    ) -> Batch:
        """Create a batch and upload its files. A rejected file fails its own item only."""
        given = [_name(image) for image in images]
        sources = [_open(image) for image in given]
        items = [_describe(at, *pair) for at, pair in enumerate(zip(given, sources))]
        body = {"items": items, "recipe": make_fields(options), "accept_partial": accept_partial}
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        reply = self._transport.call("POST", "/v1/batches", body=body, headers=headers)
        created = self._make(reply.data, reply)
        waiting = [(item, sources[int(item.client_id)]) for item in created.items if item.status == "waiting"]
        with ThreadPoolExecutor(_CONCURRENT_UPLOADS) as pool:
            list(pool.map(lambda pair: self._try_upload(created.id, *pair), waiting))
        return self._make(self._transport.call("GET", f"/v1/batches/{created.id}").data, reply)

    def _make(self, data: Mapping[str, Any], reply: Optional[Reply] = None) -> Batch:
        return parse_batch(Batch, data, reply, _batches=self)

    def _try_upload(self, batch_id: str, item: BatchItem, source: Union[Source, str]) -> None:
        try:
            if isinstance(source, Source):
                self._upload(batch_id, item.id, source)
        except ApiError as error:
            if error.status not in _FILE_ERRORS:
                raise

    def upload(self, batch_id: str, item_id: str, image: Image) -> BatchItem:
        """Upload the file for an item."""
        return self._upload(batch_id, item_id, Source(image))

    def _upload(self, batch_id: str, item_id: str, source: Source) -> BatchItem:
        path = f"/v1/batches/{batch_id}/items/{item_id}"
        return parse_item(self._transport.call("PUT", path, source=source).data)

    def get(self, batch_id: str) -> Batch:
        return self._make(self._transport.call("GET", f"/v1/batches/{batch_id}").data)

    def cancel(self, batch_id: str) -> Batch:
        return self._make(self._transport.call("POST", f"/v1/batches/{batch_id}/cancel").data)

    def retry(self, batch_id: str, engine: Optional[str] = None) -> Batch:
        """Retry the failed items, optionally with another engine."""
        body = {} if engine is None else {"engine": engine}
        reply = self._transport.call("POST", f"/v1/batches/{batch_id}/retry", body=body)
        return self._make(reply.data, reply)

    def wait_for(self, batch: Batch, timeout: float = 3600.0) -> Batch:
        """Wait until all items have ended. Raises ``WaitTimeoutError`` after ``timeout`` seconds."""
        return poll(batch, lambda: self.get(batch.id), lambda last: last.is_final, timeout)

    def download_zip(self, batch_id: str, target: Target, name: Optional[str] = None) -> int:
        """Download all results so far as a ZIP archive. Returns the number of bytes.

        ``name``: pattern for the file names.
        """
        query = f"?{urllib.parse.urlencode({'name': name})}" if name else ""
        return self._transport.download(f"/v1/batches/{batch_id}/zip{query}", target)


def _name(image: NamedImage) -> BatchImage:
    if isinstance(image, BatchImage):
        return image
    return BatchImage(image[1], image[0]) if isinstance(image, tuple) else BatchImage(image)


def _open(given: BatchImage) -> Union[Source, str]:
    """Return the source of an image, or its URL."""
    image = given.image
    if isinstance(image, str) and image.startswith(("https://", "http://")):
        return image
    return Source(image, given.filename)


def _describe(at: int, given: BatchImage, source: Union[Source, str]) -> Dict[str, str]:
    item = {"client_id": str(at)}
    filename = given.filename if isinstance(source, str) else source.filename
    if isinstance(source, str):
        item["image_url"] = source
    if filename:
        item["name"] = filename
    if given.target_url is not None:
        item["target_url"] = given.target_url
    return item
