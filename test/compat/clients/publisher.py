"""A team's own publisher: it declares the queue, in the other way if it exists in that one, and sends a job."""
import json
import os
import sys

import pika

WITH_DLX = {"x-dead-letter-exchange": "dlx", "x-dead-letter-routing-key": "failed_jobs"}
FORMS = {"plain": None, "dlx": WITH_DLX}

job_id, order = sys.argv[1], sys.argv[2].split(",")
connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
for form in order:
    channel = connection.channel()
    try:
        channel.queue_declare("scrape_jobs", durable=True, arguments=FORMS[form])
        print("declared", form, flush=True)
    except pika.exceptions.ChannelClosedByBroker as error:
        print("refused", form, error.reply_code, flush=True)
job = {"job_id": job_id, "user_id": 7, "industry": "bakeries", "geography": "Lyon", "source_types": ["google"]}
channel = connection.channel()
channel.confirm_delivery()
properties = pika.BasicProperties(delivery_mode=2)
channel.basic_publish("", "scrape_jobs", json.dumps(job), properties, mandatory=True)
print("sent", flush=True)
connection.close()
