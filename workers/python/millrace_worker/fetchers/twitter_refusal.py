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


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> FetchError:
    """Interprets an answer with a status other than 200."""
    problem = _problem_in(body)
    headers = {name.lower(): value for name, value in headers.items()}
    reason = _reason(problem) or f"status {status}"
    if status == 429:
        return RateLimited(f"Twitter: {reason}", retry_after_seconds=_seconds_to_wait(problem, headers, time.time()))
    if status >= 500:
        return NetworkError(f"Twitter failed: {reason}")
    account_error = _account_error(problem)
    if account_error:
        return account_error
    if status in (401, 402, 403):
        return AuthError(f"Twitter refuses MILLRACE_TWITTER_BEARER_TOKEN: {reason}")
    if status == 404:
        return NotFound(f"Twitter: {reason}")
    if status == 400:
        return InvalidCommand(f"Twitter rejected the request: {reason}")
    return UnknownError(f"Twitter answered with {status}: {reason}")


def error_in(answer: Json) -> Optional[FetchError]:
    """Interprets an answer with status 200 that has errors instead of data. Errors beside data concern mentioned posts."""
    problem = _first_error(answer)
    if not problem or answer.get("data") is not None:
        return None
    reason = _reason(problem) or "an error without a message"
    return _account_error(problem) or UnknownError(f"Twitter: {reason}")


def _account_error(problem: Json) -> Optional[FetchError]:
    """Either the requested account is suspended, which is a resource, or the account of the token."""
    if problem.get("resource_type", "user") != "user":
        return None
    reason, title, kind = _reason(problem), problem.get("title"), str(problem.get("type", ""))
    if "suspended" in reason.lower():
        return NotFound(f"Twitter: {reason}") if "resource_type" in problem else None
    if title == "Authorization Error" or kind.endswith("/not-authorized-for-resource") or "protected" in reason:
        return PrivateProfile(f"Twitter: {reason}")
    if title == "Not Found Error" or kind.endswith("/resource-not-found"):
        return NotFound(f"Twitter: {reason}")
    return None


def _seconds_to_wait(problem: Json, headers: Mapping[str, str], now: float) -> float:
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


def _reason(problem: Json) -> str:
    said = (problem.get(name) for name in ("message", "detail", "title"))
    return next((text for text in said if isinstance(text, str) and text), "")[:1000]
