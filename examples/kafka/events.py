# Prints events from Kafka as they come, each once, as one line of JSON. Stop it with Ctrl+C, or set COUNT to end after as many.
# Needs: pip install confluent-kafka fastavro
import collections
import io
import json
import os
import struct
import sys
import urllib.request

from confluent_kafka import Consumer
from fastavro import parse_schema, schemaless_reader

topic = os.environ["KAFKA_TOPIC_PREFIX"] + "events"
consumer = Consumer(
    {
        "bootstrap.servers": os.environ["KAFKA_BROKERS"],
        "group.id": os.environ.get("GROUP_ID", "example-events"),
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }
)
consumer.subscribe([topic])

count = int(os.environ.get("COUNT", "0"))
schemas = {}
# Repetitions come soon after the first. A consumer with a database makes event_id a unique key there instead.
SEEN_MAX = 100_000
seen = collections.OrderedDict()
printed = 0


def decode(value):
    _, schema_id = struct.unpack(">bI", value[:5])
    if schema_id not in schemas:
        with urllib.request.urlopen(f"{os.environ['SCHEMA_REGISTRY_URL']}/schemas/ids/{schema_id}", timeout=10) as response:
            schemas[schema_id] = parse_schema(json.loads(json.load(response)["schema"]))
    return schemaless_reader(io.BytesIO(value[5:]), schemas[schema_id], None)


try:
    while count == 0 or printed < count:
        message = consumer.poll(1)
        if message is None:
            continue
        if message.error() is not None:
            raise SystemExit(str(message.error()))
        event = decode(message.value())
        if event["event_id"] not in seen:
            seen[event["event_id"]] = True
            if len(seen) > SEEN_MAX:
                seen.popitem(last=False)
            # What webhooks get, byte for byte.
            print(event["body"], flush=True)
            printed += 1
        # Only now: after a crash the event comes again.
        consumer.commit(message, asynchronous=False)
except KeyboardInterrupt:
    sys.exit(0)
finally:
    consumer.close()
