"""Logins of the instagram fetcher: the session file, passwords, second factors, challenges, and sessions that end."""

from __future__ import annotations

import logging
import os
import pickle
import stat
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Type
from unittest import mock

import requests
from instaloader.instaloadercontext import InstaloaderContext

from millrace_worker import AuthError, FetchError, NetworkError, Page, PrivateProfile, RateLimited, UnknownError
from millrace_worker.fetchers.instagram import Instagram
from millrace_worker.fetchers.instagram_login import Credentials, Login, LoginRefused
from millrace_worker.fetchers.instagram_sessions import Sessions
from millrace_worker.fetchers.instagram_transport import Transport

from .rabbitmq_case import LogLines
from .fake_instagram_login import FIRST_PAGE, LOGIN, SECOND_FACTOR
from .instagram_case import LOOKUP, TIMELINE, InstagramTest
from .paging import command, in_seconds

PASSWORD = 'correct horse & "battery" #1'
TWO_HOURS = 2 * 60 * 60


class LoginTest(InstagramTest):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "state" / "session"
        self.fake.add_account("nasa", posts=3, wants_login=True)
        self.fake.login.add_user("me", PASSWORD)

    def environment(self, **changes: str) -> Dict[str, str]:
        login = {"MILLRACE_INSTAGRAM_USERNAME": "me", "MILLRACE_INSTAGRAM_SESSION_FILE": str(self.file)}
        return {"MILLRACE_INSTAGRAM_URL": self.fake.url, "MILLRACE_INSTAGRAM_PASSWORD": PASSWORD, **login, **changes}

    def worker(self, **changes: str) -> Instagram:
        return Instagram(self.environment(**changes))

    def refused(self, kind: Type[FetchError], worker: Instagram) -> FetchError:
        with self.assertRaises(kind) as caught:
            worker.fetch(command("nasa"))
        return caught.exception

    def logins(self) -> int:
        return self.requested_paths().count(LOGIN)

    def write_session(self, **cookies: str) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(pickle.dumps({"sessionid": "secret", "csrftoken": "token", "ds_user_id": "1", **cookies}))
        self.file.chmod(0o600)

    def make_session_older(self) -> None:
        then = self.file.stat().st_mtime - TWO_HOURS
        os.utime(self.file, (then, then))


class SessionFiles(LoginTest):
    def test_the_session_of_the_file_is_used(self) -> None:
        self.write_session()
        self.fake.login.sessions.add("secret")
        self.fake.add_account("nasa", posts=30, private=True, followed=True)
        self.instagram = self.worker(MILLRACE_INSTAGRAM_PASSWORD="")
        found = [post.external_id for page in self.walk(limit=12) for post in page.posts]
        self.assertEqual(found, self.fake.accounts()["nasa"])
        self.assertEqual(set(self.requested_paths()), {LOOKUP, TIMELINE})

    def test_a_private_account_that_the_worker_does_not_follow_is_private(self) -> None:
        self.fake.add_account("nasa", private=True)
        self.refused(PrivateProfile, self.worker())

    def test_the_workers_own_private_account_is_open(self) -> None:
        self.fake.add_account("me", private=True)
        self.assertEqual(list(self.worker().fetch(command("me")).posts), [])

    def test_a_login_without_a_user_name_is_refused(self) -> None:
        for changes in ({}, {"MILLRACE_INSTAGRAM_PASSWORD": ""}):
            worker = self.worker(MILLRACE_INSTAGRAM_USERNAME="", **changes)
            self.assertIn("MILLRACE_INSTAGRAM_USERNAME", self.refused(AuthError, worker).message)

    def test_without_a_session_and_a_password_the_error_names_both_ways_to_log_in(self) -> None:
        message = self.refused(AuthError, self.worker(MILLRACE_INSTAGRAM_PASSWORD="")).message
        self.assertIn("MILLRACE_INSTAGRAM_PASSWORD", message)
        self.assertIn("millrace-worker instagram --login", message)
        self.assertEqual(self.fake.requests, [])

    def test_a_file_that_is_not_a_session_is_named_and_never_overwritten(self) -> None:
        for content in (b"", b"hello", pickle.dumps([1]), pickle.dumps({"sessionid": "x"}), pickle.dumps(Path("/"))):
            self.write_session()
            self.file.write_bytes(content)
            self.assertIn(str(self.file), self.refused(AuthError, self.worker()).message)
            self.assertEqual(self.file.read_bytes(), content)
        self.assertEqual(self.fake.requests, [])

    def test_a_file_cannot_run_code(self) -> None:
        class Bomb:
            def __reduce__(self) -> Any:
                return os.mkdir, (marker,)

        self.write_session()
        marker = str(self.file.parent / "exploded")
        self.file.write_bytes(pickle.dumps(Bomb()))
        self.refused(AuthError, self.worker())
        self.assertFalse(Path(marker).exists())

    def test_a_session_file_that_others_may_read_is_reported_once(self) -> None:
        self.write_session()
        self.file.chmod(0o644)
        self.fake.login.sessions.add("secret")
        worker = self.worker()
        with self.assertLogs("millrace_worker", "WARNING") as logged:
            worker.fetch(command("nasa"))
            worker.fetch(command("nasa"))
        self.assertEqual(len(logged.records), 1)

    def test_without_a_path_the_session_is_kept_in_the_users_state_folder(self) -> None:
        changes = {"MILLRACE_INSTAGRAM_SESSION_FILE": "", "XDG_STATE_HOME": str(self.file.parent)}
        self.worker(**changes).fetch(command("nasa"))
        self.assertTrue((self.file.parent / "millrace" / "instagram-me.session").exists())


