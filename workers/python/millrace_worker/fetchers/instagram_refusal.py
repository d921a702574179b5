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
_CHALLENGES = ("checkpoint_required", "challenge_required", "feedback_required")
_CHALLENGE_PATHS = ("/challenge/", "/checkpoint/")


class LoginRequired(AuthError):
    """Visitors are refused, or the session has ended."""


class ChallengeRequired(AuthError):
    """Instagram wants a person to confirm something in a browser."""


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
        self.message = message[:200] if isinstance(message, str) else ""

    @property
    def username(self) -> Optional[str]:
        """Returns the name of the account that was requested, if any."""
        return next(iter(parse_qs(self.url.query).get("username", [])), None)

    @property
    def reason(self) -> str:
        return self.message or f"status {self.status}"


def refusal_in(answer: Answer) -> Optional[FetchError]:
    refusal = rate_limit_in(answer) or _login_or_challenge_in(answer)
    if refusal or answer.location:
        return refusal
    if answer.status >= 500:
        return NetworkError(f"Instagram failed: {answer.reason}")
    if answer.status == 404 and answer.username:
        return NotFound(f"there is no Instagram account {answer.username}")
    if answer.status == 400 and not answer.username:
        return InvalidCommand(f"Instagram cannot continue from this cursor: {answer.reason}")
    return _unexpected(answer)


def rate_limit_in(answer: Answer) -> Optional[RateLimited]:
    if answer.status != 429 and "please wait" not in answer.message.lower():
        return None
    given = answer.retry_after
    seconds = min(float(given), _MAX_SECONDS) if given.isdecimal() else _WINDOW_SECONDS
    return RateLimited(f"Instagram: {answer.reason}", retry_after_seconds=seconds)


def is_challenge(answer: Answer) -> bool:
    return answer.message in _CHALLENGES or any(path in answer.location for path in _CHALLENGE_PATHS)


def _login_or_challenge_in(answer: Answer) -> Optional[FetchError]:
    """Also recognises pages for people that come with status 200 instead of data."""
    page = "" if answer.json is not None else answer.text
    refuses = answer.status in (401, 403) or answer.message == "login_required"
    if is_challenge(answer):
        return _challenge(answer)
    if refuses or "/accounts/login" in answer.location + page:
        return LoginRequired(f"Instagram wants a login ({answer.reason})")
    if any(path in page for path in _CHALLENGE_PATHS):
        return _challenge(answer)
    return None


def _challenge(answer: Answer) -> ChallengeRequired:
    return ChallengeRequired(
        f"Instagram wants a person to confirm something ({answer.reason}): log in to instagram.com in a browser"
    )


def _unexpected(answer: Answer) -> Optional[FetchError]:
    if answer.status != 200:
        return UnknownError(f"Instagram answered with {answer.status}: {answer.message or answer.text[:100]}")
    if answer.json is None:
        return UnknownError(f"Instagram's answer is not JSON: {answer.text[:100]!r}")
    if answer.json.get("status", "ok") != "ok":
        return UnknownError(f"Instagram: {answer.message or answer.json['status']}")
    return None


def _object_in(text: str) -> Optional[Dict[str, Any]]:
    try:
        content = json.loads(text)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None
