"""Runs as long as one file exists, and creates another when it begins."""

import os
import time
from pathlib import Path

from millrace_worker import Command, Page, fetcher


@fetcher(os.environ["TEST_SOURCE_TYPE"])
def fetch(command: Command) -> Page:
    folder = Path(command.external_id)
    (folder / f"begun-{command.job_id}").touch()
    while (folder / "gate").exists():
        time.sleep(0.02)
    return Page([])
