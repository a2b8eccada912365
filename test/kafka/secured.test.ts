// Kafka as it is where others are on the network: TLS with an authority of one's own, and each way to say who one is.
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SaslSettings } from "../../src/log/kafka/settings.ts";
import { runCommand } from "../services/native/command.ts";
import { findJava, KAFKA_JAVA_MIN } from "../services/native/java.ts";
import { type KafkaCluster, startKafka } from "../services/native/kafka.ts";
import { claimPort, type PortClaim } from "../services/native/ports.ts";
import { createServerFolder, removeServerFolder } from "../services/native/server.ts";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { distributedEnvironment, dropInstallation, realServices } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { spawnProcess, startProcess } from "../support/process.ts";

const STORE_PASSWORD = "of-the-store";
const KEYTOOL_MS_MAX = 60_000;
const LOGIN = "org.apache.kafka.common.security";
const USERS: readonly SaslSettings[] = [
  { mechanism: "plain", username: "plain-user", password: "plain-password" },
  { mechanism: "scram-sha-256", username: "user-256", password: "password-256" },
  { mechanism: "scram-sha-512", username: "user-512", password: "password-512" },
];

let folder = "";
let port: PortClaim | null = null;
let kafka: KafkaCluster | null = null;

/** Makes a certificate for localhost of an unknown authority, and its PEM file. */
async function makeCertificate(store: string): Promise<void> {
  const java = await findJava(KAFKA_JAVA_MIN);
  if (java === null) throw new Error("There is no Java");
  const keytool = join(dirname(java.command), "keytool");
  const place = ["-alias", "broker", "-keystore", store, "-storepass", STORE_PASSWORD];
  await runCommand(
    keytool,
    [
      ...["-genkeypair", ...place, "-storetype", "PKCS12", "-keyalg", "RSA", "-validity", "2"],
      ...["-dname", "CN=localhost", "-ext", "SAN=dns:localhost"],
    ],
    KEYTOOL_MS_MAX,
  );
  const exported = ["-exportcert", "-rfc", ...place, "-file", join(folder, "ca.pem")];
  await runCommand(keytool, exported, KEYTOOL_MS_MAX);
}

function brokerSettings(store: string): Record<string, string> {
  const [plain] = USERS;
  const login = "listener.name.secure";
  return {
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
    [`${login}.plain.sasl.jaas.config`]: `${LOGIN}.plain.PlainLoginModule required user_${plain?.username ?? ""}="${plain?.password ?? ""}";`,
    [`${login}.scram-sha-256.sasl.jaas.config`]: `${LOGIN}.scram.ScramLoginModule required;`,
    [`${login}.scram-sha-512.sasl.jaas.config`]: `${LOGIN}.scram.ScramLoginModule required;`,
    "ssl.keystore.location": store,
    "ssl.keystore.password": STORE_PASSWORD,
    "ssl.key.password": STORE_PASSWORD,
    "ssl.keystore.type": "PKCS12",
  };
}

/** The environment of a process that reaches the secured listener as this user. */
function environment(name: string, user: SaslSettings): Record<string, string> {
  return {
    ...distributedEnvironment(realServices(name)),
    KAFKA_BROKERS: `localhost:${String(port?.port ?? 0)}`,
    KAFKA_TLS: "on",
    KAFKA_SASL_MECHANISM: user.mechanism,
    KAFKA_SASL_USERNAME: user.username,
    KAFKA_SASL_PASSWORD: user.password,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  };
}

beforeAll(async () => {
  folder = await createServerFolder("secured");
  port = await claimPort();
  const store = join(folder, "store.p12");
  await makeCertificate(store);
  kafka = await startKafka({
    securePort: port.port,
    settings: brokerSettings(store),
    scramUsers: USERS.slice(1).map(
      ({ mechanism, username, password }) =>
        `${mechanism.toUpperCase()}=[name=${username},password=${password}]`,
    ),
  });
});

afterAll(async () => {
  await kafka?.stop();
  await port?.release();
  await removeServerFolder(folder);
});

it.each(USERS)("a process authenticates with $mechanism over TLS, and works", async (user) => {
  const name = `secured-${String(process.pid)}-${user.mechanism}`;
  const env = environment(name, user);
  const service = await startProcess({ dataFolder: folder, env });
  try {
    const client = createClient(service.url);
    expect(answered(await client.enrich(coffee("t")), 200).error).toBeNull();
    service.kill("SIGTERM");
    expect(await service.exited).toMatchObject({ code: 0 });
  } finally {
    service.kill("SIGKILL");
    await service.exited;
    await dropInstallation(realServices(name));
  }
});

it.each([
  ["a wrong password", { KAFKA_SASL_PASSWORD: "not-the-password" }],
  ["a certificate of an authority that it does not know", { NODE_EXTRA_CA_CERTS: "" }],
])(
  "with %s a process waits, reports it without the secret, and takes nothing",
  async (_what, wrong) => {
    const [user] = USERS;
    if (user === undefined) throw new Error("There are users");
    const env = { ...environment("secured-refused", user), ...wrong };
    const service = spawnProcess({ dataFolder: folder, env });
    try {
      await until("it reports that it waits", () =>
        service.output().includes("dependency.unavailable") ? true : null,
      );
      expect(service.output()).not.toMatch(/not-the-password|plain-password|listens on/);
    } finally {
      service.kill("SIGKILL");
      await service.exited;
    }
  },
);
