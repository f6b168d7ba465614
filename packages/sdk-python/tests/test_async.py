"""Tests of the asyncio client without the service."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
from http.server import ThreadingHTTPServer
from typing import Any, AsyncIterator, List
from unittest import mock

from test_uprez import Handler, make_job, reply

from uprez import AsyncUprez, JobFailedError, WaitTimeoutError


class AsyncUprezTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        Handler.seen = []
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    async def asyncSetUp(self) -> None:
        self.client = AsyncUprez("key", base_url=self.url, max_threads=2)
        self.addAsyncCleanup(self.client.aclose)

    async def test_sends_an_asynchronous_stream_again_after_an_error(self) -> None:
        async def body() -> AsyncIterator[bytes]:
            yield b"ima"
            yield b"ge"

        Handler.answers = [reply(503, Retry_After="0"), reply(202, make_job())]
        job = await self.client.process(body(), filename="a.png", scale=2)
        self.assertEqual((job.id, [one["body"] for one in Handler.seen]), ("j1", [b"image"] * 2))

    async def test_waits_without_a_thread(self) -> None:
        pauses: List[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)
            self.assertEqual(self.client._pool._executor._work_queue.qsize(), 0)

        failed = make_job(status="failed", error={"code": "corrupt_image", "message": "Damaged."})
        Handler.answers = [reply(202, make_job()), reply(200, make_job()), reply(200, failed)]
        job = await self.client.process(b"image")
        with mock.patch("uprez._poll.asyncio.sleep", sleep), self.assertRaises(JobFailedError) as caught:
            await job.wait_for()
        self.assertEqual((caught.exception.code, len(pauses)), ("corrupt_image", 2))
        with self.assertRaises(WaitTimeoutError):
            await job.wait_for(timeout=0)

    async def test_many_jobs_share_the_threads(self) -> None:
        Handler.answers = [reply(200, make_job(status="completed")) for _ in range(20)]
        jobs = await asyncio.gather(*(self.client.jobs.get("j1") for _ in range(20)))
        self.assertEqual(len(jobs), 20)
        self.assertLessEqual(len(self.client._pool._executor._threads), 2)

    async def test_iterates_over_pages_and_closes_streams(self) -> None:
        page: Any = {"data": [make_job(status="completed")], "next_cursor": "c"}
        Handler.answers = [reply(200, page), reply(200, {**page, "next_cursor": None}), reply(200, b"result")]
        jobs = [job async for job in self.client.jobs.iterate(limit=1)]
        self.assertEqual([one["path"] for one in Handler.seen], ["/v1/jobs?limit=1", "/v1/jobs?limit=1&cursor=c"])
        async with jobs[0].stream() as stream:
            self.assertEqual(await stream.read(3), b"res")
            self.assertEqual([chunk async for chunk in stream], [b"ult"])
        self.assertTrue(stream._stream.closed)

    async def test_rejects_missing_settings(self) -> None:
        with mock.patch.dict(os.environ, clear=True), self.assertRaises(ValueError):
            AsyncUprez()


if __name__ == "__main__":
    unittest.main()
