"""Runs the shared SDK cases and prints one line of JSON per case. With ``--async``, uses the asyncio client."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import io
import json
import os
import pathlib
import sys
from base64 import b64decode
from datetime import datetime, timezone
from typing import Any, Awaitable, Callable, Dict, List, Mapping

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "src"))

from show import clean, show, show_error  # noqa: E402

from uprez import AsyncUprez, BatchImage, Page, Uprez, UprezError, sign_image_url, verify_webhook  # noqa: E402

IS_ASYNC = "--async" in sys.argv
ENV = os.environ
KEYS = {**{name: ENV[f"UPREZ_KEY_{name.upper()}"] for name in ("live", "test", "pro")}, "wrong": "upz_live_wrong"}
FILES, OUT = pathlib.Path(ENV["UPREZ_FILES"]), pathlib.Path(ENV["UPREZ_OUT"])
# The cases name calls of either client in JSON, so no type describes a call or its result.
Case = Mapping[str, Any]
Client = Any
Result = Any


class Pipe(io.BytesIO):
    """A stream that isn't seekable."""

    def seekable(self) -> bool:
        return False


async def finish(value: Result) -> Result:
    """Return the result of a call of either client."""
    return await value if inspect.isawaitable(value) else value


async def collect(rows: Result) -> Result:
    return [row async for row in rows] if hasattr(rows, "__aiter__") else list(rows)


async def process(client: Client, case: Case) -> Result:
    given, options = case["input"], dict(case.get("options", {}))
    if "mask" in options:
        options["mask"] = b64decode(options["mask"])
    send = client.dry_run if options.pop("dry_run", False) else client.process
    if "idempotency_key" in case:
        options["idempotency_key"] = case["idempotency_key"]
    if given["kind"] == "url":
        return await finish(send(image_url=given["url"], **options))
    path = FILES / given["file"]
    if given["kind"] == "path":
        return await finish(send(path, **options))
    if given["kind"] == "bytes":
        return await finish(send(path.read_bytes(), filename=given["file"], **options))
    with path.open("rb") as file:
        stream = Pipe(file.read()) if given["kind"] == "pipe" else file
        return await finish(send(stream, filename=given["file"], **options))


async def image(client: Client, case: Case) -> Result:
    content = await finish(client.process_image(FILES / case["input"]["file"], **case.get("options", {})))
    return await save(case, lambda path: write_bytes(path, content))


async def batch(client: Client, case: Case) -> Result:
    images: List[object] = [name if name.startswith("https:") else FILES / name for name in case.get("files", [])]
    for given in case.get("inputs", []):
        if given["kind"] == "url":
            images.append(BatchImage(given["url"], target_url=given.get("target_url")))
            continue
        data = (FILES / given["file"]).read_bytes()
        image = data if given["kind"] == "bytes" else io.BytesIO(data)
        named = (given["file"], image)
        images.append(BatchImage(image, given["file"], given["target_url"]) if "target_url" in given else named)
    return await finish(client.batches.process(images, **case.get("options", {})))


async def verify(_client: Client, case: Case) -> Result:
    facts = {"tolerance": case["tolerance_s"], "now": case["now"]}
    return {"event": verify_webhook(case["payload"], case["headers"], case["secrets"], **facts)}


async def sign(_client: Client, case: Case) -> Result:
    given = dict(case["image_url"])
    if "expires_at" in given:
        given["expires_at"] = datetime.fromtimestamp(given["expires_at"], timezone.utc)
    return {"url": sign_image_url(**given, **case.get("options", {}))}


async def list_all(client: Client, case: Case) -> Result:
    return Page(await collect(client.jobs.iterate(**case.get("query", {}))), None)


async def engines(client: Client, _case: Case) -> Result:
    return {"names": [engine.name for engine in await finish(client.engines())]}


async def events(client: Client, case: Case) -> Result:
    page = await finish(client.events.list(**case.get("query", {})))
    return {"types": [event.type for event in page.data]}


async def webhooks(client: Client, _case: Case) -> Result:
    return {"kinds": [webhook.kind for webhook in await finish(client.webhooks.list())]}


def just(call: Callable[[Any, Case], Any]) -> Callable[[Any, Case], Awaitable[Any]]:
    return lambda client, case: finish(call(client, case))


