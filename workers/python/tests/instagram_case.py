"""What the tests of the instagram fetcher share."""

from __future__ import annotations

import unittest
from typing import Any, List

from millrace_worker import Page
from millrace_worker.fetchers.instagram import Instagram

from .fake_instagram import FakeInstagram
from .paging import command, pages

LOOKUP, TIMELINE = "/api/v1/users/web_profile_info/", "/graphql/query"


class InstagramTest(unittest.TestCase):
    def setUp(self) -> None:
        self.fake = FakeInstagram()
        self.fake.start()
        self.addCleanup(self.fake.stop)
        self.instagram = Instagram({"MILLRACE_INSTAGRAM_URL": self.fake.url})

    def fetch(self, external_id: str = "nasa", **options: Any) -> Page:
        return self.instagram.fetch(command(external_id, **options))

    def walk(self, **options: Any) -> List[Page]:
        return list(pages(self.instagram.fetch, command("nasa", **options)))

    def requested_paths(self) -> List[str]:
        return [request.path for request in self.fake.requests]
