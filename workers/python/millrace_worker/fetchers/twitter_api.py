"""Requests to Twitter's API v2."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import IO, Any, Dict, Mapping, Optional
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..errors import NetworkError, TimedOut, UnknownError
from ..messages import Command
from .timeouts import with_timeout
from .twitter_refusal import error_in, error_of

Json = Dict[str, Any]

_MAX_BYTES = 10_000_000
# These are the same class since Python 3.10.
_TIMEOUTS = (TimeoutError, socket.timeout)


class _NoRedirects(HTTPRedirectHandler):
    """The API does not redirect, and no other host may receive the token."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Optional[Request]:
        return None


@dataclass(frozen=True)
class TwitterApi:
    url: str
    token: str
    command: Command

    def get(self, path: str, params: Mapping[str, str]) -> Json:
        """Sends one request, without retries. Raises an error if the answer has no data."""
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": "millrace-worker"}
        request = Request(f"{self.url}{path}?{urlencode(params)}", headers=headers)
        answer = _read_json(with_timeout(lambda seconds: _body(request, seconds), self.command, "Twitter"))
        error = error_in(answer)
        if error:
            raise error
        return answer


def _body(request: Request, seconds: float) -> bytes:
    try:
        with build_opener(_NoRedirects).open(request, timeout=seconds) as response:
            body: bytes = response.read(_MAX_BYTES + 1)
    except HTTPError as error:
        with error:
            raise error_of(error.code, dict(error.headers.items()), error.read(_MAX_BYTES)) from None
    except URLError as error:
        if isinstance(error.reason, _TIMEOUTS):
            raise TimedOut(f"could not reach Twitter: {error.reason}") from error
        raise NetworkError(f"could not reach Twitter: {error.reason}") from error
    except _TIMEOUTS as error:
        raise TimedOut(f"Twitter stopped answering: {error}") from error
    except (OSError, HTTPException) as error:
        raise NetworkError(f"Twitter closed the connection: {type(error).__name__}: {error}") from error
    if len(body) > _MAX_BYTES:
        raise UnknownError(f"Twitter answered with more than {_MAX_BYTES} bytes", retryable=False)
    return body


def _read_json(body: bytes) -> Json:
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise UnknownError(f"Twitter's answer is not JSON: {error}") from error
    if not isinstance(answer, dict):
        raise UnknownError(f"Twitter's answer is JSON but not an object: {body[:100]!r}")
    return answer
