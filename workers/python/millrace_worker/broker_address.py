"""The address of RabbitMQ, from one variable or from several."""

from __future__ import annotations

import re
from typing import Mapping
from urllib.parse import quote

_EXAMPLE = "amqp://user:password@host:5672/vhost"


def broker_address(environ: Mapping[str, str]) -> str:
    """Raises ValueError with the name of the variable that is missing or invalid."""
    url = environ.get("RABBITMQ_URL")
    if url:
        return url
    host = environ.get("RABBITMQ_HOST")
    if not host:
        raise ValueError(f"RABBITMQ_URL is not set; an example is {_EXAMPLE}")
    # Kubernetes sets RABBITMQ_PORT=tcp://10.0.0.1:5672 in containers beside a service named rabbitmq.
    port = re.fullmatch(r"(?:tcp://[^/]+:)?(\d{1,5})", environ.get("RABBITMQ_PORT") or "5672")
    if not port:
        raise ValueError("RABBITMQ_PORT is not a port such as 5672")
    parts = (("RABBITMQ_USER", "guest"), ("RABBITMQ_PASSWORD", "guest"), ("RABBITMQ_VHOST", "/"))
    user, password, vhost = (quote(environ.get(name) or default, safe="") for name, default in parts)
    return f"amqp://{user}:{password}@{f'[{host}]' if ':' in host else host}:{port.group(1)}/{vhost}"
