from __future__ import annotations

import json
import socket
import time
import unittest
import urllib.error
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Type

from millrace_worker import (
    AuthError,
    Author,
    Command,
    FetchError,
    InvalidCommand,
    Lead,
    LeadPage,
    NetworkError,
    NotFound,
    Page,
    Post,
    PrivateProfile,
    RateLimited,
    TimedOut,
    UnknownError,
)
from millrace_worker.answer import MAX_ANSWER_BYTES, answer
from millrace_worker.contract import check
from millrace_worker.registry import Fetcher, Scraper

from .rabbitmq_case import command

PUBLISHED = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)


def post(**changes: Any) -> Post:
    return Post(**{"external_id": "p1", "content": "", "published_at": PUBLISHED, "author": Author("a", "A"), **changes})


def result_of(fetch: Callable[[Command], Any], message: Any = None) -> Dict[str, Any]:
    """Returns the answer, which conforms to the contract whatever the function does."""
    body = message if isinstance(message, bytes) else json.dumps(message or command("instagram")).encode()
    answered = answer(Fetcher("instagram", fetch), body, "correlation-1")
    assert answered.body is not None
    result: Dict[str, Any] = json.loads(answered.body)
    check("fetch-result", result)
    return result


def raising(error: BaseException) -> Callable[[Command], Page]:
    def fetch(_: Command) -> Page:
        raise error

    return fetch


class GoodCommandTest(unittest.TestCase):
    def test_a_page_is_written_as_the_contract_defines(self) -> None:
        made = post(
            title="t", url="https://example.org/p1", media_urls=("https://example.org/1.jpg",), likes=0, comments=2,
            author=Author("a", "A", "https://example.org/a.png"), content_format="html",
        )  # fmt: skip
        result = result_of(lambda _: Page([made], "next", True, total_available=40, skipped=1))
        self.assertEqual(
            result["data"],
            {
                "posts": [
                    {
                        "externalId": "p1",
                        "content": "",
                        "contentFormat": "html",
                        "title": "t",
                        "url": "https://example.org/p1",
                        "mediaUrls": ["https://example.org/1.jpg"],
                        "publishedAt": "2026-01-31T12:00:00.000Z",
                        "author": {"username": "a", "displayName": "A", "avatarUrl": "https://example.org/a.png"},
                        "metrics": {"likes": 0, "comments": 2},
                    }
                ],
                "nextCursor": "next",
                "hasMore": True,
                "metadata": {"totalAvailable": 40, "fetchedCount": 1, "skippedCount": 1},
            },
        )

    def test_half_a_surrogate_pair_does_not_spoil_the_answer(self) -> None:
        result = result_of(lambda _: Page([post(content="broken \ud83d emoji")]))
        self.assertEqual(result["data"]["posts"][0]["content"], "broken ? emoji")

    def test_null_is_the_same_as_nothing_in_a_command(self) -> None:
        asked = command("instagram", schemaVersion=None, timeout=None, metadata=None, params={"cursor": None, "limit": None})
        seen = []
        result_of(lambda given: seen.append(given) or Page([]), asked)
        self.assertEqual((seen[0].cursor, seen[0].limit, seen[0].deadline, seen[0].metadata), (None, None, None, {}))

    def test_unknown_fields_are_no_trouble(self) -> None:
        self.assertEqual(result_of(lambda _: Page([]), command("instagram", brandNew=1))["status"], "success")

    def test_a_command_past_its_time_is_not_answered(self) -> None:
        old = json.dumps(command("instagram", timestamp="2020-01-01T00:00:00Z", timeout=1_000)).encode()
        called = []
        answered = answer(Fetcher("instagram", lambda given: called.append(given) or Page([])), old)  # type: ignore[func-returns-value]
        self.assertEqual((answered.outcome, answered.body, called), ("expired", None, []))

    def test_what_comes_too_late_is_not_answered(self) -> None:
        for function in (lambda _: time.sleep(0.5) or Page([]), lambda _: time.sleep(0.5) or 1 / 0):
            asked = json.dumps(command("instagram", timeout=400)).encode()
            answered = answer(Fetcher("instagram", function), asked)  # type: ignore[arg-type]
            self.assertEqual((answered.outcome, answered.body), ("late", None))

    def test_a_command_without_timeout_never_expires(self) -> None:
        asked = command("instagram", timestamp="2020-01-01T00:00:00Z", timeout=None)
        self.assertEqual(result_of(lambda _: Page([]), asked)["status"], "success")

    def test_a_timeout_beyond_all_calendars_never_expires(self) -> None:
        asked = command("instagram", timeout=9_007_199_254_740_991)
        self.assertEqual(result_of(lambda _: Page([]), asked)["status"], "success")


