from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from millrace_worker.fetchers.instagram import Instagram

from .rabbitmq_case import PACKAGE_FOLDER
from .fake_instagram import FakeInstagram
from .paging import command

GOOD = """
from millrace_worker import Page, fetcher
@fetcher("echo")
def fetch(command):
    return Page([])
"""


BROKER = "amqp://guest:guest@127.0.0.1:1"


class CommandLineTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "millrace_worker", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(PACKAGE_FOLDER), "RABBITMQ_URL": "", **environment},
            capture_output=True,
            text=True,
            timeout=20,
        )

    def assert_refused(self, text: str, *arguments: str, **environment: str) -> None:
        ended = self.run_program(*arguments, **environment)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertIn(text, ended.stderr)

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def test_without_a_name_it_shows_how_it_is_used(self) -> None:
        self.assert_refused("usage: millrace-worker")

    def test_a_misspelt_name_lists_the_right_ones(self) -> None:
        self.assert_refused("instagram, twitter", "twiter")

    def test_a_missing_file_or_package_is_named(self) -> None:
        self.assert_refused("file nowhere.py does not exist", "./nowhere.py")
        self.assert_refused("no_package", "no_package.module")

    def test_a_module_that_registers_nothing_is_refused(self) -> None:
        self.assert_refused("registers nothing", "json")

    def test_a_module_that_fails_shows_where(self) -> None:
        self.write("broken.py", "def f():\n    return 1 / 0\nf()\n")
        self.assert_refused("Could not import broken: ZeroDivisionError", "broken")
        self.assert_refused("line 2, in f", "broken")

    def test_a_type_that_two_modules_register_is_refused(self) -> None:
        self.assert_refused("fetch.echo has two functions", self.write("one.py", GOOD), self.write("two.py", GOOD))

    def test_says_what_is_wrong_with_the_brokers_address(self) -> None:
        good = self.write("good.py", GOOD)
        self.assert_refused("RABBITMQ_URL is not set", good)
        self.assert_refused("must begin with amqp:// or amqps://", good, RABBITMQ_URL="http://x")
        self.assert_refused("RABBITMQ_URL is invalid", good, RABBITMQ_URL="amqp://x:notaport/")
        self.assert_refused("no password", good, RABBITMQ_URL="amqp://user@x/")

    def test_a_broker_can_be_given_in_parts(self) -> None:
        good = self.write("good.py", GOOD)
        self.assert_refused("RABBITMQ_PORT is not a port", good, RABBITMQ_HOST="x", RABBITMQ_PORT="port")
        started = self.lines_until_stopped(good, RABBITMQ_URL="", RABBITMQ_HOST="127.0.0.1", RABBITMQ_PORT="1")
        self.assertEqual((started[1]["host"], started[1]["port"], started[1]["vhost"]), ("127.0.0.1", 1, "/"))

    def test_reads_the_file_env_of_its_folder_but_the_environment_wins(self) -> None:
        good = self.write("good.py", GOOD)
        self.write(".env", 'RABBITMQ_URL="http://file"\nMILLRACE_LOG_LEVEL=loud\n')
        self.assert_refused("not 'loud'", good)
        self.assert_refused("RABBITMQ_URL is not set", good, MILLRACE_LOG_LEVEL="info")

    def test_reads_another_file_instead(self) -> None:
        good = self.write("good.py", GOOD)
        self.write(".env", "not read")
        other = self.write("other.env", "MILLRACE_LOG_LEVEL=loud")
        self.assert_refused("not 'loud'", good, "--env-file", other)
        self.assert_refused("Could not read", good, "--env-file", "missing.env")

    def test_says_what_is_wrong_with_the_log_level(self) -> None:
        self.assert_refused("MILLRACE_LOG_LEVEL must be one of", "twitter", MILLRACE_LOG_LEVEL="loud")

    def test_runs_files_and_modules_of_the_folder_it_was_started_in(self) -> None:
        self.write("mine/__init__.py", "")
        self.write("mine/fetcher.py", GOOD.replace("echo", "one"))
        self.write("names.py", "TYPE = 'two'")
        beside = self.write("beside.py", GOOD.replace('"echo"', "TYPE") + "\n")
        Path(beside).write_text("from names import TYPE\n" + Path(beside).read_text())
        lines = self.lines_until_stopped("mine.fetcher", "./beside.py")
        self.assertEqual(lines[0]["queues"], ["fetch.one", "fetch.two"])

    def test_logs_one_json_object_a_line(self) -> None:
        lines = self.lines_until_stopped(self.write("good.py", GOOD))
        self.assertEqual([line["msg"] for line in lines], ["started", "connection failed"])
        self.assertEqual((lines[1]["level"], lines[1]["host"], lines[1]["port"]), ("warn", "127.0.0.1", 1))
        self.assertRegex(lines[0]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_a_browser_belongs_to_instagram_and_is_looked_for_at_the_start(self) -> None:
        self.assert_refused("--browser can only be used with instagram", "twitter", "--browser")
        self.assert_refused("Could not import instagram", "instagram", "--browser", MILLRACE_CHROMEDRIVER="/nowhere/driver")

    def lines_until_stopped(self, *arguments: str, **environment: str) -> "list[dict[str, object]]":
        """Returns the first two log lines of a worker that cannot reach a broker."""
        process = subprocess.Popen(
            [sys.executable, "-m", "millrace_worker", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(PACKAGE_FOLDER), "RABBITMQ_URL": BROKER, **environment},
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        with process.stderr:
            lines = [json.loads(process.stderr.readline()) for _ in range(2)]
            process.terminate()
            self.assertEqual(process.wait(20), 0)
        return lines


class LoginCommand(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "session"
        self.fake = FakeInstagram()
        self.fake.start()
        self.addCleanup(self.fake.stop)
        self.fake.login.add_user("me", "correct horse", code="123456")

    def run_login(self, typed: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        given = {"MILLRACE_INSTAGRAM_URL": self.fake.url, "MILLRACE_INSTAGRAM_SESSION_FILE": str(self.file)}
        return subprocess.run(
            [sys.executable, "-m", "millrace_worker", "instagram", "--login"],
            cwd=PACKAGE_FOLDER,
            env={**os.environ, **given, **environment},
            input=typed,
            capture_output=True,
            text=True,
            timeout=60,
            # Without a terminal, the password is read from the standard input, too.
            start_new_session=True,
        )

    def test_asks_for_what_is_missing_and_keeps_the_session(self) -> None:
        ended = self.run_login("me\ncorrect horse\n123456\n")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn(f"Logged in as me. Workers with MILLRACE_INSTAGRAM_USERNAME=me use the session in {self.file}", ended.stdout)
        self.assertNotIn("horse", ended.stdout + ended.stderr)
        self.fake.add_account("nasa", posts=2, wants_login=True)
        names = {"MILLRACE_INSTAGRAM_USERNAME": "me", "MILLRACE_INSTAGRAM_SESSION_FILE": str(self.file)}
        page = Instagram({"MILLRACE_INSTAGRAM_URL": self.fake.url, **names}).fetch(command("nasa"))
        self.assertEqual(len(page.posts), 2)

    def test_a_wrong_code_or_no_answer_is_an_error(self) -> None:
        login = {"MILLRACE_INSTAGRAM_USERNAME": "me", "MILLRACE_INSTAGRAM_PASSWORD": "correct horse"}
        for typed, reason in (("1\n", "did not accept the code"), ("", "The login was not completed")):
            ended = self.run_login(typed, **login)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(reason, ended.stderr)
            self.assertNotIn("Traceback", ended.stderr)
        self.assertFalse(self.file.exists())

    def test_belongs_to_instagram(self) -> None:
        ended = subprocess.run(
            [sys.executable, "-m", "millrace_worker", "twitter", "--login"], cwd=PACKAGE_FOLDER, capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 2)
        self.assertIn("millrace-worker instagram --login", ended.stderr)
