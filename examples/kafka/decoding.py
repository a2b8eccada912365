# Decodes records in the Confluent wire format: a zero byte, the id of the schema, the Avro body. For enriched.py and events.py.
# Needs: pip install fastavro
import io
import json
import os
import struct
import urllib.request

from fastavro import parse_schema, schemaless_reader

schemas = {}


def decode(value):
    _, schema_id = struct.unpack(">bI", value[:5])
    if schema_id not in schemas:
        with urllib.request.urlopen(f"{os.environ['SCHEMA_REGISTRY_URL']}/schemas/ids/{schema_id}", timeout=10) as response:
            schemas[schema_id] = parse_schema(json.loads(json.load(response)["schema"]))
    return schemaless_reader(io.BytesIO(value[5:]), schemas[schema_id], None)
