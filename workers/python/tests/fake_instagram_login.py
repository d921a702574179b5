"""
The login of Instagram's web page, as instaloader calls it: up to 4.10.1 through the login page, then through the first page.

Options of a user: password, code (of a second factor), challenge (a person must confirm the login), gives_no_session.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Any, Dict, Optional, Set

from .fake_upstream import Answer, Json, Request

LOGIN, OLD_LOGIN = "/api/v1/web/accounts/login/ajax/", "/accounts/login/ajax/"
SECOND_FACTOR = "/accounts/login/ajax/two_factor/"
LOGIN_PAGE, FIRST_PAGE = "/accounts/login/", "/"
PASSWORD = re.compile(r"#PWD_INSTAGRAM_BROWSER:0:\d{10}:(.*)", re.DOTALL)
SESSION_ENDED = {
    "message": "login_required",
    "error_title": "You've Been Logged Out",
    "error_body": "Please log back in.",
    "logout_reason": 8,
    "status": "fail",
}


@dataclass
class FakeUser:
    name: str
    password: str
    code: Optional[str] = None
    challenge: bool = False
    gives_no_session: bool = False


class FakeLogin:
    def __init__(self) -> None:
        self.sessions: Set[str] = set()
        self._users: Dict[str, FakeUser] = {}
        self._tokens: Set[str] = set()
        self._second_factors: Dict[str, FakeUser] = {}

    def add_user(self, name: str, password: str, **options: Any) -> None:
        self._users[name] = FakeUser(name, password, **options)

    def has_session(self, request: Request) -> bool:
        return request.cookies.get("sessionid", "") in self.sessions

    def answer(self, request: Request) -> Optional[Answer]:
        if request.path in (LOGIN_PAGE, FIRST_PAGE) and request.method == "GET":
            return self._page()
        if request.path in (LOGIN, OLD_LOGIN, SECOND_FACTOR) and request.method == "POST":
            if not self._has_token(request):
                return Answer("<!doctype html><title>Forbidden</title>", 403, {"content-type": "text/html"})
            return self._second_factor(request) if request.path == SECOND_FACTOR else self._log_in(request)
        return None

    def _page(self) -> Answer:
        token = secrets.token_hex(16)
        self._tokens.add(token)
        shared = '{"config":{"csrf_token":"%s"},"entry_data":{"LoginAndSignupPage":[{}]}}' % token
        page = f"<!doctype html><title>Login</title><script>window._sharedData = {shared};</script>"
        cookie = f"csrftoken={token}; Domain=.instagram.com; Path=/; Secure"
        return Answer(page, headers={"content-type": "text/html", "set-cookie": cookie})

    def _has_token(self, request: Request) -> bool:
        given = request.headers.get("x-csrftoken", "")
        return given in self._tokens and request.cookies.get("csrftoken") == given

    def _log_in(self, request: Request) -> Answer:
        user = self._users.get(request.query.get("username", ""))
        password = PASSWORD.fullmatch(request.query.get("enc_password", ""))
        if user is None or password is None or password.group(1) != user.password:
            return Answer({"authenticated": False, "user": user is not None, "status": "ok"})
        if user.challenge:
            link = {"message": "checkpoint_required", "checkpoint_url": "/challenge/1/abc/", "lock": False}
            return Answer({**link, "flow_render_type": 0, "status": "fail"}, 400)
        if user.code is not None:
            identifier = secrets.token_hex(8)
            self._second_factors[identifier] = user
            details = {"username": user.name, "two_factor_identifier": identifier, "totp_two_factor_on": True}
            answer = {"message": "", "two_factor_required": True, "two_factor_info": details, "status": "fail"}
            return Answer(answer, 400)
        return self._welcome(user)

    def _second_factor(self, request: Request) -> Answer:
        user = self._second_factors.get(request.query.get("identifier", ""))
        if user is None or request.query.get("verificationCode") != user.code:
            message = "Please check the security code and try again."
            return Answer({"message": message, "error_type": "invalid_verficaition_code", "status": "fail"}, 400)
        return self._welcome(user)

    def _welcome(self, user: FakeUser) -> Answer:
        session, token = secrets.token_hex(16), secrets.token_hex(16)
        self._tokens.add(token)
        given = [("csrftoken", token), ("ds_user_id", "1")]
        if not user.gives_no_session:
            self.sessions.add(session)
            given.append(("sessionid", session))
        cookies = [f"{name}={value}; Domain=.instagram.com; Path=/; Secure" for name, value in given]
        content: Json = {"authenticated": True, "user": True, "userId": "1", "oneTapPrompt": False, "status": "ok"}
        return Answer(content, headers={"set-cookie": cookies})