class Passwords(LoginTest):
    def test_the_first_command_logs_in_and_later_ones_use_the_session(self) -> None:
        worker = self.worker()
        for _ in range(3):
            self.assertEqual(len(worker.fetch(command("nasa")).posts), 3)
        self.assertEqual(self.requested_paths(), [FIRST_PAGE, LOGIN, LOOKUP, LOOKUP, LOOKUP])

    def test_a_restarted_worker_uses_the_session_of_before(self) -> None:
        self.worker().fetch(command("nasa"))
        self.worker().fetch(command("nasa"))
        self.assertEqual(self.logins(), 1)

    def test_only_the_user_of_the_worker_may_read_the_session(self) -> None:
        self.worker().fetch(command("nasa"))
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.file.parent.stat().st_mode), 0o700)
        self.assertEqual(sorted(path.name for path in self.file.parent.iterdir()), ["session", "session.lock"])

    def test_instaloader_can_use_the_session(self) -> None:
        self.worker().fetch(command("nasa"))
        context = InstaloaderContext(quiet=True)
        with self.file.open("rb") as file:
            context.load_session_from_file("me", file)
        self.assertIn(context._session.cookies["sessionid"], self.fake.login.sessions)

    def test_workers_that_start_together_log_in_once(self) -> None:
        pages: List[Page] = []
        self.fake.delay(0.3, times=2)
        workers = [self.worker() for _ in range(4)]
        threads = [threading.Thread(target=lambda one=one: pages.append(one.fetch(command("nasa")))) for one in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(pages), self.logins()), (4, 1))

    def test_a_folder_that_cannot_be_written_prevents_the_login(self) -> None:
        worker = self.worker(MILLRACE_INSTAGRAM_SESSION_FILE="/proc/session")
        self.assertIn("could not write", self.refused(AuthError, worker).message)
        self.assertEqual(self.fake.requests, [])

    def test_a_file_that_cannot_be_replaced_is_overwritten(self) -> None:
        with mock.patch("os.replace", side_effect=OSError(16, "Device or resource busy")):
            self.worker().fetch(command("nasa"))
        self.worker().fetch(command("nasa"))
        self.assertEqual(self.logins(), 1)
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)


