"""Runs tests and reports each result as a line of JSON: `python3 -m tests.report tests.test_answer`. `--list` only names them."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any, Iterator, List, Union

FOLDER = Path(__file__).parent.parent


class JsonResult(unittest.TestResult):
    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        mine = [trace for case, trace in self.failures + self.errors if test in (case, getattr(case, "test_case", None))]
        skipped = [reason for case, reason in self.skipped if case is test]
        report(test, "failed" if mine else "skipped" if skipped else "passed", "\n".join(mine or skipped))


def report(test: Any, outcome: str, detail: str) -> None:
    print(json.dumps({"id": test.id(), "outcome": outcome, "detail": detail}), flush=True)


def each(suite: Union[unittest.TestSuite, unittest.TestCase]) -> Iterator[unittest.TestCase]:
    if isinstance(suite, unittest.TestCase):
        yield suite
        return
    for part in suite:
        yield from each(part)


def main(arguments: List[str]) -> None:
    if arguments == ["--list"]:
        found = unittest.defaultTestLoader.discover(str(FOLDER / "tests"), top_level_dir=str(FOLDER))
        if unittest.defaultTestLoader.errors:
            sys.exit("\n".join(unittest.defaultTestLoader.errors))
        print(json.dumps([test.id() for test in each(found)]))
        return
    result = JsonResult()
    unittest.defaultTestLoader.loadTestsFromNames(arguments).run(result)
    # These belong to a module or class that could not be set up or torn down.
    for test, trace in result.errors:
        if not isinstance(test, unittest.TestCase):
            report(test, "failed", trace)
    sys.exit(0 if result.wasSuccessful() else 1)


main(sys.argv[1:])
