"""`millrace-worker instagram my_package.my_fetcher`: answers the commands for everything that these modules register."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import List, Mapping, NoReturn, Optional

from .broker_address import broker_address
from .env_file import DEFAULT_PATH, InvalidEnvFile, load_env_file
from .errors import FetchError
from .load import SHIPPED, CannotLoad, load
from .logs import LEVELS, fields, log, start_logging
from .registry import registry
from .worker import Worker

_FAILED, _BAD_USAGE = 1, 2
_EPILOG = f"""\
variables, also in a file .env of the current folder:
  RABBITMQ_URL        the address of RabbitMQ (amqp://user:password@host:5672/vhost)
  MILLRACE_LOG_LEVEL  the log level ({', '.join(LEVELS)})

docs/workers.md describes the variables of instagram and twitter.
"""


def main(arguments: Optional[List[str]] = None) -> None:
    options = _parser().parse_args(arguments)
    _load_environment(options.env_file)
    start_logging(_log_level(os.environ))
    if options.browser:
        _use_browser(options.names)
    if options.login:
        _log_in(options.names)
        return
    for name in options.names:
        try:
            load(name, registry)
        except CannotLoad as error:
            if error.__cause__:
                log.error("the module failed", exc_info=error.__cause__)
            _exit(str(error))
    worker = _worker(os.environ)
    _stop_on_signals(worker)
    log.info("started", extra=fields(queues=[plugin.queue for plugin in registry.plugins]))
    worker.run()
    log.info("stopped")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="millrace-worker",
        description="Answers Millrace's commands on RabbitMQ.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help=f"one of {', '.join(SHIPPED)}; or a module or file that registers fetchers or scrapers"
    )
    parser.add_argument(
        "--env-file", type=Path, metavar="FILE", help="read variables from FILE instead of .env; the environment wins"
    )
    parser.add_argument(
        "--login", action="store_true", help="with instagram: log in, keep the session for later starts, and exit"
    )
    parser.add_argument(
        "--browser", action="store_true", help="with instagram: use Chromium for accounts that instaloader is refused"
    )
    return parser


def _load_environment(given: Optional[Path]) -> None:
    path = given or DEFAULT_PATH
    if given is None and not path.is_file():
        return
    try:
        load_env_file(path, os.environ)
    except InvalidEnvFile as error:
        _exit(str(error))


def _use_browser(names: List[str]) -> None:
    if "instagram" not in names:
        _exit("--browser can only be used with instagram")
    os.environ["MILLRACE_INSTAGRAM_BROWSER"] = "true"


def _log_in(names: List[str]) -> None:
    if names != ["instagram"]:
        _exit("--login can only be used as: millrace-worker instagram --login")
    try:
        from .fetchers.instagram_login_command import log_in
    except ImportError as error:
        _exit(f"Could not import instaloader ({error}); pip install 'millrace-worker[instagram]' installs it")
    try:
        print(log_in(os.environ))
    except FetchError as error:
        _exit(error.message, _FAILED)
    except (EOFError, KeyboardInterrupt):
        _exit("The login was not completed", _FAILED)


def _log_level(environment: Mapping[str, str]) -> str:
    level = environment.get("MILLRACE_LOG_LEVEL") or "info"
    if level not in LEVELS:
        _exit(f"MILLRACE_LOG_LEVEL must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def _worker(environment: Mapping[str, str]) -> Worker:
    try:
        url = broker_address(environment)
    except ValueError as error:
        _exit(str(error))
    try:
        return Worker(url, registry.plugins)
    except ValueError as error:
        _exit(f"RABBITMQ_URL is invalid: {error}")


def _stop_on_signals(worker: Worker) -> None:
    """After the first signal, current commands are answered. The second one ends the process at once."""
    received: List[int] = []

    def on_signal(number: int, _frame: object) -> None:
        received.append(number)
        if len(received) > 1:
            os._exit(_FAILED)
        worker.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)


def _exit(reason: str, code: int = _BAD_USAGE) -> NoReturn:
    print(f"millrace-worker: {reason}", file=sys.stderr)
    sys.exit(code)
