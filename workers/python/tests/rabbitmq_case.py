"""What tests with a real RabbitMQ share: their queues, a worker, and a client that sends commands."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
import unittest
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import pika

from millrace_worker.instants import write_instant
from millrace_worker.registry import Registry
from millrace_worker.worker import Worker

TIMEOUT_SECONDS = 30.0
PACKAGE_FOLDER = Path(__file__).parent.parent


def command(source_type: str, **changes: Any) -> Dict[str, Any]:
    return {
        "schemaVersion": 1,
        "jobId": f"job-{uuid.uuid4()}",
        "sourceId": "source-1",
        "sourceType": source_type,
        "externalId": "nasa",
        "params": {},
        "timestamp": write_instant(datetime.now(timezone.utc)),
        "timeout": 60_000,
        **changes,
    }


def eventually(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {TIMEOUT_SECONDS} s for this to be true: {what}")
        time.sleep(0.02)


class Requester:
    """Sends commands as Millrace does, with direct reply-to."""

    def __init__(self, url: str) -> None:
        self._connection = pika.BlockingConnection(pika.URLParameters(url))
        self.channel = self._connection.channel()
        self.replies: List[Tuple[Any, bytes]] = []
        self.channel.basic_consume("amq.rabbitmq.reply-to", self._on_reply, auto_ack=True)

    def send(self, queue: str, body: Any, **properties: Any) -> None:
        """Uses the correlation id that Millrace would use, unless another is given."""
        if isinstance(body, dict):
            properties.setdefault("correlation_id", body.get("jobId"))
            body = json.dumps(body).encode()
        properties.setdefault("reply_to", "amq.rabbitmq.reply-to")
        self.channel.basic_publish("", queue, body, pika.BasicProperties(**properties))

    def call(self, queue: str, body: Any, **properties: Any) -> Dict[str, Any]:
        self.send(queue, body, **properties)
        return self.next_reply()[1]

    def next_reply(self) -> Tuple[Any, Dict[str, Any]]:
        end = time.monotonic() + TIMEOUT_SECONDS
        while not self.replies:
            if time.monotonic() > end:
                raise AssertionError(f"no reply within {TIMEOUT_SECONDS} s")
            self._connection.process_data_events(0.05)
        properties, body = self.replies.pop(0)
        return properties, json.loads(body)

    def close(self) -> None:
        if self._connection.is_open:
            self._connection.close()

    def _on_reply(self, _channel: Any, _method: Any, properties: Any, body: bytes) -> None:
        self.replies.append((properties, body))


class LogLines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: List[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def texts(self) -> List[str]:
        return [record.getMessage() for record in self.records]


@unittest.skipUnless(os.environ.get("RABBITMQ_URL"), "RABBITMQ_URL names no RabbitMQ to test with")
class RabbitmqTest(unittest.TestCase):
    def setUp(self) -> None:
        self.url = os.environ["RABBITMQ_URL"]
        self.type = f"t{uuid.uuid4().hex[:12]}"
        self.queue = f"fetch.{self.type}"
        self.registry = Registry()
        self.log = LogLines()
        logger = logging.getLogger("millrace_worker")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self.log)
        self.addCleanup(logger.removeHandler, self.log)
        self.requester = self.new_requester()

    def new_requester(self) -> Requester:
        requester = Requester(self.url)
        self.addCleanup(requester.close)
        return requester

    def declare(self, queue: Optional[str] = None, **options: Any) -> None:
        """Declares a queue as Millrace does, and deletes it after the test."""
        name = queue or self.queue
        admin = pika.BlockingConnection(pika.URLParameters(self.url))
        admin.channel().queue_declare(name, durable=True, **options)
        admin.close()
        self.addCleanup(self.delete, name)

    def delete(self, queue: str) -> None:
        admin = pika.BlockingConnection(pika.URLParameters(self.url))
        admin.channel().queue_delete(queue)
        admin.close()

    def waiting_in(self, queue: str) -> int:
        """Returns the number of ready messages, without those that a worker holds."""
        return int(self._look_at(queue).message_count)

    def consumers_of(self, queue: str) -> int:
        return int(self._look_at(queue).consumer_count)

    def _look_at(self, queue: str) -> Any:
        admin = pika.BlockingConnection(pika.URLParameters(self.url))
        seen = admin.channel().queue_declare(queue, passive=True).method
        admin.close()
        return seen

    def take_from(self, queue: str) -> Optional[Tuple[Any, bytes]]:
        admin = pika.BlockingConnection(pika.URLParameters(self.url))
        _method, properties, body = admin.channel().basic_get(queue, auto_ack=True)
        admin.close()
        return None if properties is None else (properties, body)

    def start(self, url: Optional[str] = None) -> Callable[[], None]:
        """Starts a worker for the functions of the test in a thread. Returns a function that stops it."""
        worker = Worker(url or self.url, self.registry.plugins)
        thread = threading.Thread(target=worker.run)
        thread.start()

        def stop() -> None:
            worker.stop()
            thread.join(TIMEOUT_SECONDS)
            self.assertFalse(thread.is_alive(), "the worker did not stop")

        self.addCleanup(stop)
        return stop

    def start_process(self, plugin: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Starts a worker as a program, for a file in `plugins`."""
        path = str(PACKAGE_FOLDER / "tests" / "plugins" / plugin)
        return self.start_program([path], TEST_SOURCE_TYPE=self.type, **environment)

    def start_program(self, arguments: List[str], **environment: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", "millrace_worker", *arguments],
            cwd=PACKAGE_FOLDER,
            env={**os.environ, "RABBITMQ_URL": self.url, **environment},
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

        def kill() -> None:
            if process.poll() is None:
                process.kill()
            process.communicate()

        self.addCleanup(kill)
        return process
