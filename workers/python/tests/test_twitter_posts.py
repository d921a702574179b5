"""Posts as the twitter fetcher returns them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from millrace_worker import Author, Post

from .twitter_case import TwitterTest


class Posts(TwitterTest):
    def setUp(self) -> None:
        super().setUp()
        self.fake.add_account("nasa", display_name="NASA")

    def one(self, **options: Any) -> Post:
        self.fake.add_post("nasa", **options)
        return self.fetch().posts[0]

    def test_a_post_with_all_its_fields(self) -> None:
        post = self.one(text="Mars &amp; Venus\n&lt;3", at=1_700_000_000_123)
        self.assertEqual((post.content, post.content_format, post.title), ("Mars & Venus\n<3", "text", None))
        self.assertEqual(post.published_at, datetime(2023, 11, 14, 22, 13, 20, 123000, tzinfo=timezone.utc))
        self.assertEqual(post.author, Author("nasa", "NASA", "https://pictures.example/nasa_400x400.jpg"))
        self.assertEqual(post.url, f"https://x.com/nasa/status/{post.external_id}")
        self.assertEqual((post.likes, post.comments, post.shares), (9, 2, 3))

    def test_short_links_become_what_they_stand_for(self) -> None:
        urls = [
            {"url": "https://t.co/aaaaaaaaaa", "expanded_url": "https://example.org/a?b=1&c=2"},
            {"url": "https://t.co/aaaaaaaaaab", "expanded_url": "https://example.org/b"},
        ]
        post = self.one(text="See https://t.co/aaaaaaaaaa and https://t.co/aaaaaaaaaab", urls=urls)
        self.assertEqual(post.content, "See https://example.org/a?b=1&c=2 and https://example.org/b")

    def test_links_to_the_media_of_the_post_are_removed(self) -> None:
        link = {"url": "https://t.co/mmmmmmmmmm", "expanded_url": "https://x.com/nasa/status/1/photo/1"}
        post = self.one(text="Look https://t.co/mmmmmmmmmm", urls=[{**link, "media_key": "3_1"}], media=["photo"])
        self.assertEqual(post.content, "Look")

    def test_a_long_post_has_its_whole_text(self) -> None:
        link = {"url": "https://t.co/aaaaaaaaaa", "expanded_url": "https://example.org/"}
        note = {"text": f"{'long ' * 100}https://t.co/aaaaaaaaaa", "entities": {"urls": [link]}}
        post = self.one(text="long long…", note=note)
        self.assertEqual(post.content, f"{'long ' * 100}https://example.org/")

    def test_pictures_and_videos_in_their_best_quality(self) -> None:
        post = self.one(media=["photo", "video"])
        self.assertEqual(
            post.media_urls,
            [
                f"https://pictures.example/{post.external_id}_0.jpg",
                f"https://videos.example/{post.external_id}_1_high.mp4",
            ],
        )

    def test_a_repost_is_the_original_with_an_id_and_a_time_of_its_own(self) -> None:
        self.fake.add_account("esa", display_name="ESA")
        text = "A text that is longer than what the repost repeats of it"
        original = self.fake.add_post("esa", text=text, media=["photo"], at=1_600_000_000_000)
        post = self.one(text="RT @esa: A text that is…", reposts=original, at=1_700_000_000_000)
        self.assertEqual((post.content, post.title), (text, "Reposted @esa"))
        self.assertEqual(post.author, Author("esa", "ESA", "https://pictures.example/esa_400x400.jpg"))
        self.assertEqual(post.url, f"https://x.com/esa/status/{original}")
        self.assertEqual(post.media_urls, [f"https://pictures.example/{original}_0.jpg"])
        self.assertNotEqual(post.external_id, original)
        self.assertEqual(post.published_at.year, 2023)

    def test_a_repost_whose_original_cannot_be_seen_keeps_its_own_text(self) -> None:
        post = self.one(text="RT @gone: what was…", reposts="123")
        self.assertEqual((post.content, post.author.username), ("RT @gone: what was…", "nasa"))

    def test_a_quote_is_the_accounts_own_text(self) -> None:
        self.fake.add_account("esa")
        quoted = self.fake.add_post("esa", text="Quoted")
        post = self.one(text="My view", quotes=quoted)
        self.assertEqual((post.content, post.author.username, post.title), ("My view", "nasa", None))

    def test_an_edited_post_stays_the_same_post(self) -> None:
        first = self.one(text="Teh")
        second = self.one(text="The", edited=first.external_id)
        self.assertEqual(second.external_id, first.external_id)
        self.assertNotEqual(second.url, first.url)

    def test_a_post_that_cannot_be_read_is_skipped_and_counted(self) -> None:
        self.one()
        good = {"id": "1", "text": "x", "created_at": "2026-01-31T12:00:00.000Z"}
        self.fake.fail(200, {"data": [{**good, "created_at": "yesterday"}, {"id": "2"}, good], "meta": {}})
        page = self.fetch()
        self.assertEqual(([post.external_id for post in page.posts], page.skipped), (["1"], 2))

    def test_parts_of_another_shape_than_documented_do_no_harm(self) -> None:
        self.one()
        odd = {"id": "1", "text": None, "created_at": "2026-01-31T12:00:00.000Z", "entities": [], "attachments": 1}
        odder = {**odd, "public_metrics": {"like_count": "9"}, "referenced_tweets": {}, "edit_history_tweet_ids": []}
        self.fake.fail(200, {"data": [odder], "includes": [], "meta": []})
        post = self.fetch().posts[0]
        self.assertEqual((post.external_id, post.content, post.likes), ("1", "", None))
