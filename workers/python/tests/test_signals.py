from __future__ import annotations

import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict

from .rabbitmq_case import TIMEOUT_SECONDS, RabbitmqTest, command, eventually


class SignalTest(RabbitmqTest):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.declare()
        self.process: "subprocess.Popen[bytes]" = self.start_process("gated.py")

    def command(self, job: str) -> Dict[str, Any]:
        return command(self.type, externalId=str(self.folder), jobId=job)

    def has_begun(self, job: str) -> bool:
        return (self.folder / f"begun-{job}").exists()

    def begin(self, job: str) -> None:
        (self.folder / "gate").touch()
        self.requester.send(self.queue, self.command(job))
        eventually(lambda: self.has_begun(job), "it works")

    def exit_code(self) -> int:
        return self.process.wait(TIMEOUT_SECONDS)

    def ends_by_another_signal(self) -> bool:
        """Call this repeatedly, because two signals at the same moment count as one."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.poll() is not None

    def test_answers_the_command_at_work_and_takes_no_other_before_it_exits_with_0(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                self.begin(f"first-{number}")
                self.requester.send(self.queue, self.command(f"second-{number}"))
                eventually(lambda: self.waiting_in(self.queue) == 1, "the second waits")
                self.process.send_signal(number)
                eventually(lambda: self.consumers_of(self.queue) == 0, "it takes no more")
                (self.folder / "gate").unlink()
                self.assertEqual(self.requester.next_reply()[1]["jobId"], f"first-{number}")
                self.assertEqual(self.exit_code(), 0)
                self.assertFalse(self.has_begun(f"second-{number}"))
                self.assertEqual(self.waiting_in(self.queue), 1)
                self.take_from(self.queue)
                self.process = self.start_process("gated.py")

    def test_exits_at_once_when_idle(self) -> None:
        self.requester.call(self.queue, self.command("a"))
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.exit_code(), 0)

    def test_a_second_signal_ends_it_with_1_and_the_command_goes_back(self) -> None:
        self.begin("stuck")
        eventually(self.ends_by_another_signal, "it has ended")
        self.assertEqual(self.process.returncode, 1)
        eventually(lambda: self.waiting_in(self.queue) == 1, "the command is there for others")

    def test_a_killed_workers_command_is_done_by_another(self) -> None:
        self.begin("orphan")
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)
        (self.folder / "gate").unlink()
        self.start_process("gated.py")
        self.assertEqual(self.requester.next_reply()[1]["jobId"], "orphan")
