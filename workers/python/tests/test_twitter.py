"""Pages of the twitter fetcher, from a server that answers as the API does."""

from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from typing import List

from millrace_worker import NotFound
from millrace_worker.contract import check
from millrace_worker.fetchers.twitter import Twitter
from millrace_worker.fetchers.twitter_cursor import since_id
from millrace_worker.registry import registry

from .paging import command, ids, pages
from .twitter_case import LOOKUP, TIMELINE, TwitterTest


class Registered(unittest.TestCase):
    def test_the_fetcher_answers_the_queue_of_its_type(self) -> None:
        self.assertIn("fetch.twitter", [plugin.queue for plugin in registry.plugins])


class Pages(TwitterTest):
    def test_the_newest_posts_come_first(self) -> None:
        self.fake.add_account("nasa", posts=5)
        page = self.fetch()
        self.assertEqual(ids(page), self.fake.accounts()["nasa"])
        self.assertEqual((page.has_more, page.next_cursor), (False, None))

    def test_an_account_without_posts_is_an_empty_page(self) -> None:
        self.fake.add_account("nasa")
        page = self.fetch()
        self.assertEqual((list(page.posts), page.has_more), ([], False))

    def test_paging_reaches_every_post_once(self) -> None:
        self.fake.add_account("nasa", posts=64)
        self.assertEqual(ids(*self.walk(limit=10)), self.fake.accounts()["nasa"])

    def test_a_post_that_arrives_between_pages_neither_repeats_nor_hides_another(self) -> None:
        self.fake.add_account("nasa", posts=30)
        before = self.fake.accounts()["nasa"]
        found: List[str] = []
        for page in pages(self.twitter.fetch, command("nasa", limit=7)):
            found += ids(page)
            self.fake.add_post("nasa")
        self.assertEqual(found, before)

    def test_a_new_post_is_on_the_first_page_whatever_was_paged_before(self) -> None:
        self.fake.add_account("nasa", posts=40)
        self.walk()
        new = self.fake.add_post("nasa")
        self.assertEqual(ids(self.fetch())[0], new)

    def test_a_page_holds_as_many_posts_as_wanted_between_5_and_100(self) -> None:
        self.fake.add_account("nasa", posts=120)
        for limit, size in ((1, 5), (5, 5), (30, 30), (100, 100), (5000, 100), (None, 50)):
            self.assertEqual(len(self.fetch(limit=limit).posts), size, limit)

    def test_replies_are_left_out(self) -> None:
        self.fake.add_account("nasa", posts=3)
        self.fake.add_post("nasa", reply=True)
        self.assertEqual(len(self.fetch().posts), 3)

    def test_names_are_taken_with_an_at_and_in_any_case(self) -> None:
        self.fake.add_account("nasa", posts=1)
        self.assertEqual(len(self.fetch("@NASA").posts), 1)

    def test_pages_conform_to_the_contract(self) -> None:
        self.fake.add_account("nasa", posts=12)
        self.fake.add_post("nasa", media=["photo", "video"])
        for page in self.walk(limit=5):
            result = {"jobId": "1", "sourceId": "1", "timestamp": "2026-01-31T12:00:00Z", "processingTime": 1}
            check("fetch-result", {**result, "status": "success", "data": page.to_json()})


class Since(TwitterTest):
    def test_posts_of_that_time_and_later_come_and_no_others(self) -> None:
        self.fake.add_account("nasa", posts=40)
        since = self.fetch().posts[4].published_at
        page = self.fetch(since=since)
        self.assertEqual(ids(page), self.fake.accounts()["nasa"][:5])
        self.assertFalse(page.has_more)

    def test_later_pages_ask_the_same_question(self) -> None:
        self.fake.add_account("nasa", posts=40)
        since = self.fetch().posts[22].published_at
        found = self.walk(since=since, limit=10)
        self.assertEqual(ids(*found), self.fake.accounts()["nasa"][:23])
        asked = {request.query.get("since_id") for request in self.fake.requests[2:]}
        self.assertEqual(asked, {since_id(since)})

    def test_a_cursor_knows_its_question_even_if_the_command_does_not_repeat_it(self) -> None:
        self.fake.add_account("nasa", posts=40)
        since = self.fetch().posts[22].published_at
        first = self.fetch(since=since, limit=20)
        self.assertEqual(ids(self.fetch(cursor=first.next_cursor)), self.fake.accounts()["nasa"][20:23])

    def test_a_cursor_from_before_asks_without_since_even_if_the_command_has_one(self) -> None:
        self.fake.add_account("nasa", posts=40)
        first = self.fetch(limit=20)
        older = self.fetch(cursor=first.next_cursor, since=datetime.now(timezone.utc))
        self.assertEqual(ids(older), self.fake.accounts()["nasa"][20:])

    def test_the_id_of_a_time_lies_just_below_the_posts_of_that_time(self) -> None:
        # The API's documentation shows this post, written at 19:26:16.
        post, second = 1212092628029698048, datetime(2019, 12, 31, 19, 26, 16, tzinfo=timezone.utc)
        self.assertLess(int(since_id(second) or 0), post)
        self.assertGreater(int(since_id(second + timedelta(seconds=1)) or 0), post)
        millisecond = timedelta(milliseconds=1)
        self.assertEqual(int(since_id(second + millisecond) or 0) - int(since_id(second) or 0), 1 << 22)

    def test_times_before_the_ids_began_leave_nothing_out(self) -> None:
        self.assertIsNone(since_id(datetime(2008, 1, 1, tzinfo=timezone.utc)))


class Requests(TwitterTest):
    def test_the_first_page_costs_a_lookup_and_a_request(self) -> None:
        self.fake.add_account("nasa", posts=3)
        self.fetch()
        self.assertEqual(self.asked(), [LOOKUP, TIMELINE])

    def test_every_other_page_costs_one_request(self) -> None:
        self.fake.add_account("nasa", posts=40)
        first = self.fetch(limit=10)
        self.fake.forget()
        self.fetch(limit=10, cursor=first.next_cursor)
        self.fetch(limit=10)
        self.assertEqual(self.asked(), [TIMELINE, TIMELINE])

    def test_a_worker_that_never_saw_the_account_goes_on_from_anothers_cursor(self) -> None:
        self.fake.add_account("nasa", posts=40)
        first = self.fetch(limit=20)
        page = Twitter(self.environ()).fetch(command("nasa", cursor=first.next_cursor))
        self.assertEqual(ids(page), self.fake.accounts()["nasa"][20:])

    def test_an_account_that_has_gone_is_looked_up_again(self) -> None:
        self.fake.add_account("nasa", posts=3)
        self.fetch()
        self.fake.add_account("nasa", state="suspended")
        with self.assertRaises(NotFound):
            self.fetch()
        self.fake.forget()
        with self.assertRaisesRegex(NotFound, "suspended"):
            self.fetch()
        self.assertEqual(self.asked(), [LOOKUP])
