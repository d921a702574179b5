"""instaloader without waiting, retrying and printing, and with a configurable host."""

from __future__ import annotations

import io
import logging
import pickle
from typing import Any, Dict, Optional

# This comes before the modules that need requests, which is installed together with instaloader.
try:
    from instaloader.instaloadercontext import InstaloaderContext, RateController
except ImportError as error:
    raise ImportError("the instagram fetcher needs instaloader: pip install 'millrace-worker[instagram]'") from error

from ..errors import RateLimited
from .instagram_refusal import refusal_in
from .instagram_session import Session
from .instagram_transport import Transport

log = logging.getLogger(__name__)


class Context(InstaloaderContext):
    """Serves one command, for a user who is logged in or, without a session, for a visitor."""

    def __init__(self, url: Optional[str], session: Optional[Session] = None) -> None:
        super().__init__(
            sleep=False,
            quiet=True,
            max_connection_attempts=1,
            rate_controller=_RaisingRateController,
            iphone_support=False,
        )
        self._url = url
        if session:
            self.load_session_from_file(session.username, io.BytesIO(pickle.dumps(session.cookies)))  # type: ignore[no-untyped-call]

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
        sender = session or self._session
        sender.mount("https://", Transport(self._url, refusal_in))
        answer: Dict[str, Any] = super().get_json(path, params, host, sender, *more, **options)
        return answer

    def log(self, *msg: Any, **_options: Any) -> None:
        log.debug("%s", " ".join(map(str, msg)).strip())

    def error(self, msg: Any, repeat_at_end: bool = True) -> None:
        log.debug("%s", msg)


class _RaisingRateController(RateController):
    """A worker that sleeps blocks all other sources, so Millrace decides when to retry."""

    def sleep(self, secs: float) -> None:
        raise RateLimited("too many requests to Instagram within a short time", retry_after_seconds=secs)
