"""Polling."""

from __future__ import annotations

import random
import time
from typing import Callable, TypeVar

from .errors import WaitTimeoutError

T = TypeVar("T")
_FIRST_S, _GROWTH, _LONGEST_S = 0.25, 1.5, 5.0


def poll(last: T, ask: Callable[[], T], is_final: Callable[[T], bool], timeout: float) -> T:
    """Poll at increasing intervals until the value is final. Raises ``WaitTimeoutError``."""
    deadline = time.monotonic() + timeout
    pause = _FIRST_S
    while not is_final(last):
        left = deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"Not finished within {timeout:g} seconds. Processing continues.")
        time.sleep(min(pause * random.uniform(0.8, 1.2), left))
        pause = min(pause * _GROWTH, _LONGEST_S)
        last = ask()
    return last
