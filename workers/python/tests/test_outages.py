from __future__ import annotations

import threading
from typing import List
from urllib.parse import urlsplit, urlunsplit

from millrace_worker import Command, Page

from .rabbitmq_case import RabbitmqTest, command, eventually
from .cut_wire import CutWire


class OutageTest(RabbitmqTest):
    def setUp(self) -> None:
        super().setUp()
        self.wire = CutWire(self.url)
        self.addCleanup(self.wire.close)
        self.declare()

    def reasons(self, text: str) -> List[str]:
        return [record.fields["reason"] for record in self.log.records if record.getMessage() == text]  # type: ignore[attr-defined]

    def test_comes_back_after_the_connection_was_lost(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.start(self.wire.url)
        for _ in range(3):
            self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")
            self.wire.cut()

    def test_does_again_what_it_could_not_answer(self) -> None:
        gate = threading.Event()
        jobs: List[str] = []

        def fetch(given: Command) -> Page:
            jobs.append(given.job_id)
            gate.wait()
            return Page([])

        self.registry.fetcher(self.type)(fetch)
        self.start(self.wire.url)
        self.addCleanup(gate.set)
        asked = command(self.type)
        self.requester.send(self.queue, asked)
        eventually(lambda: len(jobs) == 1, "it works")
        self.wire.cut()
        eventually(lambda: self.log.texts().count("connected") == 2, "it is back")
        gate.set()
        _, result = self.requester.next_reply()
        self.assertEqual((result["jobId"], result["status"]), (asked["jobId"], "success"))
        self.assertEqual(jobs, [asked["jobId"]] * 2)

    def test_leaves_commands_to_others_while_it_still_works_on_a_lost_one(self) -> None:
        gate = threading.Event()
        jobs: List[str] = []

        def fetch(given: Command) -> Page:
            jobs.append(given.job_id)
            gate.wait()
            return Page([])

        self.registry.fetcher(self.type)(fetch)
        self.start(self.wire.url)
        self.addCleanup(gate.set)
        self.requester.send(self.queue, command(self.type))
        eventually(lambda: len(jobs) == 1, "it works")
        self.wire.cut()
        eventually(lambda: self.log.texts().count("connected") == 2, "it is back")
        eventually(lambda: self.waiting_in(self.queue) == 1, "the command is there for anybody")

    def test_keeps_trying_while_the_broker_is_away_and_stops_on_request_meanwhile(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.wire.refuse()
        stop = self.start(self.wire.url)
        eventually(lambda: self.wire.connections >= 3, "it tried three times")
        stop()
        self.assertGreaterEqual(len(self.reasons("connection failed")), 3)

    def test_starts_before_the_broker(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.wire.refuse()
        self.start(self.wire.url)
        eventually(lambda: self.wire.connections >= 1, "it tried")
        self.wire.accept()
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_gives_up_a_connection_over_which_nothing_comes_any_more(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.start(f"{self.wire.url}?heartbeat=1")
        self.requester.call(self.queue, command(self.type))
        self.wire.hold()
        eventually(lambda: self.log.texts().count("connected") == 2, "it has a new one")
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_heartbeats_flow_while_a_function_works(self) -> None:
        gate = threading.Event()

        def fetch(_: Command) -> Page:
            gate.wait(4)
            return Page([])

        self.registry.fetcher(self.type)(fetch)
        self.start(f"{self.url}?heartbeat=1")
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")
        self.assertEqual(self.log.texts().count("connected"), 1)

    def test_keeps_trying_with_a_wrong_password_and_says_so(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        given = urlsplit(self.url)
        self.start(urlunsplit(given._replace(netloc=f"guest:wrong@{given.hostname}:{given.port}")))
        eventually(lambda: len(self.reasons("connection failed")) >= 2, "it tried twice")
        self.assertIn("ACCESS_REFUSED", self.reasons("connection failed")[0])

    def test_keeps_trying_for_a_virtual_host_that_is_not_there_and_says_so(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.start(urlunsplit(urlsplit(self.url)._replace(path="/no-such-host")))
        eventually(lambda: len(self.reasons("connection failed")) >= 2, "it tried twice")
        self.assertIn("no-such-host", self.reasons("connection failed")[0])

    def test_never_logs_the_password(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        given = urlsplit(self.url)
        self.start(urlunsplit(given._replace(netloc=f"guest:s3cr3t@{given.hostname}:{given.port}")))
        eventually(lambda: "connection failed" in self.log.texts(), "it tried")
        self.assertNotIn("s3cr3t", str([record.__dict__ for record in self.log.records]))
