"""The instagram fetcher with a browser, for accounts that Instagram refuses to instaloader. The browser is a real Chromium."""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, Type
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
from millrace_worker.contract import check
from millrace_worker.fetchers.instagram import Instagram

from .browser_case import BrowserTest, browser_environment, descendants, needs_browser, wait_until_gone
from .instagram_case import LOOKUP
from .paging import command, ids, in_seconds


class Pages(BrowserTest):
    def test_the_posts_are_those_of_instaloader(self) -> None:
        for page in ("embeds", "loads"):
            self.account = f"same_{page}"
            self.add_account(posts=12, refuses_programs=None, page=page)
            usual = self.fetch()
            self.add_account()
            found = self.fetch()
            self.assertEqual(found.posts, usual.posts)
            self.assertEqual((found.has_more, found.total_available), (False, 12))

    def test_paging_reaches_every_post_once(self) -> None:
        self.add_account(posts=64)
        found = self.walk(limit=30)
        self.assertEqual([len(page.posts) for page in found], [30, 30, 4])
        self.assertEqual(ids(*found), self.ids())

    def test_only_as_much_is_loaded_as_the_command_wants(self) -> None:
        self.add_account(posts=64, page="loads")
        self.assertEqual(ids(self.fetch(limit=1)), self.ids()[:12])
        self.assertEqual(len([request for request in self.fake.requests if "graphql" in request.path]), 0)

    def test_posts_before_since_are_left_out_and_not_scrolled_to(self) -> None:
        self.add_account(posts=64)
        page = self.fetch(since=datetime.now(timezone.utc) - timedelta(hours=5, minutes=30))
        self.assertEqual(ids(page), self.ids()[:5])
        self.assertEqual((page.has_more, page.next_cursor, page.skipped), (False, None, 7))

    def test_a_post_that_was_deleted_between_pages_hides_no_other(self) -> None:
        self.add_account(posts=40)
        first = self.fetch(limit=12)
        rest = self.ids()[12:]
        self.fake.delete_post(self.account, ids(first)[-1])
        self.fake.add_post(self.account)
        self.assertEqual(ids(self.fetch(limit=50, cursor=first.next_cursor)), rest)

    def test_pinned_posts_come_first_and_once(self) -> None:
        self.add_account(posts=1)
        pinned = self.fake.add_post(self.account, pinned=True, taken_at=1_500_000_000)
        for _ in range(29):
            self.fake.add_post(self.account)
        found = ids(*self.walk(limit=12))
        self.assertEqual(found[0], pinned)
        self.assertEqual(sorted(found), sorted(self.ids()))

    def test_an_account_without_posts_is_an_empty_page(self) -> None:
        self.add_account()
        page = self.fetch()
        self.assertEqual((list(page.posts), page.has_more, page.total_available), ([], False, 0))

    def test_posts_that_the_lookup_hides_are_loaded(self) -> None:
        self.add_account(posts=20, lists_nothing=True, page="loads")
        self.assertEqual(ids(self.fetch(limit=12)), self.ids()[:12])

    def test_pages_conform_to_the_contract(self) -> None:
        self.add_account(posts=20)
        for page in self.walk(limit=12):
            result = {"jobId": "1", "sourceId": "1", "timestamp": "2026-01-31T12:00:00Z", "processingTime": 1}
            check("fetch-result", {**result, "status": "success", "data": page.to_json()})


