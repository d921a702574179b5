from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from millrace_worker import Command
from millrace_worker.instants import read_instant, write_instant

from .rabbitmq_case import command

NOON = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)


class InstantTest(unittest.TestCase):
    def test_reads_every_way_the_contract_allows(self) -> None:
        for text in ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.0Z", "2026-01-31T14:30:00+02:30", "2026-01-31T07:00:00-05:00"):
            with self.subTest(text=text):
                self.assertEqual(read_instant(text), NOON)

    def test_keeps_microseconds_and_drops_what_is_finer(self) -> None:
        self.assertEqual(read_instant("2026-01-31T12:00:00.1234567Z").microsecond, 123_456)

    def test_refuses_anything_else(self) -> None:
        for text in ("", "2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z", "2026-01-31 12:00:00Z", "٢٠٢٦-01-31T12:00:00Z"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                read_instant(text)

    def test_writes_utc_whatever_the_zone(self) -> None:
        berlin = timezone(timedelta(hours=1))
        self.assertEqual(write_instant(NOON.astimezone(berlin)), "2026-01-31T12:00:00.000Z")


class CommandTest(unittest.TestCase):
    def test_carries_all_that_the_message_says(self) -> None:
        asked = command(
            "instagram", timestamp="2026-01-31T12:00:00Z", timeout=90_000, metadata={"a": 1},
            params={"cursor": "c", "since": "2026-01-30T12:00:00Z", "limit": 12},
        )  # fmt: skip
        given = Command.from_json(asked)
        self.assertEqual((given.cursor, given.limit, given.timeout_ms, given.metadata), ("c", 12, 90_000, {"a": 1}))
        self.assertEqual(given.since, NOON - timedelta(days=1))
        self.assertEqual(given.deadline, NOON + timedelta(seconds=90))

    def test_knows_how_long_anybody_waits(self) -> None:
        given = Command("j", "s", "instagram", "nasa", deadline=NOON)
        self.assertEqual(given.seconds_left(NOON - timedelta(seconds=5)), 5)
        self.assertEqual(given.seconds_left(NOON + timedelta(seconds=5)), 0)
        self.assertIsNone(Command("j", "s", "instagram", "nasa").seconds_left())
