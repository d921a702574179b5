"""The cache in which the fetchers keep accounts."""

from __future__ import annotations

import unittest

from millrace_worker.fetchers.expiring_cache import ExpiringCache


class ExpiringCacheTest(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 0.0
        self.recent: ExpiringCache[str] = ExpiringCache(max_values=2, seconds=10, clock=lambda: self.now)

    def test_a_value_is_kept_for_its_time(self) -> None:
        self.recent.put("a", "1")
        self.now = 9.9
        self.assertEqual(self.recent.get("a"), "1")
        self.now = 10
        self.assertIsNone(self.recent.get("a"))

    def test_no_more_than_the_latest_are_kept(self) -> None:
        for key in ("a", "b", "a", "c"):
            self.recent.put(key, key)
        self.assertEqual([self.recent.get(key) for key in "abc"], ["a", None, "c"])

    def test_what_is_forgotten_is_gone(self) -> None:
        self.recent.put("a", "1")
        self.recent.forget("a")
        self.recent.forget("b")
        self.assertIsNone(self.recent.get("a"))
