"""Converts results and errors to what the cases expect."""

from __future__ import annotations

import json
from typing import Any

from uprez import Account, ApiError, BatchData, Deletion, Delivery, DryRun, Estimate, JobData, JobFailedError, Page
from uprez import UprezError, Webhook


def show(value: Any) -> Any:
    if isinstance(value, tuple):
        return show(value[-1])
    if isinstance(value, int):
        return {"events": value}
    if isinstance(value, Deletion):
        return {"deleted": True}
    if isinstance(value, Page):
        return _page(value)
    if isinstance(value, DryRun):
        return {"dry_run": True, **_pick(value, "width", "height", "units", "format", "engine")}
    if isinstance(value, BatchData):
        return _batch(value)
    if isinstance(value, JobData):
        return _job(value)
    if isinstance(value, Estimate):
        limit_code = value.limit and value.limit.code
        return {**_pick(value, "width", "height", "units", "meter"), "limit_code": limit_code}
    if isinstance(value, Account):
        return {"plan": value.plan, "kind": value.key["kind"]}
    if isinstance(value, Webhook):
        names = ("kind", "url", "description", "events", "sandbox", "is_active", "disabled_reason")
        facts = {"has_secret": value.secret is not None, "is_rotated": value.former_secret_until is not None}
        return {**_pick(value, *names), **facts}
    if isinstance(value, Delivery):
        body_type = value.body and json.loads(value.body)["type"]
        return {**_pick(value, "event_type", "url", "status"), "body_type": body_type}
    return value


def _pick(value: Any, *names: str) -> Any:
    return {name: getattr(value, name) for name in names}


def _page(page: Page[Any]) -> Any:
    facts = {"count": len(page.data), "has_more": page.next_cursor is not None}
    if page.data and isinstance(page.data[0], Delivery):
        return {**facts, "event_types": [delivery.event_type for delivery in page.data]}
    return {**facts, "filenames": [job.filename for job in page.data]}


def _batch(batch: BatchData) -> Any:
    items = [
        {
            **_pick(item, "name", "status"),
            "error_code": item.error and item.error.code,
            "delivery": item.delivery and {name: item.delivery[name] for name in ("status", "host")},
        }
        for item in batch.items
    ]
    return {"status": batch.status, "sandbox": batch.sandbox, "charged": batch.credits_charged, "items": items}


def _job(job: JobData) -> Any:
    names = ("status", "filename", "format", "quality", "scale_factor", "engine", "sandbox", "credits", "cached")
    return {
        **_pick(job, *names),
        "success": job.raw["success"],
        "original": [job.original_size.width, job.original_size.height],
        "size": job.processed_size and [job.processed_size.width, job.processed_size.height],
        "charged": job.credits_charged,
        "error_code": job.error and job.error.code,
    }


def show_error(error: UprezError) -> Any:
    if isinstance(error, JobFailedError):
        return {"code": error.code, "job_status": error.job.status}
    if not isinstance(error, ApiError):
        return {"code": error.code}
    facts = _pick(error, "code", "status", "param", "max_scale", "retry_after")
    return {**facts, "hint": bool(error.hint), "request_id": bool(error.request_id)}


def clean(value: Any) -> Any:
    """Remove fields without a value."""
    if isinstance(value, dict):
        return {name: clean(inner) for name, inner in value.items() if inner is not None}
    return [clean(inner) for inner in value] if isinstance(value, list) else value