class BadCommandTest(unittest.TestCase):
    def assert_refused(self, message: Any, *texts: str) -> Dict[str, Any]:
        result = result_of(lambda _: self.fail("the function was called"), message)
        self.assertEqual(result["error"]["code"], "INVALID_COMMAND")
        for text in texts:
            self.assertIn(text, result["error"]["message"])
        return result

    def test_no_json(self) -> None:
        for body in (b"", b"{", b"\xff\xfe", b'{"jobId": NaN}', b"[" * 100_000, b"1" * 10_000):
            with self.subTest(body=body[:10]):
                result = self.assert_refused(body, "message")
                self.assertEqual((result["jobId"], result["sourceId"]), ("correlation-1", "unknown"))

    def test_no_object(self) -> None:
        for body in (b"[]", b"null", b"7", b'"text"'):
            self.assert_refused(body, "message: ")

    def test_every_wrong_field_is_named(self) -> None:
        self.assert_refused(
            command("instagram", params={"limit": 0, "since": "yesterday"}, timeout="soon"),
            *("params.limit: 0 is below 1", 'params.since: "yesterday" is not a time', 'timeout: "soon" is not of type integer'),
        )

    def test_a_missing_field_is_named(self) -> None:
        asked = command("instagram")
        del asked["externalId"]
        self.assert_refused(asked, "externalId: is missing")

    def test_another_version_is_refused(self) -> None:
        self.assert_refused(command("instagram", schemaVersion=2), "schemaVersion: version 2 is not supported")

    def test_a_command_of_another_type_is_refused(self) -> None:
        self.assert_refused(command("twitter"), "sourceType: twitter", "fetch.instagram")

    def test_a_time_that_no_calendar_has_is_refused(self) -> None:
        for time in ("0000-01-01T00:00:00Z", "2026-01-31T12:00:00Z\n", "9999-12-31T23:59:59-01:00"):
            with self.subTest(time=time):
                self.assert_refused(command("instagram", timestamp=time))

    def test_the_ids_are_taken_from_a_broken_command_where_they_can_be_read(self) -> None:
        result = self.assert_refused({"jobId": "j", "sourceId": "s"})
        self.assertEqual((result["jobId"], result["sourceId"]), ("j", "s"))
        result = self.assert_refused({"jobId": 7, "sourceId": "s" * 501})
        self.assertEqual((result["jobId"], result["sourceId"]), ("correlation-1", "unknown"))


