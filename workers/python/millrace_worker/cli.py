"""`millrace-worker instagram my_package.my_fetcher`: answers the commands for everything that these modules register."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import List, Mapping, NoReturn, Optional

from .load import SHIPPED, CannotLoad, load
from .logs import LEVELS, fields, log, start_logging
from .registry import registry
from .worker import Worker

_BAD_USAGE = 2


def main(arguments: Optional[List[str]] = None) -> None:
    names = _parser().parse_args(arguments).names
    start_logging(_log_level(os.environ))
    for name in names:
        try:
            load(name, registry)
        except CannotLoad as error:
            if error.__cause__:
                log.error("the module failed", exc_info=error.__cause__)
            _refuse(str(error))
    worker = _worker(os.environ)
    _stop_on_signals(worker)
    log.info("started", extra=fields(queues=[plugin.queue for plugin in registry.plugins]))
    worker.run()
    log.info("stopped")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="millrace-worker",
        description="Answers Millrace's commands on RabbitMQ.",
        epilog="RABBITMQ_URL is the address of RabbitMQ (amqp://user:password@host:5672/vhost), "
        f"MILLRACE_LOG_LEVEL the log level ({', '.join(LEVELS)}).",
    )
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help=f"one of {', '.join(SHIPPED)}; or a module or file that registers fetchers or scrapers"
    )
    return parser


def _log_level(environment: Mapping[str, str]) -> str:
    level = environment.get("MILLRACE_LOG_LEVEL") or "info"
    if level not in LEVELS:
        _refuse(f"MILLRACE_LOG_LEVEL must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def _worker(environment: Mapping[str, str]) -> Worker:
    url = environment.get("RABBITMQ_URL")
    if not url:
        _refuse("RABBITMQ_URL is not set; an example is amqp://user:password@host:5672/vhost")
    try:
        return Worker(url, registry.plugins)
    except ValueError as error:
        _refuse(f"RABBITMQ_URL is invalid: {error}")


def _stop_on_signals(worker: Worker) -> None:
    """After the first signal, current commands are answered. The second one ends the process at once."""
    received: List[int] = []

    def on_signal(number: int, _frame: object) -> None:
        received.append(number)
        if len(received) > 1:
            os._exit(1)
        worker.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)


def _refuse(reason: str) -> NoReturn:
    print(f"millrace-worker: {reason}", file=sys.stderr)
    sys.exit(_BAD_USAGE)
