# Sends prepared records, one JSON object {"value", "headers"} a line with the value in base64, packed by COMPRESSION.
import base64
import json
import os
import sys

from confluent_kafka import Producer

producer = Producer(
    {
        "bootstrap.servers": os.environ["KAFKA_BROKERS"],
        "enable.idempotence": True,
        "compression.type": os.environ["COMPRESSION"],
        # All records of the test in one batch: what is packed alone need not be.
        "linger.ms": 500,
    }
)
for line in sys.stdin:
    record = json.loads(line)
    value = base64.b64decode(record["value"])
    producer.produce(os.environ["TOPIC"], value, headers=record["headers"], partition=0)
sys.exit(producer.flush(60))
