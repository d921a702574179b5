"""A small cache with a time limit."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Callable, Generic, Optional, Tuple, TypeVar

T = TypeVar("T")


class ExpiringCache(Generic[T]):
    """Keeps the latest `max_values` values, each for `seconds`. A lost value costs one request."""

    def __init__(self, max_values: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_values = max_values
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[str, Tuple[float, T]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Optional[T]:
        with self._lock:
            until, value = self._kept.get(key, (None, None))
            return value if until is not None and self._clock() < until else None

    def put(self, key: str, value: T) -> None:
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = (self._clock() + self._seconds, value)
            while len(self._kept) > self._max_values:
                self._kept.popitem(last=False)

    def forget(self, key: str) -> None:
        with self._lock:
            self._kept.pop(key, None)