DO: Dict[str, Callable[[Any, Case], Awaitable[Any]]] = {
    "process": process,
    "image": image,
    "batch": batch,
    "verify": verify,
    "sign_image_url": sign,
    "list_all": list_all,
    "engines": engines,
    "events": events,
    "webhooks": webhooks,
    "get": just(lambda client, case: client.jobs.get(case["id"])),
    "cancel": just(lambda client, case: client.jobs.cancel(case["id"])),
    "delete": just(lambda client, case: client.jobs.delete(case["id"])),
    "list": just(lambda client, case: client.jobs.list(**case.get("query", {}))),
    "estimate": just(lambda client, case: client.estimate(**case["body"])),
    "account": just(lambda client, case: client.account()),
    "webhook": just(lambda client, case: client.webhooks.create(**case["webhook"])),
    "deliveries": just(lambda client, case: client.webhooks.deliveries(case["id"], **case["query"])),
    "delivery": just(lambda client, case: client.webhooks.delivery(case["id"], case["delivery_id"])),
}


async def save(case: Case, write: Callable[[pathlib.Path], Awaitable[Any]]) -> Dict[str, object]:
    path = OUT / case["name"]
    size = await write(path)
    data = path.read_bytes()
    assert size == len(data)
    return {"bytes": size, "sha256": hashlib.sha256(data).hexdigest()}


async def write_bytes(path: pathlib.Path, content: bytes) -> int:
    return path.write_bytes(content)


async def write_result(job: Result, path: pathlib.Path) -> int:
    return path.write_bytes(await finish(job.result()))


async def write_stream(job: Result, path: pathlib.Path) -> int:
    with path.open("wb") as file:
        if not IS_ASYNC:
            with job.stream() as stream:
                return sum(file.write(line) for line in stream)
        async with job.stream() as stream:
            return sum([file.write(chunk) async for chunk in stream])


async def write_to_file(download: Callable[[Any], Any], path: pathlib.Path) -> int:
    with path.open("wb") as file:
        return int(await finish(download(file)))


async def job_step(client: Client, case: Case, step: str, made: Result) -> Result:
    if step == "get":
        return await finish(made.refresh())
    if step == "wait":
        return await finish(made.wait_for(60))
    if step == "cancel":
        return await finish(made.cancel())
    if step == "delete":
        return await finish(client.jobs.delete(made.id))
    if step == "delete_and_get":
        await finish(made.delete())
        return await finish(made.refresh())
    writers: Dict[str, Any] = {
        "download": lambda path: finish(made.download(path)),
        "download_to": lambda path: write_to_file(made.download, path),
        "result": lambda path: write_result(made, path),
        "stream": lambda path: write_stream(made, path),
        "zip": lambda path: finish(made.download_zip(path)),
        "zip_to": lambda path: write_to_file(made.download_zip, path),
    }
    return await save(case, writers[step])


async def webhook_step(client: Client, case: Case, step: str, made: Result) -> Result:
    """Return the result after the endpoint and the delivery that it belongs to."""
    webhook, delivery = made if isinstance(made, tuple) else (made, None)
    calls: Dict[str, Any] = {
        "webhook_get": lambda hooks: hooks.get(webhook.id),
        "webhook_update": lambda hooks: hooks.update(webhook.id, **case["change"]),
        "webhook_rotate": lambda hooks: hooks.rotate(webhook.id, overlap_hours=case["overlap_hours"]),
        "webhook_test": lambda hooks: hooks.test(webhook.id),
        "webhook_resend": lambda hooks: hooks.resend(
            webhook.id, datetime.fromisoformat(case["since"].replace("Z", "+00:00"))
        ),
        "webhook_delete": lambda hooks: hooks.delete(webhook.id),
        "deliveries": lambda hooks: hooks.deliveries(webhook.id),
        "delivery": lambda hooks: hooks.delivery(webhook.id, delivery.id),
        "resend_delivery": lambda hooks: hooks.resend_delivery(webhook.id, delivery.id),
    }
    return webhook, await finish(calls[step](client.webhooks))


async def take(client: Client, case: Case) -> Result:
    value = await DO[case["do"]](client, case)
    for step in case.get("then", []):
        value = await (webhook_step if case["do"] == "webhook" else job_step)(client, case, step, value)
    return {"ok": True, "got": clean(show(value))}


async def run(case: Case) -> Result:
    retries = {"max_retries": case["retries"]} if "retries" in case else {}
    options: Dict[str, object] = {"base_url": f"{ENV['UPREZ_URL']}/{case['name']}{case.get('base_path', '')}", **retries}
    key = KEYS[case.get("key", "live")]
    try:
        if not IS_ASYNC:
            return await take(Uprez(key, **options), case)
        async with AsyncUprez(key, **options) as client:
            return await take(client, case)
    except UprezError as error:
        return {"ok": False, "got": clean(show_error(error))}
    except Exception as error:  # noqa: BLE001
        return {"ok": False, "got": {"crash": f"{type(error).__name__}: {error}"}}


async def main() -> None:
    for case in json.loads(pathlib.Path(ENV["UPREZ_CASES"]).read_text())["cases"]:
        print(json.dumps({"name": case["name"], **await run(case)}), flush=True)


asyncio.run(main())
