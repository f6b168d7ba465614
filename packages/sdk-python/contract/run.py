"""Runs the shared SDK cases and prints one line of JSON per case."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pathlib
import sys
from typing import Any, Callable, Dict, Mapping

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "src"))

from uprez import ApiError, Batch, Deletion, DryRun, Job, JobFailedError, Page, Uprez  # noqa: E402
from uprez import UprezError, verify_webhook  # noqa: E402

ENV = os.environ
KEYS = {"live": ENV["UPREZ_KEY_LIVE"], "test": ENV["UPREZ_KEY_TEST"], "wrong": "upz_live_wrong"}
FILES, OUT = pathlib.Path(ENV["UPREZ_FILES"]), pathlib.Path(ENV["UPREZ_OUT"])
Case = Mapping[str, Any]


class Pipe(io.BytesIO):
    """A stream that isn't seekable."""

    def seekable(self) -> bool:
        return False


def process(client: Uprez, case: Case) -> Any:
    given, options = case["input"], dict(case.get("options", {}))
    send = client.dry_run if options.pop("dry_run", False) else client.process
    if "idempotency_key" in case:
        options["idempotency_key"] = case["idempotency_key"]
    if given["kind"] == "url":
        return send(image_url=given["url"], **options)
    path = FILES / given["file"]
    if given["kind"] == "path":
        return send(path, **options)
    if given["kind"] == "bytes":
        return send(path.read_bytes(), filename=given["file"], **options)
    with path.open("rb") as file:
        stream = Pipe(file.read()) if given["kind"] == "pipe" else file
        return send(stream, filename=given["file"], **options)


def batch(client: Uprez, case: Case) -> Any:
    images = [name if name.startswith("https:") else FILES / name for name in case["files"]]
    return client.batches.process(images, **case.get("options", {}))


def verify(_client: Uprez, case: Case) -> Any:
    facts = {"tolerance": case["tolerance_s"], "now": case["now"]}
    return {"event": verify_webhook(case["payload"], case["headers"], case["secrets"], **facts)}


def save(case: Case, write: Callable[[pathlib.Path], int]) -> Dict[str, object]:
    path = OUT / case["name"]
    size = write(path)
    data = path.read_bytes()
    assert size == len(data)
    return {"bytes": size, "sha256": hashlib.sha256(data).hexdigest()}


DO: Dict[str, Any] = {
    "process": process,
    "batch": batch,
    "verify": verify,
    "get": lambda client, case: client.jobs.get(case["id"]),
    "cancel": lambda client, case: client.jobs.cancel(case["id"]),
    "delete": lambda client, case: client.jobs.delete(case["id"]),
    "list": lambda client, case: client.jobs.list(**case.get("query", {})),
    "list_all": lambda client, case: Page(list(client.jobs.iterate(**case.get("query", {}))), None),
    "estimate": lambda client, case: client.estimate(**case["body"]),
    "account": lambda client, case: client.account(),
    "engines": lambda client, case: {"names": [engine.name for engine in client.engines()]},
    "events": lambda client, case: {"types": [e.type for e in client.events.list(**case.get("query", {})).data]},
}
STEPS: Dict[str, Any] = {
    "get": lambda client, case, made: made.refresh() if isinstance(made, Batch) else client.jobs.get(made.id),
    "wait": lambda client, case, made: made.wait_for(60),
    "download": lambda client, case, made: save(case, made.download),
    "cancel": lambda client, case, made: made.cancel(),
    "delete": lambda client, case, made: client.jobs.delete(made.id),
    "zip": lambda client, case, made: save(case, made.download_zip),
}


def show(value: Any) -> Any:
    if isinstance(value, Deletion):
        return {"deleted": True}
    if isinstance(value, Page):
        names = [job.filename for job in value.data]
        return {"count": len(names), "filenames": names, "has_more": value.next_cursor is not None}
    if isinstance(value, DryRun):
        names = ("width", "height", "units", "format", "engine")
        return {"dry_run": True, **{name: getattr(value, name) for name in names}}
    if isinstance(value, Batch):
        return {
            "status": value.status,
            "sandbox": value.sandbox,
            "charged": value.credits_charged,
            "items": [
                {"name": item.name, "status": item.status, "error_code": item.error and item.error.code}
                for item in value.items
            ],
        }
    if isinstance(value, Job):
        return show_job(value)
    if type(value).__name__ == "Estimate":
        limit_code = value.limit and value.limit.code
        names = ("width", "height", "units", "meter")
        return {**{name: getattr(value, name) for name in names}, "limit_code": limit_code}
    if type(value).__name__ == "Account":
        return {"plan": value.plan, "kind": value.key["kind"]}
    return value


def show_job(job: Job) -> Any:
    names = ("status", "filename", "format", "quality", "scale_factor", "engine", "sandbox")
    return {
        **{name: getattr(job, name) for name in names},
        "success": job.raw["success"],
        "original": [job.original_size.width, job.original_size.height],
        "size": job.processed_size and [job.processed_size.width, job.processed_size.height],
        "charged": job.credits_charged,
        "credits": job.credits,
        "cached": job.cached,
        "error_code": job.error and job.error.code,
    }


def show_error(error: UprezError) -> Any:
    if isinstance(error, JobFailedError):
        return {"code": error.code, "job_status": error.job.status}
    if not isinstance(error, ApiError):
        return {"code": error.code}
    facts = {"code": error.code, "status": error.status, "param": error.param, "max_scale": error.max_scale}
    return {**facts, "hint": bool(error.hint), "request_id": bool(error.request_id)}


def clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: clean(inner) for name, inner in value.items() if inner is not None}
    return [clean(inner) for inner in value] if isinstance(value, list) else value


def run(case: Case) -> Any:
    retries = {"max_retries": case["retries"]} if "retries" in case else {}
    key = KEYS[case.get("key", "live")]
    client = Uprez(key, base_url=f"{ENV['UPREZ_URL']}/{case['name']}", **retries)
    try:
        value = DO[case["do"]](client, case)
        for step in case.get("then", []):
            value = STEPS[step](client, case, value)
        return {"ok": True, "got": clean(show(value))}
    except UprezError as error:
        return {"ok": False, "got": clean(show_error(error))}
    except Exception as error:  # noqa: BLE001
        return {"ok": False, "got": {"crash": f"{type(error).__name__}: {error}"}}


for one in json.loads(pathlib.Path(ENV["UPREZ_CASES"]).read_text())["cases"]:
    print(json.dumps({"name": one["name"], **run(one)}), flush=True)
