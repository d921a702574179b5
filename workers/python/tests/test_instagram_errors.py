"""Errors of the instagram fetcher when Instagram returns no data."""

from __future__ import annotations

import io
import socket
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Type
from unittest import mock

from millrace_worker import (
    AuthError,
    FetchError,
    InvalidCommand,
    NetworkError,
    NotFound,
    PrivateProfile,
    RateLimited,
    TimedOut,
    UnknownError,
)
from millrace_worker.fetchers import timeouts
from millrace_worker.fetchers.instagram import Instagram
from millrace_worker.fetchers.instagram_context import Context

from .instagram_case import TIMELINE, InstagramTest
from .paging import command, in_seconds


class Refusals(InstagramTest):
    def refused(self, kind: Type[FetchError], **options: Any) -> FetchError:
        with self.assertRaises(kind) as caught:
            self.fetch(**options)
        return caught.exception

    def test_a_missing_account_is_not_found(self) -> None:
        error = self.refused(NotFound, external_id="nobody")
        self.assertIn("nobody", error.message)

    def test_an_account_that_is_null_is_not_found(self) -> None:
        self.fake.fail(200, {"data": {"user": None}, "status": "ok"})
        self.refused(NotFound)

    def test_a_private_account_that_is_not_followed_is_private(self) -> None:
        self.fake.add_account("nasa", posts=3, private=True)
        self.refused(PrivateProfile)

    def test_being_sent_to_the_login_is_an_auth_error(self) -> None:
        self.fake.add_account("nasa", posts=3, wants_login=True)
        error = self.refused(AuthError)
        self.assertIn("MILLRACE_INSTAGRAM_PASSWORD", error.message)

    def test_a_login_page_in_place_of_data_is_an_auth_error(self) -> None:
        page = '<html><a href="https://www.instagram.com/accounts/login/">Log in</a></html>'
        self.fake.fail(200, page, headers={"content-type": "text/html"})
        self.refused(AuthError)

    def test_answers_that_want_a_person_are_auth_errors(self) -> None:
        for status, message in ((401, "login_required"), (403, "no"), (400, "checkpoint_required")):
            self.fake.fail(status, {"message": message, "status": "fail"})
            self.refused(AuthError)

    def test_a_429_is_a_rate_limit_with_the_time_that_it_names(self) -> None:
        for header, seconds in (("120", 120.0), ("9" * 15, 86400.0)):
            self.fake.fail(429, "", headers={"retry-after": header})
            self.assertEqual(self.refused(RateLimited).details, {"retryAfterSeconds": seconds})

    def test_a_429_without_time_waits_for_the_length_of_a_window(self) -> None:
        self.fake.fail(429, {"message": "slow down", "status": "fail"})
        self.assertEqual(self.refused(RateLimited).details, {"retryAfterSeconds": 666.0})

    def test_please_wait_is_a_rate_limit_whatever_the_status(self) -> None:
        for status in (200, 400, 401, 403):
            words = "Please wait a few minutes before you try again."
            self.fake.fail(status, {"message": words, "require_login": True, "status": "fail"})
            self.refused(RateLimited)

    def test_a_failing_site_is_a_network_error(self) -> None:
        for status in (500, 502, 503):
            self.fake.fail(status, "<html>Oh no</html>")
            self.refused(NetworkError)

    def test_a_cursor_that_is_not_taken_is_an_invalid_command(self) -> None:
        self.fake.add_account("nasa", posts=3)
        self.refused(InvalidCommand, cursor="from-elsewhere")

    def test_a_name_that_cannot_be_one_is_not_asked_for(self) -> None:
        for name in ("", "a b", "../etc", "nasa?x=1", "https://www.instagram.com/nasa/", "ä", "nasa\n"):
            self.refused(InvalidCommand, external_id=name)
        self.assertEqual(self.fake.requests, [])

    def test_an_answer_that_is_not_json_is_named(self) -> None:
        for body in ("{", "[]", "<html>Welcome</html>", ""):
            self.fake.fail(200, body)
            self.assertIn("not JSON", self.refused(UnknownError).message)

    def test_an_answer_of_another_shape_is_named(self) -> None:
        for user in ([], {"id": ""}, {"id": "1", "edge_owner_to_timeline_media": {"edges": 1}}, {"id": "1"}):
            self.fake.fail(200, {"data": {"user": user}})
            self.assertIn("Instagram's answer", self.refused(UnknownError).message)

    def test_an_error_that_instagram_only_names_is_repeated(self) -> None:
        self.fake.fail(200, {"status": "fail", "message": "it is tuesday"})
        self.assertIn("it is tuesday", self.refused(UnknownError).message)

    def test_a_query_that_instagram_no_longer_knows_does_not_mean_that_the_account_is_gone(self) -> None:
        self.fake.add_account("nasa", posts=30)
        cursor = self.fetch(limit=12).next_cursor
        self.fake.fail(404, path=TIMELINE)
        self.refused(UnknownError, cursor=cursor)

    def test_a_host_that_is_not_there_is_a_network_error(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            with self.assertRaises(NetworkError):
                Instagram({"MILLRACE_INSTAGRAM_URL": url}).fetch(command("nasa"))

    def test_an_address_that_is_none_names_the_variable(self) -> None:
        with self.assertRaisesRegex(UnknownError, "MILLRACE_INSTAGRAM_URL"):
            Instagram({"MILLRACE_INSTAGRAM_URL": "localhost:80"}).fetch(command("nasa"))

    def test_nothing_is_printed(self) -> None:
        self.fake.add_account("nasa", posts=30)
        self.fake.fail(429)
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            self.refused(RateLimited)
            # instaloader prints a warning about answers without a status.
            self.fake.fail(200, {"data": {"user": {"edge_owner_to_timeline_media": {"edges": []}}}}, path=TIMELINE)
            self.fetch(limit=50)
        self.assertEqual((out.getvalue(), err.getvalue()), ("", ""))

    def test_instaloader_raises_where_it_would_sleep(self) -> None:
        with self.assertRaises(RateLimited) as caught:
            Context(None)._rate_controller.sleep(40.0)
        self.assertEqual(caught.exception.details, {"retryAfterSeconds": 40.0})


class Deadlines(InstagramTest):
    def setUp(self) -> None:
        super().setUp()
        self.fake.add_account("nasa", posts=3)

    def test_a_slow_answer_is_a_timeout_at_the_deadline(self) -> None:
        self.fake.delay(5)
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(0.3))

    def test_an_answer_byte_by_byte_is_a_timeout_at_the_deadline(self) -> None:
        self.fake.drip(0.01)
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(0.5))

    def test_no_request_takes_longer_than_the_cap_however_late_the_deadline(self) -> None:
        for deadline in (None, in_seconds(300)):
            self.fake.delay(5)
            with mock.patch.object(timeouts, "MAX_SECONDS", 0.3), self.assertRaises(TimedOut):
                self.fetch(deadline=deadline)

    def test_nothing_is_asked_after_the_deadline(self) -> None:
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(-1))
        self.assertEqual(self.fake.requests, [])
