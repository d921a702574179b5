import json, os, pika


def search(job):
    # A real worker would search the source types of the job here.
    return [{"name": "Brot & Co", "domain": "brot.example", "source_type": job["source_types"][0]}]


def on_job(channel, method, properties, body):
    job = json.loads(body)
    result = {"job_id": job["job_id"]}
    try:
        result.update(status="completed", leads=search(job))
    except Exception as error:
        result.update(status="failed", error=str(error))
    durable = pika.BasicProperties(content_type="application/json", delivery_mode=2)
    channel.basic_publish("", "scrape_results", json.dumps(result).encode(), durable, mandatory=True)
    channel.basic_ack(method.delivery_tag)  # If the worker dies before, the next one gets the job.


connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
channel = connection.channel()
channel.confirm_delivery()
channel.basic_qos(prefetch_count=1)
channel.basic_consume("scrape_jobs", on_job)
channel.start_consuming()
