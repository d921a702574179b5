"""Pages of the instagram fetcher, from a server that answers as Instagram does."""

from __future__ import annotations

import os
import unittest
from datetime import datetime, timedelta, timezone
from typing import List
from unittest import mock

from millrace_worker import FetchError
from millrace_worker.fetchers.instagram import Instagram
from millrace_worker.registry import registry

from .instagram_case import LOOKUP, TIMELINE, InstagramTest
from .paging import command, ids, pages



class Registered(unittest.TestCase):
    def test_the_fetcher_answers_the_queue_of_its_type(self) -> None:
        self.assertIn("fetch.instagram", [plugin.queue for plugin in registry.plugins])


class Pages(InstagramTest):
    def test_the_newest_posts_come_first(self) -> None:
        self.fake.add_account("nasa", posts=5)
        self.assertEqual(ids(self.fetch()), self.fake.accounts()["nasa"])

    def test_a_page_without_successor_has_no_cursor(self) -> None:
        self.fake.add_account("nasa", posts=5)
        page = self.fetch()
        self.assertEqual((page.has_more, page.next_cursor, page.total_available), (False, None, 5))

    def test_an_account_without_posts_is_an_empty_page(self) -> None:
        self.fake.add_account("nasa")
        page = self.fetch()
        self.assertEqual((list(page.posts), page.has_more), ([], False))

    def test_paging_reaches_every_post_once(self) -> None:
        self.fake.add_account("nasa", posts=130)
        self.assertEqual(ids(*self.walk(limit=20)), self.fake.accounts()["nasa"])

    def test_a_post_that_arrives_between_pages_neither_repeats_nor_hides_another(self) -> None:
        self.fake.add_account("nasa", posts=60)
        before = self.fake.accounts()["nasa"]
        found: List[str] = []
        for page in pages(self.instagram.fetch, command("nasa", limit=12)):
            found += ids(page)
            self.fake.add_post("nasa")
        self.assertEqual(found, before)

    def test_a_new_post_is_on_the_first_page_whatever_was_paged_before(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.walk()
        new = self.fake.add_post("nasa")
        self.assertEqual(ids(self.fetch())[0], new)

    def test_pinned_posts_come_first_and_once(self) -> None:
        self.fake.add_account("nasa", posts=1)
        pinned = self.fake.add_post("nasa", pinned=True, taken_at=1_500_000_000)
        for _ in range(30):
            self.fake.add_post("nasa")
        found = ids(*self.walk(limit=12))
        self.assertEqual(found[0], pinned)
        self.assertEqual(sorted(found), sorted(self.fake.accounts()["nasa"]))

    def test_a_page_holds_as_many_posts_as_wanted_between_12_and_50(self) -> None:
        self.fake.add_account("nasa", posts=200)
        for limit, size in ((1, 12), (12, 12), (30, 30), (50, 50), (5000, 50)):
            first = self.fetch(limit=limit)
            older = self.fetch(limit=limit, cursor=first.next_cursor)
            self.assertEqual((len(first.posts), len(older.posts)), (size, size), limit)

    def test_fewer_than_twelve_missing_posts_cost_no_request(self) -> None:
        self.fake.add_account("nasa", posts=40)
        page = self.fetch(limit=20)
        self.assertEqual((len(page.posts), page.has_more, self.requested_paths()), (12, True, [LOOKUP]))

    def test_posts_that_the_lookup_hides_are_asked_for(self) -> None:
        self.fake.add_account("nasa", posts=20, lists_nothing=True)
        self.assertEqual(ids(*self.walk()), self.fake.accounts()["nasa"])

    def test_a_cursor_that_leads_to_itself_ends_the_paging(self) -> None:
        self.fake.add_account("nasa", posts=40)
        cursor = self.fetch(limit=12).next_cursor
        again = {"edges": [], "page_info": {"has_next_page": True, "end_cursor": cursor}}
        self.fake.fail(200, {"data": {"user": {"edge_owner_to_timeline_media": again}}}, path=TIMELINE)
        page = self.fetch(cursor=cursor)
        self.assertEqual((page.has_more, page.next_cursor), (False, None))

    def test_a_configured_address_is_requested_without_the_proxy(self) -> None:
        self.fake.add_account("nasa", posts=1)
        with mock.patch.dict(os.environ, {"http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1"}):
            self.assertEqual(len(self.fetch().posts), 1)

    def test_names_are_taken_with_an_at_and_in_any_case(self) -> None:
        self.fake.add_account("nasa", posts=1)
        self.assertEqual(len(self.fetch("@NASA").posts), 1)


class Since(InstagramTest):
    def time_of(self, number: int) -> datetime:
        return self.fetch(limit=50).posts[number].published_at

    def test_older_posts_are_left_out_and_not_paged_to(self) -> None:
        self.fake.add_account("nasa", posts=40)
        page = self.fetch(since=self.time_of(4))
        self.assertEqual(ids(page), self.fake.accounts()["nasa"][:5])
        self.assertEqual((page.has_more, page.next_cursor, page.skipped), (False, None, 7))

    def test_newer_posts_are_paged_to_the_last(self) -> None:
        self.fake.add_account("nasa", posts=90)
        since = self.time_of(40)
        self.assertEqual(ids(*self.walk(since=since, limit=12)), self.fake.accounts()["nasa"][:41])

    def test_an_old_pinned_post_does_not_end_the_paging(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.fake.add_post("nasa", pinned=True, taken_at=1_500_000_000)
        since = datetime.now(timezone.utc) - timedelta(days=30)
        self.assertEqual(len(ids(*self.walk(since=since, limit=12))), 40)


class Requests(InstagramTest):
    def test_the_newest_twelve_cost_one_request(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.fetch(limit=12)
        self.assertEqual(self.requested_paths(), [LOOKUP])

    def test_more_than_twelve_cost_a_second(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.fetch(limit=50)
        self.assertEqual(self.requested_paths(), [LOOKUP, TIMELINE])

    def test_what_is_known_is_not_asked_for(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.fetch(limit=50, since=datetime.now(timezone.utc) - timedelta(hours=3))
        self.assertEqual(self.requested_paths(), [LOOKUP])

    def test_an_older_page_costs_one_request(self) -> None:
        self.fake.add_account("nasa", posts=100)
        first = self.fetch(limit=12)
        self.fake.forget()
        self.fetch(limit=12, cursor=first.next_cursor)
        self.assertEqual(self.requested_paths(), [TIMELINE])

    def test_a_worker_that_never_saw_the_account_goes_on_from_anothers_cursor(self) -> None:
        self.fake.add_account("nasa", posts=30)
        first = self.fetch(limit=12)
        self.fake.forget()
        page = Instagram({"MILLRACE_INSTAGRAM_URL": self.fake.url}).fetch(command("nasa", cursor=first.next_cursor))
        self.assertEqual(ids(page), self.fake.accounts()["nasa"][12:])
        self.assertEqual(self.requested_paths(), [LOOKUP, TIMELINE])

    def test_nothing_is_tried_twice(self) -> None:
        self.fake.add_account("nasa", posts=30)
        for status in (400, 404, 429, 500):
            self.fake.forget()
            self.fake.fail(status, {"status": "fail"}, times=None)
            with self.assertRaises(FetchError):
                self.fetch()
            self.assertEqual(self.requested_paths(), [LOOKUP], status)

    def test_the_newest_posts_are_answered_when_older_ones_fail(self) -> None:
        self.fake.add_account("nasa", posts=40)
        cursor = self.fetch(limit=12).next_cursor
        self.fake.fail(500, path=TIMELINE)
        with self.assertLogs("millrace_worker.fetchers.instagram", "WARNING"):
            page = self.fetch(limit=50)
        self.assertEqual(ids(page), self.fake.accounts()["nasa"][:12])
        self.assertEqual((page.has_more, page.next_cursor), (True, cursor))
