# Prints events from Kafka as they come, each once, as one line of JSON. Stop it with Ctrl+C, or set COUNT to end after as many.
# Needs: pip install confluent-kafka fastavro
import collections
import os
import sys

from confluent_kafka import Consumer
from decoding import decode

consumer = Consumer(
    {
        "bootstrap.servers": os.environ["KAFKA_BROKERS"],
        "group.id": os.environ["GROUP_PREFIX"] + "example-events",
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
    }
)
consumer.subscribe([os.environ["EVENTS_TOPIC"]])

count = int(os.environ.get("COUNT", "0"))
# Repetitions come soon after the first. A consumer with a database makes event_id a unique key there instead.
SEEN_MAX = 100_000
seen = collections.OrderedDict()
printed = 0

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
