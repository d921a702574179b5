"""Posts as the instagram fetcher returns them."""

from __future__ import annotations

import unittest
from datetime import datetime, timezone
from typing import Any

from millrace_worker import Author
from millrace_worker.contract import check
from millrace_worker.fetchers.instagram_posts import to_post

from .fake_instagram import FakeAccount, FakePost, graph_node, phone_node
from .instagram_case import InstagramTest


class Posts(InstagramTest):
    def one(self, **options: Any) -> Any:
        self.fake.add_account("nasa", full_name="NASA")
        self.fake.add_post("nasa", **options)
        return self.fetch().posts[0]

    def test_a_picture_with_all_its_fields(self) -> None:
        post = self.one(kind="image", text="Mars & <b>more</b>\nsoon 🚀", taken_at=1_700_000_000, likes=12)
        self.assertEqual((post.content, post.content_format), ("Mars & <b>more</b>\nsoon 🚀", "text"))
        self.assertEqual(post.published_at, datetime(2023, 11, 14, 22, 13, 20, tzinfo=timezone.utc))
        self.assertEqual(post.author, Author("nasa", "NASA", "https://pictures.example/nasa_hd.jpg"))
        self.assertRegex(post.url, r"^https://www\.instagram\.com/p/[\w-]+/$")
        self.assertEqual(post.media_urls, [f"https://pictures.example/{post.external_id}/0.jpg"])
        self.assertEqual((post.likes, post.comments, post.shares), (12, 2, None))

    def test_a_video(self) -> None:
        post = self.one(kind="video")
        self.assertEqual(post.media_urls, [f"https://videos.example/{post.external_id}/0.mp4"])

    def test_a_carousel_with_all_its_media(self) -> None:
        post = self.one(kind="carousel")
        picture = f"https://pictures.example/{post.external_id}/0.jpg"
        video = f"https://videos.example/{post.external_id}/1.mp4"
        self.assertEqual(post.media_urls, [picture, video])

    def test_a_post_without_caption(self) -> None:
        self.assertEqual(self.one(text="").content, "")

    def test_hidden_likes_are_no_number(self) -> None:
        self.assertIsNone(self.one(likes=-1).likes)

    def test_a_post_made_with_others_belongs_to_its_owner(self) -> None:
        self.assertEqual(self.one(owner="esa").author.username, "esa")

    def test_a_post_that_cannot_be_read_is_skipped_and_counted(self) -> None:
        self.fake.add_account("nasa")
        self.fake.add_post("nasa")
        self.fake.add_post("nasa", taken_at=None)
        page = self.fetch()
        self.assertEqual((len(page.posts), page.skipped), (1, 1))

    def test_older_pages_have_the_same_fields_of_a_post_as_the_first(self) -> None:
        self.fake.add_account("nasa", posts=24)
        whole = {post.external_id: post for post in self.fetch(limit=50).posts}
        paged = {post.external_id: post for page in self.walk(limit=12) for post in page.posts}
        self.assertEqual(paged, whole)

    def test_pages_conform_to_the_contract(self) -> None:
        self.fake.add_account("nasa", posts=40)
        for page in self.walk(limit=12):
            result = {"jobId": "1", "sourceId": "1", "timestamp": "2026-01-31T12:00:00Z", "processingTime": 1}
            check("fetch-result", {**result, "status": "success", "data": page.to_json()})


class Shapes(unittest.TestCase):
    def test_both_shapes_of_a_post_are_the_same_post(self) -> None:
        account = FakeAccount(1, "nasa", "NASA")
        author = Author("nasa", "NASA")
        for kind in ("image", "video", "carousel"):
            for text in ("Mars", ""):
                post = FakePost(12345, text, kind, 1_700_000_000)
                self.assertEqual(
                    to_post(phone_node(post, account), author), to_post(graph_node(post, account), author), kind
                )