class RaisedTest(unittest.TestCase):
    def test_each_error_of_the_kit_has_its_code(self) -> None:
        codes: Dict[Type[FetchError], str] = {
            NotFound: "NOT_FOUND",
            PrivateProfile: "PRIVATE_PROFILE",
            AuthError: "AUTH_ERROR",
            RateLimited: "RATE_LIMITED",
            NetworkError: "NETWORK_ERROR",
            TimedOut: "TIMEOUT_ERROR",
            InvalidCommand: "INVALID_COMMAND",
            UnknownError: "UNKNOWN_ERROR",
        }
        for kind, code in codes.items():
            with self.subTest(code=code):
                self.assertEqual(result_of(raising(kind("why")))["error"], {"code": code, "message": "why"})

    def test_what_the_function_says_about_a_retry_and_the_details_is_told(self) -> None:
        error = result_of(raising(NotFound("why", retryable=True, details={"status": 404})))["error"]
        self.assertEqual((error["retryable"], error["details"]), (True, {"status": 404}))

    def test_the_time_to_wait_is_within_the_limits_of_the_contract(self) -> None:
        for given, expected in ((90, 90), (1.5, 1.5), (-3, 0), (10**12, 31_536_000)):
            error = result_of(raising(RateLimited("slowly", retry_after_seconds=given)))["error"]
            self.assertEqual(error["details"], {"retryAfterSeconds": expected})

    def test_details_that_json_cannot_carry_do_not_hide_the_error(self) -> None:
        for details in ({"at": PUBLISHED}, {"n": float("nan")}, {("a",): 1}):
            self.assertEqual(result_of(raising(NotFound("why", details=details)))["error"]["code"], "NOT_FOUND")

    def test_timeouts_of_any_library(self) -> None:
        class ReadTimeout(Exception):
            """As in requests and httpx."""

        for error in (TimeoutError("x"), socket.timeout("x"), urllib.error.URLError(socket.timeout("x")), ReadTimeout("x")):
            with self.subTest(error=error):
                self.assertEqual(result_of(raising(error))["error"]["code"], "TIMEOUT_ERROR")

    def test_trouble_with_the_network(self) -> None:
        for error in (ConnectionResetError("x"), socket.gaierror("x"), urllib.error.URLError("refused"), OSError("x")):
            with self.subTest(error=error):
                self.assertEqual(result_of(raising(error))["error"]["code"], "NETWORK_ERROR")

    def test_anything_else_is_unknown_and_named_by_class_and_text(self) -> None:
        for error in (KeyError("user"), FileNotFoundError("session"), SystemExit("user"), KeyboardInterrupt(), RecursionError()):
            with self.subTest(error=error):
                described = result_of(raising(error))["error"]
                self.assertEqual((described["code"], described["message"]), ("UNKNOWN_ERROR", f"{type(error).__name__}: {error}"))

    def test_an_error_that_cannot_say_what_it_is(self) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                raise RuntimeError

        self.assertIn("Mute", result_of(raising(Mute()))["error"]["message"])

    def test_a_custom_error_needs_only_a_code(self) -> None:
        class Suspended(FetchError):
            code = "NOT_FOUND"

            def __init__(self) -> None:
                pass

        self.assertEqual(result_of(raising(Suspended()))["error"], {"code": "NOT_FOUND", "message": ""})

    def test_a_code_that_does_not_exist_is_named(self) -> None:
        class Suspended(FetchError):
            code = "SUSPENDED"

        error = result_of(raising(Suspended("why")))["error"]
        self.assertEqual(error["code"], "UNKNOWN_ERROR")
        self.assertIn('error.code: "SUSPENDED" is not one of', error["message"])

    def test_a_long_message_is_cut(self) -> None:
        self.assertLess(len(result_of(raising(NotFound("x" * 50_000)))["error"]["message"]), 3_000)

    def test_the_traceback_is_kept_for_the_log_and_not_sent(self) -> None:
        answered = answer(Fetcher("instagram", raising(KeyError("user"))), json.dumps(command("instagram")).encode())
        assert answered.error is not None and answered.body is not None
        self.assertIsNotNone(answered.error.__traceback__)
        self.assertNotIn(b"Traceback", answered.body)


class BrokenPageTest(unittest.TestCase):
    def assert_broken(self, page: Any, text: str) -> None:
        error = result_of(lambda _: page)["error"]
        self.assertEqual((error["code"], error["retryable"]), ("UNKNOWN_ERROR", False))
        self.assertIn(text, error["message"])

    def test_the_broken_field_is_named(self) -> None:
        self.assert_broken(Page([post(), post(external_id="")]), "data.posts.1.externalId: has 0, the minimum is 1")
        self.assert_broken(Page([post(external_id=None)]), "data.posts.0.externalId: is missing")
        self.assert_broken(Page([post(content_format="markdown")]), "data.posts.0.contentFormat")
        self.assert_broken(Page([post(likes=-1)]), "data.posts.0.metrics.likes: -1 is below 0")
        self.assert_broken(Page([], next_cursor=""), "data.nextCursor")

    def test_a_time_without_zone_is_refused(self) -> None:
        self.assert_broken(Page([post(published_at=datetime(2026, 1, 31))]), "data.posts.0.publishedAt")

    def test_something_else_than_a_page_is_refused(self) -> None:
        self.assert_broken(None, "NoneType")
        self.assert_broken([post()], "list")

    def test_too_many_posts_are_refused(self) -> None:
        self.assert_broken(Page([post()] * 1_001), "data.posts: has 1001, the maximum is 1000")

    def test_an_answer_that_is_too_large_is_refused(self) -> None:
        self.assert_broken(Page([post(content="x" * MAX_ANSWER_BYTES)]), "the maximum is 10,485,760")

    def test_a_scraper_that_returns_what_json_cannot_represent_gets_an_error_that_says_so(self) -> None:
        asked = command("web")
        del asked["sourceId"], asked["externalId"]
        for raw in (PUBLISHED, float("nan"), {1, 2}):
            scraper = Scraper("web", lambda _, raw=raw: LeadPage([Lead("x", raw=raw)]))  # type: ignore[misc]
            answered = answer(scraper, json.dumps(asked).encode())
            assert answered.body is not None
            result = json.loads(answered.body)
            check("scrape-result", result)
            self.assertIn("cannot be written as JSON", result["error"]["message"])
            self.assertNotIn("sourceId", result)
