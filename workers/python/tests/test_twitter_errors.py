"""Errors of the twitter fetcher when Twitter returns no data."""

from __future__ import annotations

import socket
import time
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
from millrace_worker.fetchers import timeouts, twitter_api
from millrace_worker.fetchers.twitter import Twitter

from .fake_twitter import PROBLEMS
from .fake_upstream import FakeUpstream
from .paging import command, in_seconds
from .twitter_case import TwitterTest


class Refusals(TwitterTest):
    def refused(self, kind: Type[FetchError], **options: Any) -> FetchError:
        with self.assertRaises(kind) as caught:
            self.fetch(**options)
        return caught.exception

    def test_a_missing_account_is_not_found(self) -> None:
        self.assertIn("[nobody]", self.refused(NotFound, external_id="nobody").message)

    def test_a_404_is_not_found(self) -> None:
        self.fake.fail(404, {"title": "Not Found", "detail": "Not Found"})
        self.refused(NotFound)

    def test_a_suspended_account_is_not_found_and_says_why(self) -> None:
        self.fake.add_account("nasa", state="suspended")
        self.assertIn("suspended", self.refused(NotFound).message)

    def test_a_suspended_developer_is_an_auth_error(self) -> None:
        reason = "The user used for authentication is suspended"
        self.fake.fail(403, {"title": "Forbidden", "detail": reason, "type": f"{PROBLEMS}/user-suspended"})
        self.assertIn(reason, self.refused(AuthError).message)

    def test_a_protected_account_is_private(self) -> None:
        self.fake.add_account("nasa", posts=3, state="protected")
        self.assertIn("not authorized", self.refused(PrivateProfile).message)

    def test_an_account_that_the_lookup_shows_as_protected_costs_one_request(self) -> None:
        self.fake.add_account("nasa", posts=3, state="protected", says_protected=True)
        self.refused(PrivateProfile)
        self.assertEqual(len(self.fake.requests), 1)

    def test_errors_beside_data_are_about_what_the_posts_mention(self) -> None:
        self.fake.add_account("nasa", posts=1)
        self.fetch()
        post = {"id": "1", "text": "x", "created_at": "2026-01-31T12:00:00.000Z"}
        problem = {"title": "Not Found Error", "resource_type": "tweet", "type": f"{PROBLEMS}/resource-not-found"}
        self.fake.fail(200, {"data": [post], "errors": [problem], "meta": {}})
        self.assertEqual(len(self.fetch().posts), 1)

    def test_an_error_that_is_not_known_is_repeated(self) -> None:
        self.fake.fail(200, {"errors": [{"title": "Odd", "detail": "it is tuesday"}]})
        self.assertIn("it is tuesday", self.refused(UnknownError).message)

    def test_a_429_is_a_rate_limit_until_the_time_of_its_reset(self) -> None:
        reset = int(time.time()) + 600
        self.fake.fail(429, {"title": "Too Many Requests"}, headers={"x-rate-limit-reset": str(reset)})
        waiting = self.refused(RateLimited).details["retryAfterSeconds"]
        self.assertTrue(0 < waiting <= 600, waiting)
        self.assertGreater(time.time() + waiting, reset - 60)

    def test_a_429_whose_reset_is_past_missing_or_absurd_still_says_how_long(self) -> None:
        for reset, seconds in (("5", 1.0), ("", 900), ("soon", 900), ("9" * 15, 86400)):
            self.fake.fail(429, "", headers={"x-rate-limit-reset": reset})
            self.assertEqual(self.refused(RateLimited).details, {"retryAfterSeconds": seconds})

    def test_a_used_up_plan_waits_longer_than_the_reset_of_a_window(self) -> None:
        capped = {"title": "UsageCapExceeded", "period": "Monthly", "type": f"{PROBLEMS}/usage-capped"}
        self.fake.fail(429, capped, headers={"x-rate-limit-reset": str(int(time.time()) + 60)})
        self.assertEqual(self.refused(RateLimited).details, {"retryAfterSeconds": 21600})

    def test_a_missing_token_is_an_auth_error_that_names_the_variable(self) -> None:
        self.twitter = Twitter(self.environ(MILLRACE_TWITTER_BEARER_TOKEN=""))
        self.assertIn("MILLRACE_TWITTER_BEARER_TOKEN", self.refused(AuthError).message)
        self.assertEqual(self.fake.requests, [])

    def test_a_wrong_token_is_an_auth_error(self) -> None:
        self.twitter = Twitter(self.environ(MILLRACE_TWITTER_BEARER_TOKEN="wrong"))
        error = self.refused(AuthError)
        self.assertIn("MILLRACE_TWITTER_BEARER_TOKEN", error.message)
        self.assertNotIn("wrong", error.message)

    def test_a_plan_that_does_not_allow_it_is_an_auth_error(self) -> None:
        for status in (402, 403):
            self.fake.fail(status, {"title": "Client Forbidden", "reason": "client-not-enrolled"})
            self.refused(AuthError)

    def test_a_failing_site_is_a_network_error(self) -> None:
        for status in (500, 503):
            self.fake.fail(status, "over capacity")
            self.refused(NetworkError)

    def test_a_host_that_is_not_there_is_a_network_error(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.twitter = Twitter(self.environ(MILLRACE_TWITTER_URL=f"http://127.0.0.1:{taken.getsockname()[1]}"))
            self.refused(NetworkError)

    def test_a_cursor_that_is_not_taken_is_an_invalid_command_in_twitters_words(self) -> None:
        self.fake.add_account("nasa", posts=3)
        self.assertIn("pagination_token", self.refused(InvalidCommand, cursor="elsewhere").message)

    def test_what_cannot_be_a_cursor_or_a_name_is_not_asked_for(self) -> None:
        for cursor in ("", "a b", "token~", "token~x", "~1", "a&b=c"):
            self.assertIn("params.cursor", self.refused(InvalidCommand, cursor=cursor).message)
        for name in ("", "a b", "../tweets", "sixteen_letters_", "nasa\n", "https://x.com/nasa"):
            self.assertIn("externalId", self.refused(InvalidCommand, external_id=name).message)
        self.assertEqual(self.fake.requests, [])

    def test_an_answer_that_is_no_json_is_named(self) -> None:
        for body in ('{"data": {', "<html>", "", "[]"):
            self.fake.fail(200, body)
            self.assertIn("JSON", self.refused(UnknownError).message)

    def test_an_answer_without_an_account_is_named(self) -> None:
        for data in ([], {"id": "../me"}, {}, "x"):
            self.fake.fail(200, {"data": data})
            self.assertIn("no account", self.refused(UnknownError).message)

    def test_an_answer_without_end_is_left_unread(self) -> None:
        self.fake.fail(200, "x" * 2000)
        with mock.patch.object(twitter_api, "_MAX_BYTES", 1000):
            self.assertIn("more than 1000 bytes", self.refused(UnknownError).message)

    def test_the_token_is_not_taken_to_where_a_redirect_leads(self) -> None:
        class Elsewhere(FakeUpstream):
            pass

        elsewhere = Elsewhere().start()
        self.addCleanup(elsewhere.stop)
        self.fake.fail(302, "", headers={"location": f"{elsewhere.url}/2/users"})
        self.refused(UnknownError)
        self.assertEqual(elsewhere.requests, [])

    def test_an_address_that_is_none_names_the_variable(self) -> None:
        with self.assertRaisesRegex(UnknownError, "MILLRACE_TWITTER_URL"):
            Twitter(self.environ(MILLRACE_TWITTER_URL="file:///etc")).fetch(command("nasa"))

    def test_nothing_is_tried_twice(self) -> None:
        for status in (400, 401, 404, 429, 500, 503):
            self.fake.forget()
            self.fake.fail(status, times=None)
            self.refused(FetchError)
            self.assertEqual(len(self.fake.requests), 1, status)


class Deadlines(TwitterTest):
    def setUp(self) -> None:
        super().setUp()
        self.fake.add_account("nasa", posts=3)

    def test_a_slow_answer_is_a_timeout_at_the_deadline(self) -> None:
        self.fake.delay(5)
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(0.3))

    def test_an_answer_byte_by_byte_is_a_timeout_at_the_deadline(self) -> None:
        self.fake.drip(0.05)
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
