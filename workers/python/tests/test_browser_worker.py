"""`millrace-worker instagram --browser` as a program, against a real RabbitMQ and a real Chromium."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Any, Dict

from .rabbitmq_case import TIMEOUT_SECONDS, RabbitmqTest, command, eventually
from .browser_case import browser_environment, descendants, needs_browser, wait_until_gone
from .fake_instagram import FakeInstagram

QUEUE = "fetch.instagram"


@needs_browser
class BrowserWorkerTest(RabbitmqTest):
    def setUp(self) -> None:
        super().setUp()
        self.fake = FakeInstagram()
        self.fake.start()
        self.addCleanup(self.fake.stop)
        self.fake.add_account("nasa", posts=40, refuses_programs=401)
        self.declare(QUEUE)
        self.process: "subprocess.Popen[bytes]" = self.start_program(
            ["instagram", "--browser"], **browser_environment(MILLRACE_INSTAGRAM_URL=self.fake.url)
        )

    def call(self) -> Any:
        return self.requester.call(QUEUE, self.command())

    def command(self) -> Dict[str, Any]:
        return command("instagram", params={"limit": 12})

    def processes(self) -> Dict[int, str]:
        return descendants(self.process.pid)

    def test_answers_with_posts_and_starts_a_browser_again_that_was_killed(self) -> None:
        for _ in range(2):
            answer = self.call()
            self.assertEqual(len(answer["data"]["posts"]), 12, answer)
            before = self.processes()
            self.assertIn("chromium", before.values())
            os.kill(next(pid for pid, name in before.items() if name == "chromium"), signal.SIGKILL)

    def test_answers_the_current_command_before_it_stops_and_leaves_no_process(self) -> None:
        self.call()
        self.fake.delay(1)
        self.fake.forget()
        self.requester.send(QUEUE, self.command())
        eventually(lambda: bool(self.fake.requests), "it loads the page")
        before = self.processes()
        # As a terminal does, for all processes of the group.
        os.killpg(self.process.pid, signal.SIGINT)
        self.assertEqual(self.requester.next_reply()[1]["status"], "success")
        self.assertEqual(self.process.wait(TIMEOUT_SECONDS), 0)
        self.assertEqual(wait_until_gone(before, seconds=0), {})

    def test_leaves_no_process_when_it_is_killed(self) -> None:
        self.call()
        before = self.processes()
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)
        # The guard has no parent now, so whether it remains as a zombie depends on the first process of the machine.
        browser = {pid: name for pid, name in before.items() if not name.startswith("python")}
        self.assertEqual(wait_until_gone(browser), {})
