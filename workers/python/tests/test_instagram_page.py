"""What is found in the data of Instagram's page of an account."""

from __future__ import annotations

import json
import unittest
from typing import Any, Dict, List

from millrace_worker.fetchers.instagram_page import PageData

from .fake_instagram import FakeAccount, FakePost, graph_node, phone_node

ACCOUNT = FakeAccount(1, "nasa", "NASA")
USER = {"id": "1", "username": "nasa", "full_name": "NASA", "is_private": False, "media_count": 3}


def posts(*numbers: int) -> List[FakePost]:
    return [FakePost(number, f"Post {number}", "image", 1_700_000_000 + number) for number in numbers]


def connection(nodes: List[Dict[str, Any]], cursor: Any = None) -> Dict[str, Any]:
    page = {"has_next_page": cursor is not None, "end_cursor": cursor}
    return {"edges": [{"node": node} for node in nodes], "page_info": page}


class PageDataTest(unittest.TestCase):
    def setUp(self) -> None:
        self.data = PageData("nasa")

    def add(self, content: Any, prefix: str = "") -> None:
        self.data.add(prefix + json.dumps(content), is_document=False)

    def found(self) -> List[str]:
        return [str(node.get("pk") or node.get("id")) for node in self.data.nodes]

    def test_timelines_of_visitors_and_members_are_found_at_any_depth(self) -> None:
        for_visitors = connection([graph_node(post, ACCOUNT) for post in posts(3, 2)], "more")
        for_members = connection([phone_node(post, ACCOUNT) for post in posts(2, 1)])
        self.add({"a": [{"b": {**USER, "edge_owner_to_timeline_media": for_visitors}}]})
        self.assertTrue(self.data.has_more)
        self.add({"data": {"xdt_api__v1__feed__user_timeline_graphql_connection": for_members}})
        self.assertEqual(self.found(), ["3", "2", "1"])
        self.assertEqual((self.data.has_more, self.data.last_id, self.data.total), (False, 1, 3))
        assert self.data.user is not None
        self.assertEqual(self.data.user["full_name"], "NASA")

    def test_scripts_of_a_document_are_read(self) -> None:
        content = json.dumps({"user": {**USER, "edge_owner_to_timeline_media": connection([])}})
        page = f'<script>{{</script><script type="application/json" data-sjs>{content}</script>'
        self.data.add(page, is_document=True)
        self.assertTrue(self.data.user and self.data.has_timeline)

    def test_the_prefix_of_instagrams_json_is_skipped(self) -> None:
        self.add({"user": USER}, prefix="for (;;);")
        self.assertIsNotNone(self.data.user)

    def test_other_accounts_are_ignored(self) -> None:
        nodes = [graph_node(post, ACCOUNT) for post in posts(1)]
        self.add({"suggested": {**USER, "username": "esa", "edge_owner_to_timeline_media": connection(nodes)}})
        self.assertEqual((self.data.user, self.found(), self.data.has_timeline), (None, [], False))

    def test_an_account_that_is_null_is_missing_but_not_a_viewer_that_is_null(self) -> None:
        self.add({"data": {"viewer": {"user": None}}})
        self.assertFalse(self.data.is_missing)
        self.add({"data": {"user": None}, "status": "ok"})
        self.assertTrue(self.data.is_missing)

    def test_what_cannot_be_read_is_skipped(self) -> None:
        for text in ("", "{", "null", "[1]", "[" * 100_000, '{"edge_owner_to_timeline_media": {"edges": 1}}'):
            self.data.add(text, is_document=False)
        self.add({"edge_owner_to_timeline_media": connection([{}, {"id": "x"}, {"id": None}])})
        self.assertEqual(self.found(), [])