class Refusals(BrowserTest):
    def refused(self, kind: Type[FetchError], **options: Any) -> FetchError:
        with self.assertRaises(kind) as caught:
            self.fetch(**options)
        return caught.exception

    def lookups(self) -> int:
        return [request.path for request in self.fake.requests].count(LOOKUP)

    def test_instaloader_is_asked_first_and_no_browser_used_if_it_is_served(self) -> None:
        self.add_account(posts=3, refuses_programs=None)
        self.fetch()
        self.assertEqual([request.path for request in self.fake.requests], [LOOKUP])

    def test_an_account_that_instaloader_was_refused_is_read_by_the_browser_at_once_for_an_hour(self) -> None:
        for status in (401, 403, 400):
            self.account = f"remembered_{status}"
            self.add_account(posts=3, refuses_programs=status)
            for _ in range(2):
                self.assertEqual(len(self.fetch().posts), 3)
            self.assertEqual(self.lookups(), 1)
            self.fake.forget()

    def test_a_rate_limit_leaves_all_accounts_to_the_browser_for_its_time(self) -> None:
        self.fallback = self.new_fallback()
        self.add_account(posts=3, refuses_programs=429)
        self.fake.add_account("another", posts=2)
        self.fetch()
        self.assertEqual(len(self.fallback.fetch(command("another")).posts), 2)
        self.assertEqual(self.lookups(), 1)

    def test_a_missing_account_is_not_found(self) -> None:
        self.fake.fail(401, {"message": "login_required"}, path=LOOKUP)
        self.refused(NotFound)

    def test_a_private_account_is_private(self) -> None:
        for page in ("embeds", "loads"):
            self.account = f"private_{page}"
            self.add_account(posts=3, private=True, page=page)
            self.refused(PrivateProfile)

    def test_a_login_in_place_of_the_page_is_an_auth_error(self) -> None:
        for page in ("login", "leaves", "challenge"):
            self.account = f"sent_to_{page}"
            self.add_account(posts=3, page=page)
            self.assertIn("The browser was refused, too", self.refused(AuthError).message)

    def test_a_rate_limit_of_the_page_keeps_the_reason_of_instaloader(self) -> None:
        self.add_account(posts=3)
        self.fake.fail(429, "", path=f"/{self.account}")
        self.refused(AuthError)

    def test_a_page_that_fails_is_tried_again_later(self) -> None:
        self.add_account(posts=3)
        self.fake.fail(500, "", path=f"/{self.account}")
        self.refused(NetworkError)

    def test_a_page_without_data_is_an_error_that_says_so(self) -> None:
        self.add_account(posts=3, page="empty")
        with mock.patch("millrace_worker.fetchers.instagram_browser._QUIET_SECONDS", 1.0):
            self.assertIn("no posts in the expected place", self.refused(UnknownError).message)

    def test_a_refusal_of_the_data_that_the_page_loads_is_an_auth_error(self) -> None:
        self.add_account(posts=3, page="loads")
        self.fetch()
        self.fake.fail(401, {"message": "login_required", "status": "fail"}, path=LOOKUP)
        with mock.patch("millrace_worker.fetchers.instagram_browser._QUIET_SECONDS", 1.0):
            self.refused(AuthError)

    def test_a_cursor_of_instaloader_is_refused_so_that_millrace_begins_again(self) -> None:
        self.add_account(posts=40, refuses_programs=None)
        cursor = self.fetch(limit=12).next_cursor
        self.add_account()
        self.assertIn("params.cursor", self.refused(InvalidCommand, cursor=cursor).message)

    def test_a_rate_limit_does_not_invalidate_a_cursor_of_instaloader(self) -> None:
        self.fallback = self.new_fallback()
        self.add_account(posts=40, refuses_programs=None)
        cursor = self.fetch(limit=12).next_cursor
        self.add_account(refuses_programs=429)
        self.refused(RateLimited, cursor=cursor)

    def test_a_host_that_is_not_there_is_a_network_error(self) -> None:
        self.add_account(posts=3)
        self.fetch()
        with mock.patch.object(self.fallback._browser, "_url", "http://127.0.0.1:1"):
            self.refused(NetworkError)


