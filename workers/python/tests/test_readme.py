from __future__ import annotations

import json
import re
import unittest
from typing import Any, Dict

from millrace_worker.answer import answer
from millrace_worker.registry import registry

from .rabbitmq_case import PACKAGE_FOLDER, command


class ReadmeTest(unittest.TestCase):
    def test_its_fetcher_works(self) -> None:
        text = (PACKAGE_FOLDER / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        exec(blocks[0], {})
        plugin = next(plugin for plugin in registry.plugins if plugin.queue == "fetch.notes")

        def ask(account: str) -> Dict[str, Any]:
            answered = answer(plugin, json.dumps(command("notes", externalId=account)).encode())
            assert answered.body is not None
            result: Dict[str, Any] = json.loads(answered.body)
            return result

        self.assertEqual(ask("ada")["data"]["posts"][0]["content"], "Hello.")
        self.assertEqual(ask("nobody")["error"]["code"], "NOT_FOUND")
