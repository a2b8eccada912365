# Sends transactions to Ledgerline over Kafka. One JSON object of the API a line: python producer.py < transactions.jsonl
# Needs: pip install confluent-kafka fastavro
import hashlib
import hmac
import io
import json
import os
import struct
import sys
import time
import urllib.request
from datetime import date

from confluent_kafka import Producer
from fastavro import parse_schema, schemaless_writer

topic = os.environ["KAFKA_TOPIC_PREFIX"] + "requests"
secret = os.environ["SIGNING_SECRET"].encode()

url = f"{os.environ['SCHEMA_REGISTRY_URL']}/subjects/{topic}-value/versions/latest"
with urllib.request.urlopen(url, timeout=10) as response:
    latest = json.load(response)
schema = parse_schema(json.loads(latest["schema"]))

producer = Producer(
    {
        "bootstrap.servers": os.environ["KAFKA_BROKERS"],
        "enable.idempotence": True,
        "compression.type": "zstd",
        # What is not sent by then fails here: Kafka must append it within five minutes of its signature.
        "delivery.timeout.ms": 240_000,
    }
)
failures = []


def delivered(error, _message):
    if error is not None:
        failures.append(error)


def send(transactions):
    value = io.BytesIO()
    value.write(struct.pack(">bI", 0, latest["id"]))
    # Fields that are left out get the defaults of the schema.
    schemaless_writer(value, schema, {"org": os.environ["ORGANIZATION"], "transactions": transactions})
    signed = f"v2 {os.environ['SIGNING_KEY_ID']}:{int(time.time())}:"
    mac = hmac.new(secret, signed.encode() + value.getvalue(), hashlib.sha256).hexdigest()
    headers = {"ledgerline-signature": signed + mac}
    producer.produce(topic, value.getvalue(), headers=headers, on_delivery=delivered)
    producer.poll(0)


transactions = [json.loads(line) for line in sys.stdin]
for transaction in transactions:
    transaction["date"] = date.fromisoformat(transaction["date"])
for start in range(0, len(transactions), 250):
    send(transactions[start : start + 250])
waiting = producer.flush(60)
if waiting or failures:
    sys.exit(f"{waiting + len(failures)} records may not have arrived: {failures[:1]}")
