"""
Logs in to Instagram with the requests of its web page.

instaloader before 4.10.2 (Debian 12 has 4.9.5) reads the login page in a form that no longer exists, and no version lets a test
choose the host. This sends the requests of instaloader 4.15.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional

import requests
from instaloader.instaloadercontext import InstaloaderContext

from ..errors import AuthError, FetchError, NetworkError, UnknownError
from ..messages import Command
from .instagram_refusal import Answer, is_challenge, rate_limit_in
from .instagram_session import Cookies
from .instagram_transport import Transport
from .timeouts import with_timeout

_SITE = "https://www.instagram.com"
_LOGIN_PATHS = ("/api/v1/web/accounts/login/ajax/", "/accounts/login/ajax/two_factor/")
_LOGIN, _SECOND_FACTOR = (f"{_SITE}{path}" for path in _LOGIN_PATHS)
_TOKEN = re.compile(r'"csrf_token":"([^"]+)"')
_COOKIES = {"ig_pr": "1", "ig_vw": "1920", "ig_cb": "1"}


@dataclass(frozen=True)
class Credentials:
    username: str
    password: str = field(repr=False)


class LoginRefused(AuthError):
    """If it is final, the same credentials would be refused again."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


@dataclass(frozen=True)
class Login:
    """One login. `ask_code` returns the code of the second factor; without it, accounts that need one are refused."""

    url: Optional[str]
    credentials: Credentials
    command: Optional[Command] = None
    ask_code: Optional[Callable[[], str]] = None

    def run(self) -> Cookies:
        with requests.Session() as session:
            session.headers.update(InstaloaderContext(quiet=True)._default_http_header())
            session.cookies.update(_COOKIES)
            session.mount("https://", Transport(self.url, self._refusal_in))
            self._log_in(session)
            cookies: Cookies = requests.utils.dict_from_cookiejar(session.cookies)
        if not cookies.get("sessionid") or not cookies.get("csrftoken"):
            raise UnknownError("Instagram accepted the login but gave no session")
        return cookies

    def _log_in(self, session: Any) -> None:
        page = self._send(session, "GET", f"{_SITE}/")
        token = session.cookies.get("csrftoken") or next(iter(_TOKEN.findall(page.text)), None)
        if not token:
            raise UnknownError("Instagram's page has no token for a login")
        session.headers["X-CSRFToken"] = token
        # Version 0 of this format carries the password as it is; TLS protects it.
        password = f"#PWD_INSTAGRAM_BROWSER:0:{int(time.time())}:{self.credentials.password}"
        answer = self._post(session, _LOGIN, {"enc_password": password, "username": self.credentials.username})
        if answer.get("two_factor_required"):
            answer = self._second_factor(session, answer)
        if not answer.get("authenticated"):
            raise self._wrong_credentials(bool(answer.get("user")))

    def _send(self, session: Any, method: str, url: str, **options: Any) -> Any:
        def request(seconds: float) -> Any:
            return session.request(method, url, allow_redirects=method == "GET", timeout=seconds, **options)

        return with_timeout(request, self.command, "Instagram")

    def _post(self, session: Any, url: str, form: Dict[str, str]) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self._send(session, "POST", url, data=form).json()
        return answer

    def _second_factor(self, session: Any, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        if self.ask_code is None:
            raise LoginRefused(
                f"Instagram asks for a second factor for {self.credentials.username}. "
                "Log in once with `millrace-worker instagram --login`, which asks for the code",
                is_final=True,
            )
        details = answer.get("two_factor_info")
        identifier = details.get("two_factor_identifier") if isinstance(details, dict) else None
        form = {
            "username": self.credentials.username,
            "verificationCode": self.ask_code(),
            "identifier": str(identifier or ""),
        }
        return self._post(session, _SECOND_FACTOR, form)

    def _refusal_in(self, answer: Answer) -> Optional[FetchError]:
        """Never repeats the text of an answer, which may repeat what was sent."""
        content = answer.json or {}
        rate_limit = rate_limit_in(answer)
        if rate_limit:
            return rate_limit
        if content.get("checkpoint_url") or is_challenge(answer):
            return LoginRefused(
                f"Instagram wants a person to confirm the login of {self.credentials.username}: "
                "log in to instagram.com in a browser and follow the instructions there"
            )
        if content.get("two_factor_required"):
            return None
        if answer.status >= 500:
            return NetworkError(f"Instagram failed during the login: {answer.reason}")
        error_type = str(content.get("error_type", ""))
        if error_type in ("UserInvalidCredentials", "bad_password"):
            return self._wrong_credentials(True)
        if answer.url.path.endswith("/two_factor/") and content.get("status") == "fail":
            return LoginRefused(f"Instagram did not accept the code: {answer.reason}", is_final=True)
        is_page = not answer.url.path.startswith(_LOGIN_PATHS)
        if (is_page and (answer.status == 200 or answer.location)) or content.get("status") == "ok":
            return None
        return LoginRefused(f"Instagram refused the login of {self.credentials.username}: {answer.reason}")

    def _wrong_credentials(self, account_exists: bool) -> LoginRefused:
        username = self.credentials.username
        reason = "the password is wrong" if account_exists else "there is no such account"
        return LoginRefused(f"Instagram refused the login of {username}: {reason}", is_final=True)
