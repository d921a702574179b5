from __future__ import annotations

import unittest

from millrace_worker.broker_address import broker_address


class BrokerAddressTest(unittest.TestCase):
    def test_one_variable_has_it_all(self) -> None:
        given = {"RABBITMQ_URL": "amqps://a:b@c/d", "RABBITMQ_HOST": "other"}
        self.assertEqual(broker_address(given), "amqps://a:b@c/d")

    def test_parts_have_the_defaults_of_rabbitmq(self) -> None:
        self.assertEqual(broker_address({"RABBITMQ_HOST": "broker"}), "amqp://guest:guest@broker:5672/%2F")

    def test_parts_may_have_any_characters(self) -> None:
        parts = {"HOST": "::1", "PORT": "5673", "USER": "a b", "PASSWORD": "p@/:%", "VHOST": "v/1"}
        given = {f"RABBITMQ_{name}": value for name, value in parts.items()}
        self.assertEqual(broker_address(given), "amqp://a%20b:p%40%2F%3A%25@[::1]:5673/v%2F1")

    def test_the_port_of_a_service_in_kubernetes_is_understood(self) -> None:
        given = {"RABBITMQ_HOST": "rabbitmq", "RABBITMQ_PORT": "tcp://10.0.0.1:5674"}
        self.assertEqual(broker_address(given), "amqp://guest:guest@rabbitmq:5674/%2F")

    def test_what_is_missing_or_wrong_is_named(self) -> None:
        for given, name in (({}, "RABBITMQ_URL"), ({"RABBITMQ_HOST": "x", "RABBITMQ_PORT": "y"}, "RABBITMQ_PORT")):
            with self.assertRaisesRegex(ValueError, name):
                broker_address(given)
