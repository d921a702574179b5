"""The errors that fetchers and scrapers raise."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class FetchError(Exception):
    """Nothing was fetched. Without `retryable`, Millrace decides by the code whether to retry."""

    code = "UNKNOWN_ERROR"
    retryable: Optional[bool] = None
    details: Mapping[str, Any] = {}

    def __init__(
        self,
        message: str,
        *,
        retryable: Optional[bool] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        self.details = details or {}


class UnknownError(FetchError):
    """None of the other errors applies."""


class NotFound(FetchError):
    """The account does not exist, or no longer."""

    code = "NOT_FOUND"


class PrivateProfile(FetchError):
    """The account exists, but only some people may see its posts."""

    code = "PRIVATE_PROFILE"


class AuthError(FetchError):
    """The worker's own credentials are missing, wrong or insufficient."""

    code = "AUTH_ERROR"


class RateLimited(FetchError):
    """The site limits requests, for `retry_after_seconds` if it said so."""

    code = "RATE_LIMITED"

    def __init__(
        self,
        message: str,
        *,
        retry_after_seconds: Optional[float] = None,
        retryable: Optional[bool] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        waiting = {} if retry_after_seconds is None else {"retryAfterSeconds": retry_after_seconds}
        super().__init__(message, retryable=retryable, details={**(details or {}), **waiting})


class NetworkError(FetchError):
    """The site could not be reached, or it failed."""

    code = "NETWORK_ERROR"


class TimedOut(FetchError):
    """The site did not answer in time."""

    code = "TIMEOUT_ERROR"


class InvalidCommand(FetchError):
    """The command is invalid, for example because this fetcher did not make its cursor."""

    code = "INVALID_COMMAND"
