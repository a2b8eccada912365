# Sends transactions to Ledgerline over Kafka. One JSON object of the API a line: python producer.py < transactions.jsonl
# Prints the id of each batch that they are: GET /v3/batches/{id} follows it, and its event reports its end.
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
import uuid
from datetime import date

from confluent_kafka import Producer
from fastavro import parse_schema, schemaless_writer

topic = os.environ["KAFKA_TOPIC_PREFIX"] + "requests"
secret = os.environ["SIGNING_SECRET"].encode()
# Transactions of a record, and of a batch: the most that Ledgerline takes.
CHUNK = 250
BATCH = 24_960

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


def send(record):
    value = io.BytesIO()
    value.write(struct.pack(">bI", 0, latest["id"]))
    # Fields that are left out get the defaults of the schema.
    schemaless_writer(value, schema, {"org": os.environ["ORGANIZATION"], **record})
    signed = f"v2 {os.environ['SIGNING_KEY_ID']}:{int(time.time())}:"
    mac = hmac.new(secret, signed.encode() + value.getvalue(), hashlib.sha256).hexdigest()
    headers = {"ledgerline-signature": signed + mac}
    producer.produce(topic, value.getvalue(), headers=headers, on_delivery=delivered)
    producer.poll(0)


transactions = [json.loads(line) for line in sys.stdin]
for transaction in transactions:
    transaction["date"] = date.fromisoformat(transaction["date"])
batch_ids = []
for begin in range(0, len(transactions), BATCH):
    batch = transactions[begin : begin + BATCH]
    batch_ids.append(str(uuid.uuid4()))
    # All records of a batch say how many they are, and how many transactions are in them together.
    chunks = [batch[start : start + CHUNK] for start in range(0, len(batch), CHUNK)]
    head = {"batch_id": batch_ids[-1], "chunk_count": len(chunks), "total": len(batch)}
    for index, chunk in enumerate(chunks):
        send({**head, "chunk_index": index, "transactions": chunk})
waiting = producer.flush(60)
if waiting or failures:
    sys.exit(f"{waiting + len(failures)} records may not have arrived: {failures[:1]}")
for batch_id in batch_ids:
    print(batch_id)
