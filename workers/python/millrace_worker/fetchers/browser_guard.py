"""
Runs chromedriver until the standard input closes, then ends it together with everything that it started.

The input closes however the worker ends, even if it is killed. Chromium consists of many processes, which would survive
otherwise. This program also adopts them (PR_SET_CHILD_SUBREAPER), because the first process of a container is often a worker,
which would have to collect them: without that they remain as zombies.

It runs as a file, with the standard library only: `python3 browser_guard.py /usr/bin/chromedriver --port=0`.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from typing import List

_PR_SET_CHILD_SUBREAPER = 36
_END_SECONDS = 5.0
_POLL_SECONDS = 0.02
_WATCH_SECONDS = 0.5


def main(command: List[str]) -> None:
    with suppress(OSError, AttributeError):  # Only Linux has it.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Profiles and other temporary files of the browser are deleted with this folder.
    with tempfile.TemporaryDirectory(prefix="millrace-browser-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "TMPDIR": folder, "HOME": folder}
        driver = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
        while driver.poll() is None and not _is_input_closed():
            pass
        with suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)
        _collect_children()


def _is_input_closed() -> bool:
    readable, _, _ = select.select([sys.stdin], [], [], _WATCH_SECONDS)
    return bool(readable) and not os.read(sys.stdin.fileno(), 1)


def _collect_children() -> None:
    """Waits for all children. Those with a session of their own, such as crash handlers, usually end by themselves."""
    end = time.monotonic() + _END_SECONDS
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid:
            continue
        if time.monotonic() > end:
            end = float("inf")
            _kill_children()
        time.sleep(_POLL_SECONDS)


def _kill_children() -> None:
    with suppress(OSError), open("/proc/thread-self/children", encoding="ascii") as file:
        for pid in file.read().split():
            os.kill(int(pid), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
