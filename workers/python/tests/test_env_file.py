from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Dict

from millrace_worker.env_file import InvalidEnvFile, load_env_file


class EnvFileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / ".env"

    def load(self, text: str, **environ: str) -> Dict[str, str]:
        self.path.write_text(text, encoding="utf-8")
        load_env_file(self.path, environ)
        return environ

    def test_reads_values_with_and_without_quotes(self) -> None:
        for line, value in (
            ("A=b", "b"),
            ("export A=b", "b"),
            ("  A = b c  ", "b c"),
            ("A=", ""),
            ("A= # a comment", ""),
            ("A=b # a comment", "b"),
            ("A=b#c", "b#c"),
            ('A="b # c" # a comment', "b # c"),
            ("A='b \"c\"'", 'b "c"'),
            ('A="it\'s"', "it's"),
            ('A="b\\nc"', "b\nc"),
            ("A='b\\nc'", "b\\nc"),
            ("A=grün", "grün"),
        ):
            with self.subTest(line=line):
                self.assertEqual(self.load(f"\n# a comment\n{line}\r\n"), {"A": value})

    def test_variables_of_the_environment_win(self) -> None:
        self.assertEqual(self.load("A=file\nB=file\nC=file", A="given", B=""), {"A": "given", "B": "", "C": "file"})

    def test_a_line_that_cannot_be_read_is_named_by_its_number_only(self) -> None:
        for line in ("secret", "A:secret", '=secret', 'A="secret', "A='secret'secret", "A=#secret", "1A=secret"):
            with self.subTest(line=line), self.assertRaisesRegex(InvalidEnvFile, "line 2") as caught:
                self.load(f"B=1\n{line}\n")
            self.assertNotIn("secret", str(caught.exception))

    def test_a_file_that_is_not_text_is_refused(self) -> None:
        self.path.write_bytes(b"A=\xff")
        with self.assertRaises(InvalidEnvFile):
            load_env_file(self.path, {})