class Sessions(BrowserTest):
    def test_the_browser_uses_the_session_unless_instagram_refused_it(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "session"
        file.write_bytes(pickle.dumps({"sessionid": "secret", "csrftoken": "token"}))
        file.chmod(0o600)
        self.fake.login.sessions.add("secret")
        self.fallback = self.new_fallback(MILLRACE_INSTAGRAM_USERNAME="me", MILLRACE_INSTAGRAM_SESSION_FILE=str(file))
        self.add_account(posts=3, private=True, followed=True, refuses_programs=429)
        with self.assertLogs(level="DEBUG") as logged:
            self.assertEqual(len(self.fetch().posts), 3)
        self.assertEqual([line for line in logged.output if "secret" in line], [])
        self.assertEqual(self.fake.requests[-1].cookies.get("sessionid"), "secret")
        self.add_account(refuses_programs=400)
        self.fallback = self.new_fallback(MILLRACE_INSTAGRAM_USERNAME="me", MILLRACE_INSTAGRAM_SESSION_FILE=str(file))
        with self.assertRaises(PrivateProfile):
            self.fetch()

    def test_a_session_that_must_be_renewed_by_a_person_is_reported(self) -> None:
        self.fallback = self.new_fallback(MILLRACE_INSTAGRAM_USERNAME="me", MILLRACE_INSTAGRAM_SESSION_FILE="/nowhere/file")
        self.add_account(posts=3)
        with self.assertRaisesRegex(AuthError, "millrace-worker instagram --login"):
            self.fetch()


class Deaths(BrowserTest):
    def processes(self) -> Dict[int, str]:
        return descendants(os.getpid())

    def kill(self, name: str) -> None:
        os.kill(next(pid for pid, one in self.processes().items() if one == name), signal.SIGKILL)

    def test_a_browser_that_died_is_started_again(self) -> None:
        self.add_account(posts=3)
        for name in ("chromium", "chromedriver"):
            self.fetch()
            before = self.processes()
            self.kill(name)
            self.assertEqual(len(self.fetch().posts), 3)
            self.assertEqual(wait_until_gone(before), {}, name)

    def test_a_browser_that_dies_during_a_command_is_an_error_that_is_tried_again(self) -> None:
        self.add_account(posts=40)
        self.fetch()
        threading.Timer(1.5, self.kill, ["chromium"]).start()
        self.fake.delay(4)
        with self.assertRaisesRegex(UnknownError, "the browser ended unexpectedly"):
            self.fetch()
        self.assertEqual(len(self.fetch(limit=12).posts), 12)

    def test_a_page_that_does_not_end_is_a_timeout_at_the_deadline(self) -> None:
        self.add_account(posts=40)
        self.fetch(limit=12)
        self.fake.delay(6)
        started = time.monotonic()
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(2))
        self.assertLess(time.monotonic() - started, 6)
        self.assertEqual(len(self.fetch(limit=12).posts), 12)

    def test_a_browser_that_does_not_answer_is_killed_at_the_deadline(self) -> None:
        self.add_account(posts=40)
        self.fetch(limit=12)
        before = self.processes()
        for pid, name in before.items():
            if name == "chromedriver":
                os.kill(pid, signal.SIGSTOP)
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(2))
        self.assertEqual(wait_until_gone(before), {})
        self.assertEqual(len(self.fetch(limit=12).posts), 12)

    def test_nothing_is_loaded_after_the_deadline(self) -> None:
        self.add_account(posts=3)
        self.fetch()
        self.fake.forget()
        with self.assertRaises(TimedOut):
            self.fetch(deadline=in_seconds(-1))
        self.assertEqual(self.fake.requests, [])

    def test_it_is_replaced_after_many_pages_and_ended_when_idle(self) -> None:
        self.add_account(posts=3)
        with mock.patch("millrace_worker.fetchers.browser._MAX_PAGES", 1):
            self.fetch()
        self.assertEqual(self.processes(), {})
        with mock.patch("millrace_worker.fetchers.browser._IDLE_SECONDS", 0.1):
            self.fetch()
        self.assertEqual(wait_until_gone(self.processes()), {})

    def test_closing_it_leaves_no_process(self) -> None:
        self.add_account(posts=3)
        self.fetch()
        before = self.processes()
        self.fallback.close()
        self.assertEqual(wait_until_gone(before, seconds=0), {})


@needs_browser
class Programs(unittest.TestCase):
    def test_a_missing_program_is_named_with_its_variable(self) -> None:
        from millrace_worker.fetchers.instagram_fallback import BrowserFallback

        for variable in ("MILLRACE_CHROMIUM", "MILLRACE_CHROMEDRIVER"):
            given = browser_environment(**{variable: "/nowhere/program"})
            instagram = Instagram(given)
            with self.assertRaisesRegex(ValueError, f"there is no program /nowhere/program; {variable}"):
                BrowserFallback(instagram.fetch, instagram.sessions, given)
