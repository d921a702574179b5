"""Keeps a request within the time that somebody waits for its answer."""

from __future__ import annotations

from concurrent import futures
from threading import Thread
from typing import Callable, TypeVar

from ..errors import TimedOut
from ..messages import Command

T = TypeVar("T")

MOST_SECONDS = 30.0


def within(command: Command, site: str, request: Callable[[float], T]) -> T:
    """
    Gives a request the seconds it may take: until the command's deadline, at most 30. A socket's own timeout bounds one
    read; a name that does not resolve or an answer that comes byte by byte outlasts it, and is left behind here.
    """
    left = command.seconds_left()
    seconds = MOST_SECONDS if left is None else min(left, MOST_SECONDS)
    if seconds <= 0:
        raise TimedOut(f"there was no time left to ask {site}")
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
