"""A team's own RPC server: plain pika, dataclasses and isoformat()."""
import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import List, Optional

import pika


@dataclass
class Author:
    username: str
    display_name: str
    avatar_url: Optional[str] = None


@dataclass
class Post:
    external_id: int
    content: str
    title: str
    published_at: str
    author: Author
    media_urls: List[str] = field(default_factory=list)


def fetch(command):
    if command["externalId"] == "broken":
        error = {"code": "FETCH_ERROR", "message": "the page has changed", "details": "Traceback: line 1"}
        return {"status": "error", "error": error}
    author = Author(command["externalId"], "Somebody")
    published = datetime(2026, 1, 31, 12, 0).isoformat()
    posts = [asdict(Post(number, "Hello", "Post %d" % number, published, author)) for number in (1, 2)]
    metadata = {"total_available": 12, "skipped_count": 3}
    return {"status": "success", "data": {"posts": posts, "has_more": False, "metadata": metadata}}


def on_request(channel, method, properties, body):
    started = time.time()
    command = json.loads(body)
    answer = {"job_id": command["jobId"], "source_id": int(command["sourceId"])}
    answer.update(fetch(command))
    answer["timestamp"] = datetime.utcnow().isoformat()
    answer["processing_time"] = (time.time() - started) * 1000
    reply = pika.BasicProperties(correlation_id=properties.correlation_id)
    channel.basic_publish("", properties.reply_to, json.dumps(answer), reply)
    channel.basic_ack(method.delivery_tag)


queue = sys.argv[1]
connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
channel = connection.channel()
channel.queue_declare(queue, durable=True)
channel.basic_qos(prefetch_count=1)
channel.basic_consume(queue, on_request)
print("waiting for requests", flush=True)
channel.start_consuming()
