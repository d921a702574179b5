from __future__ import annotations

import unittest

from millrace_worker import Command, LeadPage, Page, Registry


class RegistryTest(unittest.TestCase):
    def test_a_type_names_its_queue(self) -> None:
        registry = Registry()
        registry.fetcher("instagram")(lambda _: Page([]))
        registry.scraper("web")(lambda _: LeadPage([]))
        self.assertEqual([plugin.queue for plugin in registry.plugins], ["fetch.instagram", "scrape.web"])

    def test_a_type_is_registered_once(self) -> None:
        registry = Registry()
        registry.fetcher("instagram")(lambda _: Page([]))
        with self.assertRaisesRegex(ValueError, "fetch.instagram"):
            registry.fetcher("instagram")(lambda _: Page([]))

    def test_a_fetcher_and_a_scraper_may_share_a_type(self) -> None:
        registry = Registry()
        registry.fetcher("web")(lambda _: Page([]))
        registry.scraper("web")(lambda _: LeadPage([]))
        self.assertEqual(len(registry.plugins), 2)

    def test_the_function_stays_what_it_was(self) -> None:
        def fetch(_: Command) -> Page:
            return Page([])

        self.assertIs(Registry().fetcher("x")(fetch), fetch)

    def test_a_name_that_no_queue_of_millrace_has_is_refused(self) -> None:
        for name in ("", "Instagram", "two words", "a.b", "x" * 51):
            with self.subTest(name=name), self.assertRaisesRegex(ValueError, "lower-case"):
                Registry().fetcher(name)
