from __future__ import annotations

import json
import unittest
from typing import Any, Dict, List

from millrace_worker.contract import ContractBreach, check

from .rabbitmq_case import PACKAGE_FOLDER

REPOSITORY = PACKAGE_FOLDER.parent.parent
KINDS = ("fetch-command", "fetch-result", "scrape-command", "scrape-result")


def examples() -> List[Dict[str, Any]]:
    """Uses the examples with which Millrace tests its own side."""
    every: List[Dict[str, Any]] = json.loads((REPOSITORY / "contracts" / "examples.json").read_text(encoding="utf-8"))
    return [example for example in every if example["contract"] in KINDS]


def breach_of(example: Dict[str, Any]) -> str:
    try:
        check(example["contract"], example["message"])
    except ContractBreach as breach:
        return str(breach)
    return ""


class ContractTest(unittest.TestCase):
    def test_there_are_good_and_bad_examples_of_each_message(self) -> None:
        kinds = {(example["contract"], example["valid"]) for example in examples()}
        self.assertEqual(kinds, {(kind, valid) for kind in KINDS for valid in (True, False)})

    def test_what_millrace_takes_is_taken_here(self) -> None:
        for example in examples():
            if example["valid"]:
                with self.subTest(because=example["because"]):
                    self.assertEqual(breach_of(example), "")

    def test_what_millrace_refuses_is_refused_here_and_the_same_field_is_named(self) -> None:
        for example in examples():
            if not example["valid"]:
                with self.subTest(because=example["because"]):
                    self.assertIn(f"{example['names'] or 'message'}: ", breach_of(example))

    def test_many_breaches_are_shortened(self) -> None:
        posts = [{"externalId": "x" * 10_000, "content": None}] * 900
        message = {"status": "success", "data": {"posts": posts, "hasMore": True}}
        breach = breach_of({"contract": "fetch-result", "message": message})
        self.assertLess(len(breach), 1_000)
        self.assertRegex(breach, r"; and \d+ more$")
