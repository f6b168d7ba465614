"""Polling."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Awaitable, Callable, Iterator, TypeVar

from .errors import WaitTimeoutError

T = TypeVar("T")
_FIRST_S, _GROWTH, _LONGEST_S = 0.25, 1.5, 5.0


def poll(last: T, ask: Callable[[], T], is_final: Callable[[T], bool], timeout: float) -> T:
    """Poll at increasing intervals until the value is final. Raises ``WaitTimeoutError``."""
    pauses = _pauses(timeout)
    while not is_final(last):
        time.sleep(next(pauses))
        last = ask()
    return last


async def poll_async(last: T, ask: Callable[[], Awaitable[T]], is_final: Callable[[T], bool], timeout: float) -> T:
    """Like ``poll``. Waits without a thread."""
    pauses = _pauses(timeout)
    while not is_final(last):
        await asyncio.sleep(next(pauses))
        last = await ask()
    return last


def _pauses(timeout: float) -> Iterator[float]:
    deadline = time.monotonic() + timeout
    pause = _FIRST_S
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"Not finished within {timeout:g} seconds. Processing continues.")
        yield min(pause * random.uniform(0.8, 1.2), left)
        pause = min(pause * _GROWTH, _LONGEST_S)
