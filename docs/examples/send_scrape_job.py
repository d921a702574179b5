import json, os, pika

job = {"job_id": "crm-17", "user_id": "alice", "keywords": ["bakery"], "geography": "Berlin", "source_types": ["google"]}
connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
channel = connection.channel()
channel.confirm_delivery()  # basic_publish now fails unless RabbitMQ has accepted the message.
durable = pika.BasicProperties(content_type="application/json", delivery_mode=2)
channel.basic_publish("", "scrape_jobs", json.dumps(job).encode(), durable, mandatory=True)
connection.close()
