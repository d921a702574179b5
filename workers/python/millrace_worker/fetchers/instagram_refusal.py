"""Interprets answers of Instagram that contain no data."""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, Optional
from urllib.parse import parse_qs, urlsplit

from ..errors import (
    AuthError,
    FetchError,
    InvalidCommand,
    NetworkError,
    NotFound,
    RateLimited,
    UnknownError,
)

# Instagram counts requests over about eleven minutes and rarely says how long to wait.
_WINDOW_SECONDS = 666.0
_MAX_SECONDS = 24 * 60 * 60.0
_WANTS_A_PERSON = ("login_required", "checkpoint_required", "challenge_required", "feedback_required")
_HOW_TO_LOG_IN = "MILLRACE_INSTAGRAM_USERNAME and MILLRACE_INSTAGRAM_SESSION_FILE give the worker a login"


class Answer:
    """An HTTP answer to the request for `url`."""

    def __init__(self, url: str, status: int, headers: Mapping[str, str], text: str) -> None:
        self.url = urlsplit(url)
        self.status = status
        self.location = headers.get("location", "") if 300 <= status < 400 else ""
        self.retry_after = headers.get("retry-after", "")
        self.text = text
        self.json = _object_in(text)
        message = (self.json or {}).get("message")
        self.message = message if isinstance(message, str) else ""

    @property
    def username(self) -> Optional[str]:
        """Returns the name of the account that was requested, if any."""
        return next(iter(parse_qs(self.url.query).get("username", [])), None)


def refusal_in(answer: Answer) -> Optional[FetchError]:
    words = answer.message or f"status {answer.status}"
    if answer.status == 429 or "please wait" in answer.message.lower():
        return RateLimited(f"Instagram: {words}", retry_after_seconds=_wait(answer.retry_after))
    if _wants_login(answer):
        return AuthError(f"Instagram wants a login ({words}). {_HOW_TO_LOG_IN}")
    if answer.location:
        return None
    if answer.status >= 500:
        return NetworkError(f"Instagram failed: {words}")
    if answer.status == 404 and answer.username:
        return NotFound(f"there is no Instagram account {answer.username}")
    if answer.status == 400 and not answer.username:
        return InvalidCommand(f"Instagram cannot go on from this cursor: {words}")
    return _not_understood(answer)


def _wants_login(answer: Answer) -> bool:
    """Also recognises a page for people that comes with status 200 instead of data."""
    if answer.status in (401, 403) or answer.message in _WANTS_A_PERSON:
        return True
    shown = answer.location or ("" if answer.json is not None else answer.text)
    return any(path in shown for path in ("/accounts/login", "/challenge/", "/checkpoint/"))


def _not_understood(answer: Answer) -> Optional[FetchError]:
    if answer.status != 200:
        return UnknownError(f"Instagram answered with {answer.status}: {answer.message or answer.text[:100]}")
    if answer.json is None:
        return UnknownError(f"Instagram's answer is no JSON: {answer.text[:100]!r}")
    if answer.json.get("status", "ok") != "ok":
        return UnknownError(f"Instagram: {answer.message or answer.json['status']}")
    return None


def _wait(retry_after: str) -> float:
    return min(float(retry_after), _MAX_SECONDS) if retry_after.isdecimal() else _WINDOW_SECONDS


def _object_in(text: str) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
