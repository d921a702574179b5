"""What was looked up not long ago."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Callable, Generic, Optional, Tuple, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Keeps the latest `most` values, each for so many seconds. Losing one costs a request and nothing else."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
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
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self, key: str) -> None:
        with self._lock:
            self._kept.pop(key, None)
