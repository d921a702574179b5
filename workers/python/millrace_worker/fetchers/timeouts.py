"""Limits the time of a request to that of its command."""

from __future__ import annotations

from concurrent import futures
from threading import Thread
from typing import Callable, Optional, TypeVar

from ..errors import TimedOut
from ..messages import Command

T = TypeVar("T")

MAX_SECONDS = 30.0


def with_timeout(request: Callable[[float], T], command: Optional[Command], site: str) -> T:
    """
    Passes a request the seconds that it may take: until the command's deadline, at most 30. The timeout of a socket limits
    only single reads, so a name that does not resolve or an answer that arrives byte by byte is abandoned here.
    """
    left = command.seconds_left() if command else None
    seconds = MAX_SECONDS if left is None else min(left, MAX_SECONDS)
    if seconds <= 0:
        raise TimedOut(f"no time left for a request to {site}")
    outcome: futures.Future[T] = futures.Future()
    Thread(target=_run, args=(outcome, request, seconds), daemon=True, name=f"request to {site}").start()
    try:
        return outcome.result(seconds)
    except (TimeoutError, futures.TimeoutError) as error:
        raise TimedOut(f"{site} did not answer within {seconds:.3g} s") from error


def _run(outcome: futures.Future[T], request: Callable[[float], T], seconds: float) -> None:
    try:
        outcome.set_result(request(seconds))
    except BaseException as error:  # The thread that waits for the outcome raises it.
        outcome.set_exception(error)
