# Reads enriched transactions from Kafka, each as one line of JSON, and of a transaction that comes again the last.
# Needs: pip install confluent-kafka fastavro
import json
import os

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition
from decoding import decode

topic = os.environ["ENRICHED_TOPIC"]
group = os.environ["GROUP_PREFIX"] + "example"
consumer = Consumer({"bootstrap.servers": os.environ["KAFKA_BROKERS"], "group.id": group})
partitions = consumer.list_topics(topic, 10).topics[topic].partitions
ends = {number: consumer.get_watermark_offsets(TopicPartition(topic, number), 10)[1] for number in partitions}
consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions])

latest = {}

while any(consumer.position([TopicPartition(topic, number)])[0].offset < end for number, end in ends.items() if end > 0):
    message = consumer.poll(10)
    if message is None:
        raise SystemExit("Kafka does not answer")
    if message.error() is not None:
        raise SystemExit(str(message.error()))
    record = decode(message.value())
    place = (record["org"], record["id"])
    # Of two records of one transaction the one with the greater order counts.
    if place not in latest or latest[place]["order"] < record["order"]:
        latest[place] = record

for record in latest.values():
    # Avro's logical types come as Python's own: datetime (with its time zone) and date.
    print(json.dumps(record, default=lambda value: f"{type(value).__name__} {value.isoformat()}"))
