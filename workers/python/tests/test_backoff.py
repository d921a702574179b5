from __future__ import annotations

import unittest

from millrace_worker.backoff import Backoff


class BackoffTest(unittest.TestCase):
    def test_doubles_from_one_second_to_thirty(self) -> None:
        backoff = Backoff()
        for full in (1, 2, 4, 8, 16, 30, 30):
            self.assertTrue(full / 2 <= backoff.next_delay() <= full)

    def test_begins_anew_after_a_success(self) -> None:
        backoff = Backoff()
        for _ in range(2_000):
            backoff.next_delay()
        backoff.reset()
        self.assertLessEqual(backoff.next_delay(), 1)

    def test_many_do_not_come_back_at_the_same_moment(self) -> None:
        self.assertGreater(len({Backoff().next_delay() for _ in range(20)}), 1)
