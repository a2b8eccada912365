// Sends transactions to Ledgerline over Kafka. One JSON object of the API a line: java Producer.java < transactions.jsonl
// Prints the id of each batch that they are: GET /v3/batches/{id} follows it, and its event reports its end.
// Needs: org.apache.kafka:kafka-clients, org.apache.avro:avro (which brings Jackson)
import com.fasterxml.jackson.databind.*;
import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.avro.Schema;
import org.apache.avro.generic.*;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.serialization.ByteArraySerializer;

public class Producer {
  static final ObjectMapper JSON = new ObjectMapper();
  /** Transactions of a record, and of a batch: the most that Ledgerline takes. */
  static final int CHUNK = 250, BATCH = 24_960;

  public static void main(String[] args) throws Exception {
    var env = System.getenv();
    var topic = env.get("KAFKA_TOPIC_PREFIX") + "requests";
    var url = env.get("SCHEMA_REGISTRY_URL") + "/subjects/" + topic + "-value/versions/latest";
    var request = HttpRequest.newBuilder(URI.create(url)).build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException("The registry answered " + response.body());
    var latest = JSON.readTree(response.body());
    var schema = new Schema.Parser().parse(latest.get("schema").asText());
    var itemSchema = schema.getField("transactions").schema().getElementType();

    var transactions = new ArrayList<GenericRecord>();
    var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line; (line = lines.readLine()) != null; ) {
      transactions.add(record(itemSchema, JSON.readTree(line)));
    }

    var hmac = Mac.getInstance("HmacSHA256");
    hmac.init(new SecretKeySpec(env.get("SIGNING_SECRET").getBytes("UTF-8"), "HmacSHA256"));
    Map<String, Object> settings =
        Map.of("bootstrap.servers", env.get("KAFKA_BROKERS"), "acks", "all", "compression.type", "lz4");
    var bytes = new ByteArraySerializer();
    try (var producer = new KafkaProducer<byte[], byte[]>(settings, bytes, bytes)) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      var batchIds = new ArrayList<String>();
      for (var batch : parts(transactions, BATCH)) {
        var chunks = parts(batch, CHUNK);
        var batchId = UUID.randomUUID().toString();
        for (int index = 0; index < chunks.size(); index++) {
          // All records of a batch say how many they are, and how many transactions are in them together.
          // Fields that are left out get the defaults of the schema.
          var value = encode(latest.get("id").asInt(), new GenericRecordBuilder(schema)
              .set("org", env.get("ORGANIZATION")).set("batch_id", batchId).set("chunk_index", index)
              .set("chunk_count", chunks.size()).set("total", batch.size())
              .set("transactions", chunks.get(index)).build());
          // Kafka must append it within five minutes of this time; the client stops trying after two.
          var signed = "v2 " + env.get("SIGNING_KEY_ID") + ":" + System.currentTimeMillis() / 1000 + ":";
          hmac.update(signed.getBytes("UTF-8"));
          var signature = signed + HexFormat.of().formatHex(hmac.doFinal(value));
          var record = new ProducerRecord<byte[], byte[]>(topic, value);
          record.headers().add("ledgerline-signature", signature.getBytes("UTF-8"));
          sent.add(producer.send(record));
        }
        batchIds.add(batchId);
      }
      // Throws, and the exit code is 1, when a record may not have arrived.
      for (var one : sent) one.get();
      batchIds.forEach(System.out::println);
    }
  }

  static <T> List<List<T>> parts(List<T> all, int size) {
    var parts = new ArrayList<List<T>>();
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(from + size, all.size())));
    }
    return parts;
  }

  /** A record with the fields that the JSON object has; the others get their defaults. */
  static GenericRecord record(Schema schema, JsonNode json) {
    var builder = new GenericRecordBuilder(schema);
    for (var field : schema.getFields()) {
      var value = json.get(field.name());
      if (value == null || value.isNull()) continue;
      if (field.name().equals("date")) builder.set(field, (int) LocalDate.parse(value.asText()).toEpochDay());
      else if (field.name().equals("location")) builder.set(field, record(field.schema().getTypes().get(1), value));
      else if (field.schema().getType() == Schema.Type.ENUM)
        builder.set(field, new GenericData.EnumSymbol(field.schema(), value.asText()));
      else builder.set(field, value.isNumber() ? value.asDouble() : value.asText());
    }
    return builder.build();
  }

  /** A zero byte, the id of the schema, the Avro body. */
  static byte[] encode(int schemaId, GenericRecord record) throws IOException {
    var bytes = new ByteArrayOutputStream();
    new DataOutputStream(bytes).write(java.nio.ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    var encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    return bytes.toByteArray();
  }
}