class Refusals(LoginTest):
    def test_a_wrong_password_is_sent_once(self) -> None:
        worker = self.worker(MILLRACE_INSTAGRAM_PASSWORD="wrong")
        for _ in range(3):
            self.assertIn("the password is wrong", self.refused(AuthError, worker).message)
        self.assertEqual(self.requested_paths(), [FIRST_PAGE, LOGIN])

    def test_an_unknown_user_is_named(self) -> None:
        worker = self.worker(MILLRACE_INSTAGRAM_USERNAME="nobody")
        self.assertIn("nobody: there is no such account", self.refused(AuthError, worker).message)

    def test_a_challenge_says_what_a_person_must_do(self) -> None:
        self.fake.login.add_user("me", PASSWORD, challenge=True)
        worker = self.worker()
        for _ in range(3):
            self.assertIn("in a browser", self.refused(AuthError, worker).message)
        self.assertEqual(self.logins(), 1)

    def test_a_second_factor_names_the_command_that_asks_for_the_code(self) -> None:
        self.fake.login.add_user("me", PASSWORD, code="123456")
        worker = self.worker()
        for _ in range(3):
            self.assertIn("millrace-worker instagram --login", self.refused(AuthError, worker).message)
        self.assertEqual(self.logins(), 1)
        self.assertNotIn(SECOND_FACTOR, self.requested_paths())

    def test_a_rate_limit_is_one_and_ends_the_logins_for_its_time(self) -> None:
        worker = self.worker()
        self.fake.fail(429, "", headers={"retry-after": "900"}, path=LOGIN)
        for _ in range(3):
            self.assertEqual(self.refused(RateLimited, worker).details, {"retryAfterSeconds": 900.0})
        self.assertEqual(self.logins(), 1)

    def test_other_refusals_are_auth_errors(self) -> None:
        for status, body in ((400, {"message": "no", "status": "fail"}), (403, ""), (200, "<html>"), (302, "")):
            self.fake.fail(status, body, path=LOGIN)
            self.refused(AuthError, self.worker())

    def test_a_site_that_fails_is_a_network_error(self) -> None:
        self.fake.fail(503, path=FIRST_PAGE)
        self.refused(NetworkError, self.worker())

    def test_an_accepted_login_without_a_session_is_an_error(self) -> None:
        self.fake.login.add_user("me", PASSWORD, gives_no_session=True)
        self.refused(UnknownError, self.worker())

    def test_a_page_without_a_token_is_an_error(self) -> None:
        self.fake.fail(200, "<html></html>", path=FIRST_PAGE)
        self.refused(UnknownError, self.worker())


class EndedSessions(LoginTest):
    def setUp(self) -> None:
        super().setUp()
        self.instagram = self.worker()
        self.fetch()
        self.fake.login.sessions.clear()

    def test_a_session_that_ended_is_renewed_within_the_command(self) -> None:
        self.make_session_older()
        self.fake.forget()
        self.assertEqual(len(self.fetch().posts), 3)
        self.assertEqual(self.requested_paths(), [LOOKUP, FIRST_PAGE, LOGIN, LOOKUP])

    def test_a_session_that_another_worker_renewed_is_used(self) -> None:
        self.make_session_older()
        other = self.worker()
        ended = Sessions(self.environment()).current(command("nasa"))
        assert ended is not None
        other.fetch(command("nasa"))
        renewed = Sessions(self.environment()).renew(ended, command("nasa"))
        self.assertIn(renewed.cookies["sessionid"], self.fake.login.sessions)
        self.assertEqual(self.logins(), 2)

    def test_sessions_that_end_at_once_are_not_renewed_again_and_again(self) -> None:
        self.fake.forget()
        for _ in range(3):
            self.assertIn("once an hour", self.refused(AuthError, self.instagram).message)
        self.assertEqual(self.logins(), 0)

    def test_without_a_password_the_error_names_the_file(self) -> None:
        message = self.refused(AuthError, self.worker(MILLRACE_INSTAGRAM_PASSWORD="")).message
        self.assertIn(f"no longer accepts the session of me in {self.file}", message)

    def test_a_redirect_to_the_login_is_an_end_too(self) -> None:
        self.make_session_older()
        self.fake.fail(302, "", headers={"location": "https://www.instagram.com/accounts/login/"}, path=LOOKUP)
        self.assertEqual(len(self.fetch().posts), 3)

    def test_a_challenge_is_not_an_end(self) -> None:
        self.make_session_older()
        self.fake.forget()
        for message in ("challenge_required", "checkpoint_required", "feedback_required"):
            self.fake.fail(400, {"message": message, "status": "fail"}, path=LOOKUP)
            self.refused(AuthError, self.instagram)
        self.assertEqual(self.logins(), 0)


