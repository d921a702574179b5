"""A team's own scraper_worker.py: takes jobs from scrape_jobs one at a time and publishes what it finds."""
import json
import os
import sys
from datetime import datetime

import pika

DURABLE = pika.BasicProperties(delivery_mode=2)
arguments = {"dlx": {"x-dead-letter-exchange": "dlx", "x-dead-letter-routing-key": "failed_jobs"}}.get(sys.argv[1])


def publish(channel, job, status, **fields):
    result = {"job_id": job["job_id"], "status": status, "scraped_at": datetime.utcnow().isoformat()}
    result.update(fields)
    channel.basic_publish("", "scrape_results", json.dumps(result), DURABLE)


def company(name, **fields):
    lead = {"company_name": name, "website": "https://%s.com/" % name.lower(), "email": "info@%s.com" % name.lower()}
    lead.update(fields)
    return lead


def search(channel, job):
    query = job["search_query"] or ""
    if query == "two steps":
        publish(channel, job, "in_progress", leads=[company("Bakery")])
        publish(channel, job, "completed", leads=[company("Bakery"), company("Mill")], total_found=5)
    elif query == "fails":
        publish(channel, job, "error", error={"code": "BLOCKED", "message": "the site blocked us"})
    elif query == "partly":
        publish(channel, job, "partial", leads=[company("Oven", source_type="google")], error="web: no route")
    elif query == "twice":
        for _ in range(2):
            publish(channel, job, "success", leads=[company("Twice")])
    elif query == "broken":
        publish(channel, job, "success", leads=[{"website": "https://nameless.com/"}])
    elif query == "stranger":
        publish(channel, {"job_id": "nobody-asked"}, "success", leads=[])
        publish(channel, job, "success", leads=[])
    elif query != "silent":
        publish(channel, job, "success", leads=[company("Bread"), company("Bun")])


def on_job(channel, method, properties, body):
    job = json.loads(body)
    print("received", job["job_id"], job["user_id"], ",".join(job["source_types"]), flush=True)
    search(channel, job)
    channel.basic_ack(method.delivery_tag)


connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
channel = connection.channel()
channel.queue_declare("scrape_jobs", durable=True, arguments=arguments)
channel.queue_declare("scrape_results", durable=True)
channel.basic_qos(prefetch_count=1)
channel.basic_consume("scrape_jobs", on_job)
print("waiting for jobs", flush=True)
channel.start_consuming()
