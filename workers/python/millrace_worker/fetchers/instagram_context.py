"""instaloader without waiting, retrying and printing, and with a configurable host."""

from __future__ import annotations

import logging
from typing import Any, Dict, Mapping, Optional

from ..errors import AuthError, NetworkError, RateLimited, TimedOut
from .instagram_refusal import Answer, refusal_in
from .settings import address, setting

try:
    import requests
    from instaloader.instaloadercontext import InstaloaderContext, RateController
    from requests.adapters import HTTPAdapter
except ImportError as error:
    raise ImportError("the instagram fetcher needs instaloader: pip install 'millrace-worker[instagram]'") from error

log = logging.getLogger(__name__)


class Context(InstaloaderContext):
    """Serves one command. All failures are raised as errors of the kit."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(
            sleep=False, quiet=True, max_connection_attempts=1, rate_controller=_Impatient, iphone_support=False
        )
        self._url = address(environ, "MILLRACE_INSTAGRAM_URL")
        self._log_in(environ)

    def get_json(
        self,
        path: str,
        params: Dict[str, Any],
        host: str = "www.instagram.com",
        session: Any = None,
        *more: Any,
        **options: Any,
    ) -> Dict[str, Any]:
        """All data requests of instaloader pass here, most with a session that is made for one request."""
        asking = session or self._session
        asking.mount("https://", _Transport(self._url))
        answer: Dict[str, Any] = super().get_json(path, params, host, asking, *more, **options)
        return answer

    def log(self, *msg: Any, **_options: Any) -> None:
        log.debug("%s", " ".join(map(str, msg)).strip())

    def error(self, msg: Any, repeat_at_end: bool = True) -> None:
        log.debug("%s", msg)

    def _log_in(self, environ: Mapping[str, str]) -> None:
        username = setting(environ, "MILLRACE_INSTAGRAM_USERNAME")
        path = setting(environ, "MILLRACE_INSTAGRAM_SESSION_FILE")
        if username is None and path is None:
            return
        if username is None or path is None:
            missing = "SESSION_FILE" if path is None else "USERNAME"
            raise AuthError(f"MILLRACE_INSTAGRAM_{missing} is not set; a login needs both the name and the session file")
        try:
            with open(path, "rb") as file:
                self.load_session_from_file(username, file)  # type: ignore[no-untyped-call]
        except Exception as error:  # unpickling a wrong file may raise anything
            raise AuthError(f"MILLRACE_INSTAGRAM_SESSION_FILE: could not read {path}: {error!r}") from error


class _Impatient(RateController):
    """A worker that sleeps blocks all other sources, so Millrace decides when to retry."""

    def sleep(self, secs: float) -> None:
        raise RateLimited("too many requests to Instagram within a short time", retry_after_seconds=secs)


class _Transport(HTTPAdapter):  # type: ignore[misc]
    def __init__(self, url: Optional[str]) -> None:
        super().__init__()
        self._url = url

    def send(self, request: Any, **options: Any) -> Any:
        asked = request.url
        if self._url is not None:
            request.url = self._url + request.path_url
            # The cookie is for the original host.
            options["proxies"] = {}
        try:
            response = super().send(request, **options)
            text = response.text
        except requests.exceptions.Timeout as error:
            raise TimedOut(f"Instagram did not answer in time: {error}") from error
        except requests.exceptions.RequestException as error:
            raise NetworkError(f"could not reach Instagram: {error}") from error
        refusal = refusal_in(Answer(asked, response.status_code, response.headers, text))
        if refusal:
            raise refusal
        return response