class Waits(LoginTest):
    def test_a_login_that_failed_is_tried_again_after_a_while_unless_the_credentials_are_wrong(self) -> None:
        cases = [
            (503, "", NetworkError, 300.0),
            (429, "", RateLimited, 666.0),
            (403, "", LoginRefused, 6 * 3600.0),
            (200, {"authenticated": False, "user": True, "status": "ok"}, LoginRefused, None),
        ]
        for status, body, kind, seconds in cases:
            now = [1_000_000.0]
            sessions = Sessions(self.environment(), clock=lambda: now[0])
            self.fake.fail(status, body, path=LOGIN)
            for _ in range(2):
                with self.assertRaises(kind):
                    sessions.current(command("nasa"))
                now[0] += (seconds or 10**9) - 1
            if seconds is None:
                with self.assertRaises(kind):
                    sessions.current(command("nasa"))
                continue
            now[0] += 1
            self.assertIsNotNone(sessions.current(command("nasa")))
            self.file.unlink()

    def test_a_worker_waits_for_the_login_of_another_until_its_deadline(self) -> None:
        with Sessions(self.environment())._session_file("me").locked():
            with self.assertRaisesRegex(FetchError, "another worker"):
                self.worker().fetch(command("nasa", deadline=in_seconds(0.3)))
        self.assertEqual(self.fake.requests, [])


class Secrets(LoginTest):
    def test_neither_logs_nor_errors_have_credentials(self) -> None:
        lines = LogLines()
        root = logging.getLogger()
        level = root.level
        root.setLevel(logging.DEBUG)
        root.addHandler(lines)
        self.addCleanup(root.setLevel, level)
        self.addCleanup(root.removeHandler, lines)
        texts: List[str] = []
        for options in ({}, {"challenge": True}, {"code": "1"}, {"gives_no_session": True}):
            self.fake.login.add_user("me", PASSWORD, **options)
            self.file.unlink(missing_ok=True)
            worker = self.worker()
            try:
                worker.fetch(command("nasa"))
            except FetchError as error:
                texts.append(f"{error!r} {error.message} {error.details}")
        self.fake.fail(500, PASSWORD, path=LOGIN)
        texts.append(repr(self.refused(FetchError, self.worker())))
        credentials = Credentials("me", PASSWORD)
        texts += [repr(credentials), repr(Login(None, credentials)), repr(Sessions(self.environment()).__dict__["_file"])]
        texts += [logging.Formatter().format(record) + str(record.__dict__) for record in lines.records]
        self.assertGreater(len(lines.records), 10)
        for secret in (PASSWORD, "horse", "PWD_INSTAGRAM", *self.fake.login.sessions):
            self.assertEqual([text for text in texts if secret in text], [])


class Protocol(LoginTest):
    def test_the_login_of_the_installed_instaloader_works_with_this_server(self) -> None:
        """Shows that the server speaks the protocol that instaloader knows."""
        url = self.fake.url

        class Session(requests.Session):
            def __init__(self) -> None:
                super().__init__()
                self.mount("https://", Transport(url, lambda _: None))

        context = InstaloaderContext(quiet=True, sleep=False, max_connection_attempts=1)
        with mock.patch("requests.Session", Session):
            context.login("me", PASSWORD)
        cookies = requests.utils.dict_from_cookiejar(context._session.cookies)
        self.assertIn(cookies["sessionid"], self.fake.login.sessions)
