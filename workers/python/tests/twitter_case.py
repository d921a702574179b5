"""What the tests of the twitter fetcher share."""

from __future__ import annotations

import unittest
from typing import Any, Dict, List

from millrace_worker import Page
from millrace_worker.fetchers.twitter import Twitter

from .fake_twitter import TOKEN, FakeTwitter
from .paging import command, pages

LOOKUP, TIMELINE = "lookup", "timeline"


class TwitterTest(unittest.TestCase):
    def setUp(self) -> None:
        self.fake = FakeTwitter()
        self.fake.start()
        self.addCleanup(self.fake.stop)
        self.twitter = Twitter(self.environ())

    def environ(self, **changes: str) -> Dict[str, str]:
        return {"MILLRACE_TWITTER_URL": self.fake.url, "MILLRACE_TWITTER_BEARER_TOKEN": TOKEN, **changes}

    def fetch(self, external_id: str = "nasa", **options: Any) -> Page:
        return self.twitter.fetch(command(external_id, **options))

    def walk(self, **options: Any) -> List[Page]:
        return list(pages(self.twitter.fetch, command("nasa", **options)))

    def asked(self) -> List[str]:
        return [LOOKUP if "/by/username/" in request.path else TIMELINE for request in self.fake.requests]
