from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import Any, List

from millrace_worker import Author, Command, Lead, LeadPage, NotFound, Page, Post, ScrapeCommand

from .rabbitmq_case import RabbitmqTest, command, eventually

POST = Post(
    external_id="p1",
    content="hello ☃",
    published_at=datetime(2026, 1, 31, 12, tzinfo=timezone.utc),
    author=Author("nasa", "NASA"),
)


class WorkerTest(RabbitmqTest):
    def serve(self, fetch: Any) -> None:
        self.registry.fetcher(self.type)(fetch)
        self.declare()
        self.start()

    def test_answers_a_command_over_its_reply_queue_under_its_correlation_id(self) -> None:
        seen: List[Command] = []

        def fetch(given: Command) -> Page:
            seen.append(given)
            return Page([POST], next_cursor="c2", has_more=True)

        self.serve(fetch)
        asked = command(self.type, params={"cursor": "c1", "limit": 5, "since": None})
        self.requester.send(self.queue, asked, correlation_id="corr-1")
        properties, result = self.requester.next_reply()
        self.assertEqual((properties.correlation_id, properties.content_type), ("corr-1", "application/json"))
        self.assertEqual((result["jobId"], result["status"]), (asked["jobId"], "success"))
        self.assertEqual(result["data"]["posts"][0]["content"], "hello ☃")
        self.assertEqual((result["data"]["nextCursor"], result["data"]["hasMore"]), ("c2", True))
        self.assertEqual((seen[0].cursor, seen[0].limit, seen[0].since), ("c1", 5, None))

    def test_leaves_nothing_unacknowledged(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.declare()
        stop = self.start()
        self.requester.call(self.queue, command(self.type))
        self.requester.call(self.queue, command(self.type))
        stop()
        self.assertEqual(self.waiting_in(self.queue), 0)

    def test_takes_one_command_at_a_time_of_each_type(self) -> None:
        running, most = [0], [0]
        gate = threading.Semaphore(0)

        def fetch(_: Command) -> Page:
            running[0] += 1
            most[0] = max(most[0], running[0])
            gate.acquire()
            running[0] -= 1
            return Page([])

        self.serve(fetch)
        for _ in range(3):
            self.requester.send(self.queue, command(self.type))
        eventually(lambda: running[0] == 1, "it works")
        eventually(lambda: self.waiting_in(self.queue) == 2, "the others wait in the queue")
        for _ in range(3):
            gate.release()
            self.requester.next_reply()
        self.assertEqual(most[0], 1)

    def test_a_slow_type_does_not_hold_up_another(self) -> None:
        gate = threading.Event()
        other = f"{self.type}-other"

        def slow(_: Command) -> Page:
            gate.wait()
            return Page([])

        self.registry.fetcher(other)(lambda _: Page([POST]))
        self.declare(f"fetch.{other}")
        self.serve(slow)
        self.addCleanup(gate.set)
        self.requester.send(self.queue, command(self.type))
        self.assertEqual(self.requester.call(f"fetch.{other}", command(other))["status"], "success")

    def test_answers_scrape_commands_on_their_own_queue(self) -> None:
        seen: List[ScrapeCommand] = []

        def scrape(given: ScrapeCommand) -> LeadPage:
            seen.append(given)
            return LeadPage([Lead("Millers", emails=["a@example.org"], raw={"id": 7})])

        self.registry.scraper(self.type)(scrape)
        self.declare(f"scrape.{self.type}")
        self.start()
        asked = command(self.type, params={"industry": "milling", "keywords": ["flour"], "filters": {"size": 3}})
        del asked["sourceId"], asked["externalId"]
        result = self.requester.call(f"scrape.{self.type}", asked)
        self.assertEqual(result["status"], "success")
        self.assertEqual(result["data"]["leads"][0]["raw"], {"id": 7})
        self.assertEqual((seen[0].industry, tuple(seen[0].keywords), seen[0].filters), ("milling", ("flour",), {"size": 3}))

    def test_waits_for_a_queue_that_is_declared_later_and_says_so_once(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.start()
        eventually(lambda: self.log.texts().count("still waiting for the queue") >= 2, "it has looked three times")
        self.declare(arguments={"x-max-length": 5_000, "x-message-ttl": 600_000})
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")
        self.assertEqual(self.log.texts().count("waiting for the queue"), 1)

    def test_works_on_a_quorum_queue(self) -> None:
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.declare(arguments={"x-queue-type": "quorum"})
        self.start()
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_comes_back_to_a_queue_that_was_deleted_and_declared_again(self) -> None:
        self.serve(lambda _: Page([]))
        self.requester.call(self.queue, command(self.type))
        self.delete(self.queue)
        eventually(lambda: "waiting for the queue" in self.log.texts(), "it has noticed")
        self.declare()
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_answers_malformed_messages_and_lives(self) -> None:
        self.serve(lambda _: Page([]))
        result = self.requester.call(self.queue, b"{no json", correlation_id="c-1")
        self.assertEqual((result["error"]["code"], result["jobId"], result["sourceId"]), ("INVALID_COMMAND", "c-1", "unknown"))
        result = self.requester.call(self.queue, command(self.type, params={"limit": 0}))
        self.assertIn("params.limit", result["error"]["message"])
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_skips_an_expired_command_without_calling_or_answering(self) -> None:
        called: List[str] = []

        def fetch(given: Command) -> Page:
            called.append(given.job_id)
            return Page([])

        self.serve(fetch)
        self.requester.send(self.queue, command(self.type, timestamp="2020-01-01T00:00:00Z", jobId="old"))
        self.requester.send(self.queue, command(self.type, jobId="new"))
        properties, _ = self.requester.next_reply()
        self.assertEqual((properties.correlation_id, called), ("new", ["new"]))
        self.assertIn("skipped an expired command (or the clocks differ)", self.log.texts())

    def test_does_no_work_for_a_command_without_reply_queue(self) -> None:
        called: List[str] = []

        def fetch(given: Command) -> Page:
            called.append(given.job_id)
            return Page([])

        self.serve(fetch)
        self.requester.send(self.queue, command(self.type, jobId="unasked"), reply_to=None)
        self.requester.call(self.queue, command(self.type, jobId="asked"))
        self.assertEqual(called, ["asked"])
        self.assertEqual(self.waiting_in(self.queue), 0)

    def test_goes_on_when_whoever_asked_is_gone(self) -> None:
        gate = threading.Event()

        def fetch(given: Command) -> Page:
            if given.job_id.startswith("gone"):
                gate.wait()
            return Page([])

        self.serve(fetch)
        self.addCleanup(gate.set)
        gone = self.new_requester()
        gone.send(self.queue, command(self.type, jobId="gone-direct"))
        gone.send(self.queue, command(self.type, jobId="gone-queue"), reply_to="no-such-queue")
        eventually(lambda: self.waiting_in(self.queue) == 1, "it works on the first")
        gone.close()
        gate.set()
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")
        eventually(lambda: self.log.texts().count("answered") == 3, "all are settled")
        self.assertIn("the caller is gone", self.log.texts())

    def test_a_command_whose_reply_the_broker_refuses_becomes_a_dead_letter(self) -> None:
        dead, full = f"dead.{self.type}", f"full.{self.type}"
        self.declare(dead)
        self.declare(full, arguments={"x-max-length": 1, "x-overflow": "reject-publish"})
        self.requester.channel.basic_publish("", full, b"in the way")
        self.registry.fetcher(self.type)(lambda _: Page([]))
        self.declare(arguments={"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead})
        self.start()
        self.requester.send(self.queue, command(self.type), reply_to=full)
        eventually(lambda: self.waiting_in(dead) == 1, "it is dead")
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_logs_what_the_function_raised(self) -> None:
        def fetch(given: Command) -> Page:
            raise NotFound(f"{given.external_id} does not exist")

        self.serve(fetch)
        error = self.requester.call(self.queue, command(self.type))["error"]
        self.assertEqual(error, {"code": "NOT_FOUND", "message": "nasa does not exist"})

    def test_lives_on_when_a_function_tries_to_exit(self) -> None:
        def fetch(given: Command) -> Page:
            if given.external_id == "bad":
                raise SystemExit(3)
            return Page([])

        self.serve(fetch)
        result = self.requester.call(self.queue, command(self.type, externalId="bad"))
        self.assertEqual((result["error"]["code"], result["error"]["message"]), ("UNKNOWN_ERROR", "SystemExit: 3"))
        self.assertEqual(self.requester.call(self.queue, command(self.type))["status"], "success")

    def test_lives_on_after_an_error_that_cannot_say_what_it_is(self) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                raise RuntimeError

        def fetch(_: Command) -> Page:
            raise Mute

        self.serve(fetch)
        for _ in range(2):
            self.assertIn("Mute", self.requester.call(self.queue, command(self.type))["error"]["message"])
        eventually(lambda: self.log.texts().count("failed") == 2, "both are settled")
        self.assertEqual(self.log.texts().count("connected"), 1)

    def test_says_that_an_answer_is_too_large_in_place_of_sending_it(self) -> None:
        self.serve(lambda _: Page([Post("p", "x" * 11_000_000, POST.published_at, POST.author)]))
        error = self.requester.call(self.queue, command(self.type))["error"]
        self.assertIn("the maximum is 10,485,760", error["message"])
        self.assertIs(error["retryable"], False)

    def test_sends_a_large_answer_whole(self) -> None:
        self.serve(lambda _: Page([Post("p", "x" * 9_000_000, POST.published_at, POST.author)]))
        result = self.requester.call(self.queue, command(self.type))
        self.assertEqual(len(result["data"]["posts"][0]["content"]), 9_000_000)

    def test_logs_one_line_for_each_command_with_its_ids(self) -> None:
        self.serve(lambda _: Page([]))
        self.requester.call(self.queue, command(self.type, jobId="j-7"))
        eventually(lambda: "answered" in self.log.texts(), "it is logged")
        record: Any = next(record for record in self.log.records if record.getMessage() == "answered")
        wanted = {"jobId": "j-7", "sourceId": "source-1", "sourceType": self.type, "outcome": "success"}
        self.assertEqual({name: record.fields[name] for name in wanted}, wanted)
        self.assertGreaterEqual(record.fields["ms"], 0)
        self.assertNotIn("the caller is gone", self.log.texts())
        self.assertNotIn("traceId", record.fields)

    def test_names_the_trace_of_a_command_in_its_log_line(self) -> None:
        self.serve(lambda _: Page([]))
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        for number, given in enumerate([f"00-{trace}-00f067aa0ba902b7-01", "nonsense", 7]):
            self.requester.call(self.queue, command(self.type, jobId=f"j-{number}"), headers={"traceparent": given})
        eventually(lambda: self.log.texts().count("answered") == 3, "all are logged")
        records: Any = [record for record in self.log.records if record.getMessage() == "answered"]
        self.assertEqual([record.fields.get("traceId") for record in records], [trace, None, None])

    def test_takes_no_command_of_any_type_after_it_was_stopped(self) -> None:
        gate = threading.Event()
        other = f"{self.type}-other"
        called: List[str] = []

        def slow(_: Command) -> Page:
            called.append("slow")
            gate.wait()
            return Page([])

        def quick(_: Command) -> Page:
            called.append("quick")
            return Page([])

        self.registry.fetcher(self.type)(slow)
        self.registry.fetcher(other)(quick)
        self.declare()
        self.declare(f"fetch.{other}")
        stop = self.start()
        self.addCleanup(gate.set)
        self.requester.send(self.queue, command(self.type))
        eventually(lambda: called == ["slow"], "it works")
        stopping = threading.Thread(target=stop)
        stopping.start()
        eventually(lambda: self.consumers_of(f"fetch.{other}") == 0, "it takes no more")
        self.requester.send(f"fetch.{other}", command(other))
        gate.set()
        self.assertEqual(self.requester.next_reply()[1]["status"], "success")
        stopping.join()
        self.assertEqual((called, self.waiting_in(f"fetch.{other}")), (["slow"], 1))
