"""Turns exceptions of a function into errors of the contract."""

from __future__ import annotations

import json
import socket
from typing import Any, Dict, Mapping, Union

from .contract import ContractBreach
from .errors import FetchError

_MAX_MESSAGE_LENGTH = 2_000
_MAX_WAIT_SECONDS = 31_536_000

_OF_LOCAL_FILES = (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError)


def describe(error: BaseException) -> Dict[str, Any]:
    """Returns the `error` of a result."""
    if isinstance(error, FetchError):
        described: Dict[str, Any] = {"code": error.code, "message": text_of(error)}
        if error.retryable is not None:
            described["retryable"] = error.retryable
        details = _as_json(error.details)
        return {**described, "details": details} if details else described
    if isinstance(error, ContractBreach):
        # The same page would break the contract again.
        return {"code": "UNKNOWN_ERROR", "message": f"the answer breaks the contract: {text_of(error)}", "retryable": False}
    return {"code": _code(error), "message": f"{type(error).__name__}: {text_of(error)}"}


def is_unexpected(error: BaseException) -> bool:
    """Returns whether the traceback helps the author of the function."""
    return not isinstance(error, (FetchError, ContractBreach))


def _code(error: BaseException) -> str:
    if _is_timeout(error) or _is_timeout(getattr(error, "reason", None)):
        return "TIMEOUT_ERROR"
    if isinstance(error, OSError) and not isinstance(error, _OF_LOCAL_FILES):
        return "NETWORK_ERROR"
    return "UNKNOWN_ERROR"


def _is_timeout(error: Union[BaseException, str, None]) -> bool:
    """Compares names, too, because the timeouts of requests, urllib3 and httpx have no common class."""
    if isinstance(error, (TimeoutError, socket.timeout)):
        return True
    return isinstance(error, Exception) and any("Timeout" in kind.__name__ for kind in type(error).__mro__)


def _as_json(details: Mapping[str, Any]) -> Dict[str, Any]:
    """Values that JSON cannot represent become text."""
    try:
        plain: Dict[str, Any] = json.loads(json.dumps(dict(details), default=str, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return {"unreadable": repr(details)[:_MAX_MESSAGE_LENGTH]}
    wait = plain.get("retryAfterSeconds")
    if isinstance(wait, (int, float)):
        plain["retryAfterSeconds"] = min(max(wait, 0), _MAX_WAIT_SECONDS)
    return plain


def text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception as failure:
        text = f"(its text failed with {type(failure).__name__})"
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]}…"
