"""Tests without the service. Run: python -m unittest discover -s tests"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import threading
import unittest
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "src"))

from uprez import (  # noqa: E402
    ApiError,
    ConnectionFailedError,
    JobFailedError,
    NotFoundError,
    Uprez,
    WaitTimeoutError,
    WebhookVerificationError,
    verify_webhook,
)
from uprez._transport import is_too_long, pause_seconds  # noqa: E402


def make_job(**facts: Any) -> Dict[str, Any]:
    size = {"width": 6, "height": 4, "file_size": 70}
    return {
        "id": "j1",
        "status": "queued",
        "success": True,
        "progress": 0,
        "filename": "photo.png",
        "scale_factor": 2,
        "format": "jpeg",
        "quality": 85,
        "engine": "standard",
        "original_size": size,
        "processed_size": None,
        "processing_time": None,
        "download_url": None,
        "created_at": "2026-01-01T00:00:00.000Z",
        "expires_at": None,
        "sandbox": False,
        "notes": [],
        "credits": 1,
        **facts,
    }


class Pipe(io.BytesIO):
    def seekable(self) -> bool:
        return False


Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    answers: List[Answer] = []
    seen: List[Dict[str, Any]] = []

    def handle_any(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        Handler.seen.append({"path": self.path, "headers": dict(self.headers), "body": body})
        Handler.answers.pop(0)(self)

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def log_message(self, *_: Any) -> None:
        pass


def reply(status: int, body: Any = b"", **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


class UprezTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.client = Uprez("key", base_url=self.url + "/base/")
        Handler.seen = []
        self.pauses: List[float] = []
        patch = mock.patch("time.sleep", self.pauses.append)
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def test_retries_resend_the_stream_with_the_same_idempotency_key(self) -> None:
        Handler.answers = [reply(429, Retry_After="7"), reply(503), reply(202, make_job(), X_Credits_Charged="1")]
        stream = io.BytesIO(b"skipped image")
        stream.seek(8)
        job = self.client.process(stream, filename="photo.png", scale=2)
        self.assertEqual((job.id, job.credits_charged, job.cached), ("j1", 1, False))
        self.assertEqual([one["body"] for one in Handler.seen], [b"image"] * 3)
        self.assertEqual(len({one["headers"]["Idempotency-Key"] for one in Handler.seen}), 1)
        self.assertEqual(Handler.seen[0]["path"], "/base/v1/process?filename=photo.png&scale=2")
        self.assertTrue(7 <= self.pauses[0] <= 7.25)
        self.assertTrue(0.5 <= self.pauses[1] <= 1)

    def test_api_error_has_the_fields_of_the_response(self) -> None:
        problem = {"code": "job_not_found", "detail": "Job not found.", "hint": "Look.", "param": "id"}
        Handler.answers = [reply(404, problem, X_Request_Id="r1")]
        with self.assertRaises(NotFoundError) as caught:
            self.client.jobs.get("j1")
        error = caught.exception
        self.assertEqual((error.code, error.status, error.param, error.hint), ("job_not_found", 404, "id", "Look."))
        self.assertEqual(error.request_id, "r1")
        self.assertEqual(self.pauses, [])

    def test_raises_api_error_when_the_response_is_not_json(self) -> None:
        Handler.answers = [reply(200, b"<html>")]
        with self.assertRaises(ApiError) as caught:
            self.client.account()
        self.assertEqual(caught.exception.code, "unexpected_answer")

    def test_raises_connection_error_after_all_retries(self) -> None:
        with self.assertRaises(ConnectionFailedError):
            Uprez("key", base_url="http://127.0.0.1:9", max_retries=2).account()
        self.assertEqual(len(self.pauses), 2)

    def test_download_retries_after_an_interruption_and_leaves_no_partial_file(self) -> None:
        broken = reply(200, b"half", Content_Length="8")
        link = self.url + "/file"
        Handler.answers = [reply(200, make_job(status="completed", download_url=link)), broken, reply(200, b"complete")]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.jpg")
            self.assertEqual(self.client.jobs.get("j1").download(path), 8)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"complete")
            self.assertEqual(os.listdir(folder), ["out.jpg"])
        # The API key is not sent to signed URLs.
        self.assertNotIn("Authorization", Handler.seen[-1]["headers"])

    def test_reads_the_result_again_after_an_interruption_and_follows_redirects(self) -> None:
        done = make_job(status="completed", download_url=self.url + "/file")
        moved, broken = reply(302, Location="/storage"), reply(200, b"half", Content_Length="8")
        Handler.answers = [reply(200, done), moved, broken, moved, reply(200, b"complete")]
        self.assertEqual(self.client.jobs.get("j1").result(), b"complete")
        self.assertEqual([one["path"] for one in Handler.seen[-2:]], ["/file", "/storage"])
        self.assertFalse(any("Authorization" in one["headers"] for one in Handler.seen[1:]))

    def test_does_not_follow_redirects_with_the_api_key(self) -> None:
        Handler.answers = [reply(302, Location="/elsewhere")]
        with self.assertRaises(ApiError) as caught:
            self.client.account()
        self.assertEqual((caught.exception.status, len(Handler.seen)), (302, 1))

    def test_streams_the_result_by_its_id_and_raises_when_interrupted(self) -> None:
        Handler.answers = [reply(200, make_job(status="completed")), reply(200, b"half", Content_Length="8")]
        with self.client.jobs.get("j1").stream() as stream:
            self.assertEqual(stream.read(2), b"ha")
            self.assertEqual(stream.read(2), b"lf")
            self.assertRaises(ConnectionFailedError, stream.read, 2)
        self.assertTrue(stream.closed)
        self.assertEqual(Handler.seen[-1]["path"], "/base/v1/jobs/j1/result")
        self.assertIn("Authorization", Handler.seen[-1]["headers"])

    def test_does_not_repeat_webhook_requests_with_an_unknown_outcome(self) -> None:
        Handler.answers = [reply(503, {"code": "service_unavailable"})]
        with self.assertRaises(ApiError):
            self.client.webhooks.create("https://example.com/hook")
        self.assertEqual((len(Handler.seen), self.pauses), (1, []))

    def test_polls_at_increasing_intervals_until_the_job_ends(self) -> None:
        failed = make_job(status="failed", error={"code": "corrupt_image", "message": "Damaged."})
        Handler.answers = [reply(202, make_job()), reply(200, make_job()), reply(200, failed)]
        job = self.client.process(b"image")
        with self.assertRaises(JobFailedError) as caught:
            job.wait_for()
        self.assertEqual((caught.exception.code, str(caught.exception)), ("corrupt_image", "Damaged."))
        self.assertTrue(0.2 <= self.pauses[0] <= 0.3 and 0.3 <= self.pauses[1] <= 0.45)

    def test_job_has_its_credits_and_the_end_of_free_cancellation(self) -> None:
        processing = make_job(status="processing", free_cancel_until="2026-01-01T00:00:10.000Z")
        Handler.answers = [reply(202, make_job()), reply(200, processing)]
        job = self.client.process(b"image")
        self.assertEqual((job.credits, job.free_cancel_until), (1, None))
        until = datetime(2026, 1, 1, 0, 0, 10, tzinfo=timezone.utc)
        self.assertEqual(job.refresh().free_cancel_until, until)

    def test_wait_raises_after_the_timeout(self) -> None:
        Handler.answers = [reply(202, make_job())]
        with self.assertRaises(WaitTimeoutError):
            self.client.process(b"image").wait_for(timeout=0)

    def test_rejects_invalid_arguments(self) -> None:
        for wrong in (lambda: self.client.process(), lambda: self.client.process(b"x", image_url="https://x.example")):
            self.assertRaises(ValueError, wrong)
        self.assertRaises(FileNotFoundError, lambda: self.client.process("missing.jpg"))
        wrong_types: List[Any] = [7, io.StringIO("text"), iter([b"image"])]
        for image in wrong_types:
            self.assertRaises(TypeError, self.client.process, image)
        with mock.patch.dict(os.environ, clear=True):
            self.assertRaises(ValueError, Uprez)


class RulesTest(unittest.TestCase):
    def test_parses_retry_after_as_a_date_and_limits_it(self) -> None:
        self.assertTrue(7 <= pause_seconds(0, "7") <= 7.25)
        too_long = [is_too_long(value) for value in (None, "soon", "60", "61", "86400")]
        self.assertEqual(too_long, [False, False, False, True, True])
        self.assertTrue(0 <= pause_seconds(0, "Thu, 01 Jan 2015 00:00:00 GMT") <= 0.25)
        self.assertTrue(2 <= pause_seconds(3, "soon") <= 4)

    def test_rejects_invalid_webhook_secrets(self) -> None:
        headers = {"webhook-id": "m", "webhook-timestamp": "1", "webhook-signature": "v1,x"}
        self.assertRaises(ValueError, lambda: verify_webhook(b"{}", headers, "whsec_?"))
        self.assertRaises(WebhookVerificationError, lambda: verify_webhook(b"{}", headers, []))


if __name__ == "__main__":
    unittest.main()
