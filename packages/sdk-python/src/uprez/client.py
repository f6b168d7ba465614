"""The API client."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, TypeVar

from ._connection import Response
from ._parse import parse_estimate, pick
from ._source import FormSource, Image, Source
from ._transport import Transport, make_texts, read_image, read_reply
from .batches import Batches
from .endpoints import Webhooks
from .events import Events
from .jobs import Job, Jobs
from .models import Account, DryRun, Engine, Estimate
from .options import Options, make_fields

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

#: Seconds for which a request for an image waits. Shorter than the timeouts of most proxies.
_IMAGE_WAIT_S = 50


class Uprez:
    """A client of the Uprez API. Thread-safe.

    ``api_key`` defaults to ``UPREZ_API_KEY``, ``base_url`` (with or without ``/v1``) to ``UPREZ_URL``. ``max_retries``: retries
    of each request. ``timeout``: seconds without data after which a connection is closed.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        max_retries: int = 3,
        timeout: float = 60.0,
    ) -> None:
        api_key = api_key or os.environ.get("UPREZ_API_KEY")
        base_url = base_url or os.environ.get("UPREZ_URL")
        if not api_key or not base_url:
            raise ValueError("Pass api_key and base_url, or set UPREZ_API_KEY and UPREZ_URL.")
        self._transport = Transport(api_key, base_url, max_retries=max_retries, timeout=timeout)
        self.jobs = Jobs(self._transport)
        self.batches = Batches(self._transport)
        self.events = Events(self._transport)
        self.webhooks = Webhooks(self._transport)

    def process(
        self,
        image: Optional[Image] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Unpack[Options],
    ) -> Job:
        """Process an image (a path, bytes, or an open file), or the image at ``image_url``. Returns the job.

        A repeated call with the same ``idempotency_key`` returns the same job for 24 hours. By default, each call
        generates a key, and its retries reuse it.
        """
        key = idempotency_key or str(uuid.uuid4())
        reply = self._submit(image, image_url, filename, {**make_fields(options)}, {"Idempotency-Key": key}, read_reply)
        return self.jobs._make(reply.data, reply)

    def process_image(
        self,
        image: Optional[Image] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: float = 600.0,
        **options: Unpack[Options],
    ) -> bytes:
        """Process an image and return the bytes of the result.

        Sends one request, unless the image takes longer than that waits. ``timeout`` and the errors are those of
        ``Job.wait_for``, the other parameters those of ``process``.
        """
        headers = {
            "Accept": "image/*",
            "Prefer": f"wait={_IMAGE_WAIT_S}",
            "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
        }
        fields = {**make_fields(options)}
        job_id, content = self._submit(image, image_url, filename, fields, headers, read=read_image)
        if content is not None:
            return content
        return self.jobs.get(job_id).wait_for(timeout).result()

    def dry_run(
        self,
        image: Optional[Image] = None,
        *,
        image_url: Optional[str] = None,
        filename: Optional[str] = None,
        **options: Unpack[Options],
    ) -> DryRun:
        """Validate an image and its options, and estimate the result. Nothing is processed or charged."""
        reply = self._submit(image, image_url, filename, {**make_fields(options), "dry_run": True}, {}, read_reply)
        return pick(DryRun, reply.data)

    def _submit(
        self,
        image: Optional[Image],
        image_url: Optional[str],
        filename: Optional[str],
        fields: Mapping[str, Any],
        headers: Mapping[str, str],
        read: Callable[[Response], T],
    ) -> T:
        if (image is None) == (image_url is None):
            raise ValueError("Pass either image or image_url.")
        sent = {"Prefer": "respond-async", **headers}
        if image is None:
            named = {} if filename is None else {"filename": filename}
            body = {"image_url": image_url, **named, **fields}
            return self._transport.request("POST", "/v1/process", body=body, headers=sent, read=read)
        if "mask" in fields:
            form = FormSource(image, filename, make_texts(fields))
            return self._transport.request("POST", "/v1/process", source=form, headers=sent, read=read)
        source = Source(image, filename)
        query = {"filename": source.filename, **fields}
        return self._transport.request("POST", "/v1/process", query=query, source=source, headers=sent, read=read)

    def estimate(self, *, width: int, height: int, **facts: object) -> Estimate:
        """Estimate the result and cost of an image of this size. ``facts``: ``scale`` and other options."""
        body = {"width": width, "height": height, **facts}
        return parse_estimate(self._transport.call("POST", "/v1/estimate", body=body).data)

    def account(self) -> Account:
        data = self._transport.call("GET", "/v1/account").data
        return pick(Account, data, plan=data["plan"]["key"], plan_name=data["plan"]["name"])

    def engines(self) -> List[Engine]:
        return [pick(Engine, engine) for engine in self._transport.call("GET", "/v1/engines").data["data"]]
