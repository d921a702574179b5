"""Delays between attempts to connect."""

from __future__ import annotations

import random

FIRST_SECONDS = 1.0
MAX_SECONDS = 30.0


class Backoff:
    """1 s, 2 s, 4 s … 30 s, each shortened by up to a half, so that many workers do not reconnect at the same moment."""

    def __init__(self) -> None:
        self._attempts = 0

    def next_delay(self) -> float:
        full = min(MAX_SECONDS, FIRST_SECONDS * 2.0 ** min(self._attempts, 10))
        self._attempts += 1
        return full * random.uniform(0.5, 1.0)

    def reset(self) -> None:
        self._attempts = 0
