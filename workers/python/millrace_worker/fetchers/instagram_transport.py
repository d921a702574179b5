"""HTTP requests to Instagram, with a configurable host. Failures and refusals become errors of the kit."""

from __future__ import annotations

from typing import Any, Callable, Optional

import requests
from requests.adapters import HTTPAdapter

from ..errors import FetchError, NetworkError, TimedOut
from .instagram_refusal import Answer


class Transport(HTTPAdapter):  # type: ignore[misc]
    def __init__(self, url: Optional[str], refusal_in: Callable[[Answer], Optional[FetchError]]) -> None:
        super().__init__()
        self._url = url
        self._refusal_in = refusal_in

    def send(self, request: Any, **options: Any) -> Any:
        # The session stores cookies for the host of the original request.
        sent = request.copy()
        if self._url is not None:
            sent.url = self._url + request.path_url
            options["proxies"] = {}
        try:
            response = super().send(sent, **options)
            text = response.text
        except requests.exceptions.Timeout as error:
            raise TimedOut(f"Instagram did not answer in time: {error}") from error
        except requests.exceptions.RequestException as error:
            raise NetworkError(f"could not reach Instagram: {error}") from error
        refusal = self._refusal_in(Answer(request.url, response.status_code, response.headers, text))
        if refusal:
            raise refusal
        return response
