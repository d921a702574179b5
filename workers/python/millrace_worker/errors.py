"""What a fetcher or scraper raises to say why there is no page."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class FetchError(Exception):
    """Nothing was fetched. `retryable` is left to Millrace's rule for the code unless given."""

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
    """Something that none of the others describes."""


class NotFound(FetchError):
    """There is no such account, or no longer."""

    code = "NOT_FOUND"


class PrivateProfile(FetchError):
    """The account exists and shows its posts to chosen people only."""

    code = "PRIVATE_PROFILE"


class AuthError(FetchError):
    """The worker's own credentials are missing, wrong or not enough."""

    code = "AUTH_ERROR"


class RateLimited(FetchError):
    """The site wants to be left alone, for so long if it said so."""

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
    """The site could not be reached, or failed itself."""

    code = "NETWORK_ERROR"


class TimedOut(FetchError):
    """The site did not answer in time."""

    code = "TIMEOUT_ERROR"


class InvalidCommand(FetchError):
    """The command cannot be carried out as it is, for example because its cursor is none of this fetcher's."""

    code = "INVALID_COMMAND"
