// Two organizations on brokers that check access lists: what each of them may read and write, by the real command.
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type KafkaCluster, startKafka } from "../services/native/kafka.ts";
import { claimPort, type PortClaim } from "../services/native/ports.ts";
import { createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { runCommandOn } from "../support/command.ts";
import { realServices } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { startService, temporaryFolder, type TestService } from "../support/service.ts";
import { createKeysFor } from "./keys.ts";
import { distributedOf, purchase, readAll, signature } from "./outside.ts";

const ORGANIZATIONS = ["acme", "beta.corp"] as const;
type Org = (typeof ORGANIZATIONS)[number];
/** Without `requests`, to which it may write. */
const SHARED_TOPICS = [
  "requests-interactive",
  "statements",
  "replies",
  "enriched",
  "dead-letters",
  "clock",
];

let port: PortClaim;
let cluster: KafkaCluster;

beforeAll(async () => {
  port = await claimPort();
  const users = ORGANIZATIONS.map((org) => `user_${org}="${org}-password"`).join(" ");
  cluster = await startKafka({
    securePort: port.port,
    settings: {
      // Passwords without TLS: the network is this machine.
      "listener.security.protocol.map":
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_PLAINTEXT",
      "sasl.enabled.mechanisms": "PLAIN",
      "listener.name.secure.plain.sasl.jaas.config": `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`,
      "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
      // Ledgerline and the brokers among themselves, by the plain listener.
      "super.users": "User:ANONYMOUS",
      "allow.everyone.if.no.acl.found": "false",
    },
  });
});

afterAll(async () => {
  await cluster.stop();
  await port.release();
});

/** What `kafka grant` printed: the setting of this name. */
type Settings = (name: string) => string;

async function grant(service: TestService, org: Org, ...more: string[]): Promise<Settings> {
  const args = ["--organization", org, "--principal", `User:${org}`, ...more];
  const { code, stdout, stderr } = await runCommandOn(service, "kafka", "grant", ...args);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Access lists: User:${org}.`)]);
  const lines = stdout.toString().trimEnd().split("\n");
  const printed = new Map(lines.map((line) => [line.split("=")[0], line.replace(/^\w+=/, "")]));
  return (name) => printed.get(name) ?? "";
}

/** A client of a program of this organization. */
function clientOf(org: Org): Kafka {
  return new Kafka({
    brokers: [`localhost:${String(port.port)}`],
    ssl: false,
    sasl: { mechanism: "plain", username: org, password: `${org}-password` },
    logLevel: logLevel.NOTHING,
    retry: { retries: 2, initialRetryTime: 100 },
  });
}

async function startSecured(): Promise<TestService> {
  const dataFolder = temporaryFolder();
  const distributed = realServices(basename(dataFolder), {
    brokers: cluster.brokerList.split(","),
  });
  return startService({ config: { dataFolder, distributed } });
}

/** Sends a record as this user. */
async function send(org: Org, topic: string, value: Buffer, headers: object = {}): Promise<void> {
  const producer = clientOf(org).producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ value, headers: { ...headers } }], acks: -1 });
  } finally {
    await producer.disconnect();
  }
}

/** What this user reads of a topic, in a group of this name; the error's type where it may not. */
async function read(org: Org, topic: string, groupId: string): Promise<readonly Buffer[] | string> {
  try {
    return (await readAll(clientOf(org), topic, groupId)).map(({ value }) => value);
  } catch (error) {
    return error instanceof Error && "type" in error ? String(error.type) : String(error);
  }
}

/** Why a consumer of a topic that this user may describe ends; what it gets until then makes the test fail. */
async function consumerFailure(org: Org, topic: string, groupId: string): Promise<string> {
  const consumer = clientOf(org).consumer({ groupId, maxWaitTimeInMs: 100 });
  onTestFinished(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  return new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
      resolve(String(error));
    });
    const eachMessage = (): Promise<void> => {
      reject(new Error(`${org} has read a record of ${topic}`));
      return Promise.resolve();
    };
    consumer.run({ eachMessage }).catch(reject);
  });
}

it("an organization reads and writes what is its own on brokers with access lists, and nothing of another", async () => {
  const service = await startSecured();
  const { topicPrefix } = distributedOf(service).kafka;
  const keys = await createKeysFor(service, { acme: ["write"], "beta.corp": ["write"] });
  const settings = {
    acme: await grant(service, "acme"),
    "beta.corp": await grant(service, "beta.corp"),
  };
  const registry = new SchemaRegistry({ host: settings.acme("SCHEMA_REGISTRY_URL") });
  const schemaId = await registry.getLatestSchemaId(settings.acme("REQUESTS_SUBJECT"));

  for (const org of ORGANIZATIONS) {
    const own = settings[org];
    const key = { id: own("SIGNING_KEY_ID"), secret: own("SIGNING_SECRET") };
    const requests = own("REQUESTS_TOPIC");
    const good = await registry.encode(schemaId, {
      org,
      reply_to: { address: "0.mine", id: `call of ${org}` },
      transactions: [purchase(`over Kafka by ${org}`)],
    });
    await send(org, requests, good, signature(good, key));
    // A record of the other organization with a signature of one's own, and one that cannot be read.
    const foreign = await registry.encode(schemaId, {
      org: ORGANIZATIONS.find((other) => other !== org),
      transactions: [purchase(`forged by ${org}`)],
    });
    await send(org, requests, foreign, signature(foreign, key));
    const bad = Buffer.from(`not Avro by ${org}`);
    await send(org, requests, bad, signature(bad, key));
    await createClient(service.url, keys[org].secret).enrich(coffee(`over HTTP by ${org}`));
  }

  for (const org of ORGANIZATIONS) {
    const own = settings[org];
    const group = `${own("GROUP_PREFIX")}${randomUUID()}`;
    const decoded = async (name: string, count: number): Promise<readonly object[]> =>
      until(`${name} of ${org}`, async () => {
        const values = await read(org, own(name), `${group}-${name}`);
        if (typeof values === "string") throw new Error(values);
        if (values.length < count) return null;
        return Promise.all(values.map((value) => registry.decode(value) as Promise<object>));
      });
    const enriched = await decoded("ENRICHED_TOPIC", 2);
    expect(enriched).toHaveLength(2);
    for (const record of enriched) expect(record).toMatchObject({ org });
    expect(await decoded("REPLIES_TOPIC", 1)).toMatchObject([
      { address: "0.mine", id: `call of ${org}`, outcome: "stored" },
    ]);
    const letters = await decoded("DEAD_LETTERS_TOPIC", 2);
    expect(letters.map((letter) => (letter as { reason: string }).reason).toSorted()).toEqual([
      "undecodable",
      "wrong_organization",
    ]);
    for (const letter of letters) expect(letter).not.toHaveProperty("headers.ledgerline-signature");
    for (const letter of letters)
      expect((letter as { original: Buffer }).original.toString()).toContain(`by ${org}`);
    expect(await read(org, own("EVENTS_TOPIC"), `${group}-events`)).toEqual([]);
  }

  for (const org of ORGANIZATIONS) {
    const other = ORGANIZATIONS.find((one) => one !== org) ?? "acme";
    const theirs = settings[other];
    const own = settings[org];
    const foreign = ["ENRICHED_TOPIC", "REPLIES_TOPIC", "EVENTS_TOPIC", "DEAD_LETTERS_TOPIC"].map(
      theirs,
    );
    const group = `${own("GROUP_PREFIX")}${randomUUID()}`;
    for (const topic of [...foreign, ...SHARED_TOPICS.map((name) => topicPrefix + name)])
      expect([org, topic, await read(org, topic, group)]).toEqual([
        org,
        topic,
        "TOPIC_AUTHORIZATION_FAILED",
      ]);
    const requests = `${topicPrefix}requests`;
    expect(await consumerFailure(org, requests, group)).toMatch(/topic authorization failed/i);
    // In a group of the other organization, of which it would take partitions away; this is how the client reports it.
    const mine = own("ENRICHED_TOPIC");
    expect(await consumerFailure(org, mine, `${theirs("GROUP_PREFIX")}x`)).toMatch(
      /failed to find group coordinator/i,
    );
    for (const topic of [...foreign, mine, `${topicPrefix}replies`, `${topicPrefix}enriched`])
      await expect(send(org, topic, Buffer.from("forged"))).rejects.toThrow(
        /topic authorization failed/i,
      );
  }

  const rows = (org: Org): Promise<readonly { id: string }[]> =>
    createClient(service.url, keys[org].secret).listAll<{ id: string }>("/v3/transactions");
  for (const org of ORGANIZATIONS)
    expect((await rows(org)).map(({ id }) => id).toSorted()).toEqual([
      `over HTTP by ${org}`,
      `over Kafka by ${org}`,
    ]);
});

it("a second secret works as well as the first, and a grant that is revoked leaves no permission behind", async () => {
  const service = await startSecured();
  const keys = await createKeysFor(service, { acme: ["write"] });
  const first = await grant(service, "acme");
  const beta = await grant(service, "beta.corp");
  const second = await grant(service, "acme", "--rotate", "--credits", "1000:10");
  const registry = new SchemaRegistry({ host: first("SCHEMA_REGISTRY_URL") });
  const schemaId = await registry.getLatestSchemaId(first("REQUESTS_SUBJECT"));
  const requests = first("REQUESTS_TOPIC");
  const submit = async (id: string, by: Settings): Promise<void> => {
    const value = await registry.encode(schemaId, { org: "acme", transactions: [purchase(id)] });
    const key = { id: by("SIGNING_KEY_ID"), secret: by("SIGNING_SECRET") };
    await send("acme", requests, value, signature(value, key));
  };
  const ids = async (): Promise<readonly string[]> => {
    const client = createClient(service.url, keys.acme.secret);
    const rows = await client.listAll<{ id: string }>("/v3/transactions");
    return rows.map(({ id }) => id).toSorted();
  };
  await submit("by the first", first);
  await submit("by the second", second);
  await until("both are stored", async () => ((await ids()).length === 2 ? true : null));

  const revokeFirst = ["--organization", "acme", "--key", first("SIGNING_KEY_ID")];
  expect(await runCommandOn(service, "kafka", "revoke", ...revokeFirst)).toMatchObject({ code: 0 });
  const listed = (await runCommandOn(service, "kafka", "list")).stdout.toString();
  expect(listed).toContain(second("SIGNING_KEY_ID"));
  expect(listed).toContain(" 1000:10 ");
  expect(listed).not.toContain(first("SIGNING_KEY_ID"));
  expect(listed).not.toContain(second("SIGNING_SECRET"));

  const everything = ["--organization", "acme", "--delete-topics"];
  const revoked = await runCommandOn(service, "kafka", "revoke", ...everything);
  expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining("is revoked")]);
  await expect(submit("after the end", second)).rejects.toThrow(/topic authorization failed/i);
  const admin = new Kafka({
    brokers: cluster.brokerList.split(","),
    logLevel: logLevel.NOTHING,
  }).admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  const topics = await admin.listTopics();
  expect(topics).not.toContain(first("ENRICHED_TOPIC"));
  expect(topics).toContain(beta("ENRICHED_TOPIC"));
  // Neither a topic that is gone nor its access lists hold the work of others up.
  await createClient(service.url, keys.acme.secret).enrich(coffee("over HTTP"));
  expect(await ids()).toContain("over HTTP");
  expect(await read("beta.corp", beta("ENRICHED_TOPIC"), `${beta("GROUP_PREFIX")}g`)).toEqual([]);
});

it("without an authorizer a principal is refused before anything is made, and the warning is printed without one", async () => {
  const service = await startService();
  const args = ["kafka", "grant", "--organization", "acme"];
  const refused = await runCommandOn(service, ...args, "--principal", "User:acme");
  expect([refused.code, refused.stdout.toString()]).toEqual([1, ""]);
  expect(refused.stderr).toContain("have no authorizer");
  expect((await runCommandOn(service, "kafka", "list")).stdout.toString()).not.toContain("acme");
  const granted = await runCommandOn(service, ...args);
  expect([granted.code, granted.stderr]).toEqual([0, expect.stringContaining("no authorizer")]);
  const again = await runCommandOn(service, ...args);
  expect([again.code, again.stdout.toString()]).toEqual([
    0,
    granted.stdout.toString().replace(/^SIGNING_.*\n/gm, ""),
  ]);
});
