"""Limits the time of a request to that of its command."""

from __future__ import annotations

from concurrent import futures
from threading import Thread
from typing import Callable, TypeVar

from ..errors import TimedOut
from ..messages import Command

T = TypeVar("T")

MAX_SECONDS = 30.0


def within(command: Command, site: str, request: Callable[[float], T]) -> T:
    """
    Passes a request the seconds that it may take: until the command's deadline, at most 30. The timeout of a socket limits
    only single reads, so a name that does not resolve or an answer that arrives byte by byte is abandoned here.
    """
    left = command.seconds_left()
    seconds = MAX_SECONDS if left is None else min(left, MAX_SECONDS)
    if seconds <= 0:
        raise TimedOut(f"no time left for a request to {site}")
    outcome: futures.Future[T] = futures.Future()
    Thread(target=_run, args=(outcome, request, seconds), daemon=True, name=f"ask {site}").start()
    try:
        return outcome.result(seconds)
    except (TimeoutError, futures.TimeoutError) as error:
        raise TimedOut(f"{site} did not answer within {seconds:.3g} s") from error


def _run(outcome: futures.Future[T], request: Callable[[float], T], seconds: float) -> None:
    try:
        outcome.set_result(request(seconds))
    except BaseException as error:  # it belongs to who waits for the outcome
        outcome.set_exception(error)
