"""Interprets answers of Twitter that contain no data."""

from __future__ import annotations

import json
import time
from typing import Any, Dict, Mapping, Optional

from ..errors import (
    AuthError,
    FetchError,
    InvalidCommand,
    NetworkError,
    NotFound,
    PrivateProfile,
    RateLimited,
    UnknownError,
)

Json = Dict[str, Any]

# The length of the API's windows, for answers that do not say when the window ends.
_WINDOW_SECONDS = 15 * 60
# The monthly cap of a plan rarely changes, so frequent requests are useless.
_CAPPED_SECONDS = 6 * 60 * 60
# A later time is a mistake, not a time to wait for.
_MAX_SECONDS = 24 * 60 * 60


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> FetchError:
    """Interprets an answer with a status other than 200."""
    problem = _problem_in(body)
    headers = {name.lower(): value for name, value in headers.items()}
    words = _words(problem) or f"status {status}"
    if status == 429:
        return RateLimited(f"Twitter: {words}", retry_after_seconds=_wait(problem, headers, time.time()))
    if status >= 500:
        return NetworkError(f"Twitter failed: {words}")
    about_account = _meaning_for_account(problem)
    if about_account:
        return about_account
    if status in (401, 402, 403):
        return AuthError(f"Twitter refuses MILLRACE_TWITTER_BEARER_TOKEN: {words}")
    if status == 404:
        return NotFound(f"Twitter: {words}")
    if status == 400:
        return InvalidCommand(f"Twitter cannot do this: {words}")
    return UnknownError(f"Twitter answered with {status}: {words}")


def complaint_in(answer: Json) -> Optional[FetchError]:
    """Interprets an answer with status 200 that has errors instead of data. Errors beside data concern mentioned posts."""
    problem = _first_error(answer)
    if not problem or answer.get("data") is not None:
        return None
    words = _words(problem) or "an error without words"
    return _meaning_for_account(problem) or UnknownError(f"Twitter: {words}")


def _meaning_for_account(problem: Json) -> Optional[FetchError]:
    """Either the requested account is suspended, which is a resource, or the account of the token."""
    if problem.get("resource_type", "user") != "user":
        return None
    words, title, kind = _words(problem), problem.get("title"), str(problem.get("type", ""))
    if "suspended" in words.lower():
        return NotFound(f"Twitter: {words}") if "resource_type" in problem else None
    if title == "Authorization Error" or kind.endswith("/not-authorized-for-resource") or "protected" in words:
        return PrivateProfile(f"Twitter: {words}")
    if title == "Not Found Error" or kind.endswith("/resource-not-found"):
        return NotFound(f"Twitter: {words}")
    return None


def _wait(problem: Json, headers: Mapping[str, str], now: float) -> float:
    if str(problem.get("type", "")).endswith("/usage-capped"):
        return _CAPPED_SECONDS
    try:
        reset = int(headers.get("x-rate-limit-reset", ""))
    except ValueError:
        return _WINDOW_SECONDS
    return min(max(1.0, round(reset - now, 3)), _MAX_SECONDS)


def _problem_in(body: bytes) -> Json:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    if not isinstance(answer, dict):
        return {}
    # The errors of a 400 are more specific than the title.
    return {**answer, **_first_error(answer)}


def _first_error(answer: Json) -> Json:
    errors = answer.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    return first if isinstance(first, dict) else {}


def _words(problem: Json) -> str:
    said = (problem.get(name) for name in ("message", "detail", "title"))
    return next((text for text in said if isinstance(text, str) and text), "")[:1000]
