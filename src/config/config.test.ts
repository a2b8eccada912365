import { describe, expect, it } from "vitest";
import { configSummary } from "./summary.ts";
import { configWarnings, publicUrlOf, readConfig } from "./config.ts";

describe("readConfig", () => {
  it("has a default for every setting", () => {
    expect(readConfig({}, 3)).toEqual({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: null,
      dataFolder: ".ledgerline",
      apiKey: null,
      logLevel: "info",
      logFormat: "auto",
      poolThreads: 3,
      role: "all",
      distributed: null,
      encryptionKeys: null,
      webhooks: {
        allowCidrs: [],
        allowHttp: false,
        allowPorts: [
          { from: 443, to: 443 },
          { from: 80, to: 80 },
          { from: 1025, to: 65_535 },
        ],
        ratePerSecond: 50,
        failuresMax: 50,
        failingMs: 86_400_000,
        graceMs: 86_400_000,
        ed25519: false,
        operator: null,
      },
      limits: { requestsPerSecond: 0, creditsMax: 0, creditsPerSecond: 500 },
      unknownSettings: [],
      corsOrigins: [],
      strict: false,
      auditDays: 400,
      batchRetentionDays: 90,
      recognition: { languages: ["eng"], folder: null },
      otlp: null,
    });
  });

  const KEY = Buffer.alloc(32, 1).toString("base64");
  const OLD_KEY = Buffer.alloc(32, 2).toString("base64");
  const services = {
    ENCRYPTION_KEYS: KEY,
    KAFKA_BROKERS: "a:9092, b:9092",
    SCHEMA_REGISTRY_URL: "http://user:secret-of-the-registry@r:8081",
    MONGODB_URL: "mongodb://user:secret-of-mongodb@m1,m2/db?replicaSet=rs",
  };

  it("Kafka, registry and MongoDB together choose the distributed engine", () => {
    const config = readConfig({ ...services, LEDGERLINE_ROLE: "enrich" }, 1);
    expect(config.role).toBe("enrich");
    expect(config.distributed?.kafka).toEqual({
      brokers: ["a:9092", "b:9092"],
      topicPrefix: "ledgerline.",
      groupPrefix: "ledgerline.",
      partitions: 6,
      replicationFactor: null,
      minInsyncReplicas: null,
      retentionHours: 168,
      batchMinutes: 60,
      tls: false,
      sasl: null,
      producers: "signed",
      enriched: "kafka",
      isEnrichedShared: true,
      enrichedCompression: "gzip",
    });
    expect(readConfig(services, 1, "ingest").role).toBe("ingest");
  });

  it("keys have limits by default in the distributed engine, alone only if set", () => {
    const byDefault = { requestsPerSecond: 1_000, creditsMax: 50_000, creditsPerSecond: 500 };
    expect(readConfig(services, 1).limits).toEqual(byDefault);
    const off = { RATE_PER_S: "0", CREDITS_MAX: "0" };
    const none = { requestsPerSecond: 0, creditsMax: 0, creditsPerSecond: 500 };
    expect(readConfig({ ...services, ...off }, 1).limits).toEqual(none);
    const own = { RATE_PER_S: "5", CREDITS_MAX: "100", CREDITS_PER_S: "1", AUDIT_DAYS: "30" };
    expect(readConfig(own, 1)).toMatchObject({
      limits: { requestsPerSecond: 5, creditsMax: 100, creditsPerSecond: 1 },
      auditDays: 30,
    });
  });

  it("languages of statements are separated by commas, or by plus signs as Tesseract has them", () => {
    const own = { STATEMENT_LANGUAGES: "deu, eng+chi_sim", STATEMENT_TESSDATA: "/data" };
    expect(readConfig(own, 1).recognition).toEqual({
      languages: ["deu", "eng", "chi_sim"],
      folder: "/data",
    });
  });

  it.each([["KAFKA_BROKERS"], ["SCHEMA_REGISTRY_URL"], ["MONGODB_URL"]] as const)(
    "two of the three are refused with a sentence that names %s",
    (missing) => {
      expect(() => readConfig({ ...services, [missing]: "" }, 1)).toThrow(
        new RegExp(`and ${missing} not|but ${missing}`),
      );
    },
  );

  it("a role without the three is refused: one process does everything", () => {
    expect(() => readConfig({ LEDGERLINE_ROLE: "ingest" }, 1)).toThrow(
      /^LEDGERLINE_ROLE=ingest needs KAFKA_BROKERS.*single process/,
    );
  });

  it.each([
    ["KAFKA_BROKERS", "no port"],
    ["SCHEMA_REGISTRY_URL", "not a url"],
    ["MONGODB_URL", "http://x"],
    ["KAFKA_TOPIC_PREFIX", "a b"],
    ["KAFKA_PARTITIONS", "0"],
    ["KAFKA_BATCH_MINUTES", "0"],
    ["KAFKA_TLS", "maybe"],
    ["KAFKA_PRODUCERS", "everyone"],
    ["KAFKA_ENRICHED", "some"],
    ["KAFKA_ENRICHED_SHARED", "some"],
    ["KAFKA_ENRICHED_COMPRESSION", "lz4"],
    ["KAFKA_SASL_MECHANISM", "plain"],
    ["LEDGERLINE_ROLE", "everything"],
  ])("%s=%s is refused with one sentence that names the setting", (name, value) => {
    expect(() => readConfig({ ...services, [name]: value }, 1)).toThrow(
      new RegExp(`^${name}[ ,].*\\.$`),
    );
  });

  it("no password of a service is in the summary", () => {
    const sasl = {
      KAFKA_SASL_MECHANISM: "scram-sha-512",
      KAFKA_SASL_USERNAME: "u",
      KAFKA_SASL_PASSWORD: "secret-of-kafka",
    };
    const config = readConfig({ ...services, ...sasl }, 1);
    expect(config.distributed?.kafka.sasl?.password).toBe("secret-of-kafka");
    const summary = JSON.stringify(configSummary(config));
    expect(summary).not.toMatch(/secret-of/);
    expect(summary).toContain("mongodb://m1,m2/db");
  });

  it("an empty value counts as not set, and other programs' variables are left alone", () => {
    expect(readConfig({ PORT: "", LOG_LEVEL: " ", HOME: "/root", LEDGER: "x" }, 1).port).toBe(8080);
  });

  it.each([
    ["PORT", "abc"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["POOL_THREADS", "0"],
    ["POOL_THREADS", "1.5"],
    ["POOL_THREADS", "257"],
    ["LOG_LEVEL", "loud"],
    ["HOST", "not a host"],
    ["LEDGERLINE_API_KEY", "with space"],
    ["LEDGERLINE_API_KEY", "x".repeat(513)],
    ["LEDGERLINE_API_KEY", "x"],
    ["LEDGERLINE_API_KEY", "x".repeat(15)],
    ["LEDGERLINE_DATABASE", "x"],
    ["LEDGERLINE_", "x"],
    ["WEBHOOK_ALLOW_CIDRS", "10.0.0.0"],
    ["WEBHOOK_ALLOW_CIDRS", "10.0.0.0/33"],
    ["WEBHOOK_ALLOW_CIDRS", "10.0.0.0/8,"],
    ["WEBHOOK_ALLOW_CIDRS", "fd00::/129"],
    ["WEBHOOK_ALLOW_CIDRS", "fe80::1%eth0/64"],
    ["WEBHOOK_ALLOW_CIDRS", "localhost/8"],
    ["WEBHOOK_ALLOW_HTTP", "y"],
    ["WEBHOOK_PORTS", "0"],
    ["WEBHOOK_PORTS", "65536"],
    ["WEBHOOK_PORTS", "443,"],
    ["WEBHOOK_PORTS", "9000-8000"],
    ["WEBHOOK_PORTS", "https"],
    ["WEBHOOK_RATE", "0"],
    ["WEBHOOK_RATE", "100001"],
    ["WEBHOOK_FAILURES_MAX", "0"],
    ["WEBHOOK_FAILURES_MAX", "10001"],
    ["WEBHOOK_FAILING_HOURS", "721"],
    ["WEBHOOK_GRACE_HOURS", "169"],
    ["WEBHOOK_FAILING_HOURS", "1.5"],
    ["WEBHOOK_ED25519", "2"],
    ["WEBHOOK_OPERATOR_URL", "http://example.com/"],
    ["WEBHOOK_OPERATOR_URL", "https://10.0.0.1/"],
    ["WEBHOOK_OPERATOR_SECRET", "without a URL"],
    ["RATE_PER_S", "-1"],
    ["RATE_PER_S", "1000001"],
    ["RATE_PER_S", "1.5"],
    ["CREDITS_MAX", "100000001"],
    ["CREDITS_PER_S", "0"],
    ["CREDITS_PER_S", "10000001"],
    ["BATCH_RETENTION_DAYS", "-1"],
    ["BATCH_RETENTION_DAYS", "3651"],
    ["AUDIT_DAYS", "0"],
    ["AUDIT_DAYS", "3651"],
    ["STATEMENT_LANGUAGES", "../eng"],
    ["STATEMENT_LANGUAGES", "eng,deu,fra,spa,ita,por"],
  ])("%s=%s is refused with one sentence that names the setting", (name, value) => {
    expect(() => readConfig({ [name]: value }, 1)).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  it.each([
    ["ledgerline.example"],
    ["ftp://ledgerline.example"],
    ["https://user:top-secret@ledgerline.example"],
    ["https://ledgerline.example?a=1"],
    ["https://ledgerline.example/?"],
    ["https://ledgerline.example/#"],
    ["https://ledgerline.example/#a"],
    [`https://ledgerline.example/${"x".repeat(512)}`],
  ])("PUBLIC_URL=%s is refused with one sentence that does not repeat it", (text) => {
    expect(() => readConfig({ PUBLIC_URL: text }, 1)).toThrow(/^PUBLIC_URL (?!.*example).*\.$/);
  });

  it("the public URL is the one that is set, else where the service listens", () => {
    const of = (environment: Record<string, string>): string | null =>
      publicUrlOf(readConfig(environment, 1));
    expect(of({ PUBLIC_URL: "https://ledgerline.example/x/", PORT: "0" })).toBe(
      "https://ledgerline.example/x",
    );
    expect(of({ PUBLIC_URL: "https://ledgerline.example" })).toBe("https://ledgerline.example");
    expect(of({})).toBe("http://127.0.0.1:8080");
    expect(of({ HOST: "::1", PORT: "90" })).toBe("http://[::1]:90");
    // Not an address that a client could open.
    expect(of({ HOST: "0.0.0.0" })).toBe("http://127.0.0.1:8080");
    expect(of({ HOST: "::" })).toBe("http://[::1]:8080");
  });

  it("there is no public URL where the port is not known, or where there is no API", () => {
    expect(publicUrlOf(readConfig({ PORT: "0" }, 1))).toBeNull();
    const keyed = { ...services, ENCRYPTION_KEYS: KEY, LEDGERLINE_ROLE: "dispatch" };
    expect(publicUrlOf(readConfig(keyed, 1))).toBeNull();
    const enrich = { ...services, LEDGERLINE_ROLE: "enrich" };
    expect(publicUrlOf(readConfig(enrich, 1))).toBeNull();
    const named = { ...enrich, PUBLIC_URL: "https://l.example" };
    expect(publicUrlOf(readConfig(named, 1))).toBe("https://l.example");
  });

  it("reads how webhooks are called", () => {
    const config = readConfig(
      {
        WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16, fd00::/8",
        WEBHOOK_ALLOW_HTTP: "on",
        WEBHOOK_PORTS: "443, 8000-8999",
        WEBHOOK_RATE: "100000",
        WEBHOOK_FAILURES_MAX: "3",
        WEBHOOK_FAILING_HOURS: "0",
        WEBHOOK_GRACE_HOURS: "1",
        WEBHOOK_ED25519: "on",
        WEBHOOK_OPERATOR_URL: "https://10.1.2.3/hook",
        WEBHOOK_OPERATOR_SECRET: "of the operator",
      },
      1,
    );
    expect(config.webhooks).toEqual({
      allowCidrs: ["10.1.0.0/16", "fd00::/8"],
      allowHttp: true,
      allowPorts: [
        { from: 443, to: 443 },
        { from: 8000, to: 8999 },
      ],
      ratePerSecond: 100_000,
      failuresMax: 3,
      failingMs: 0,
      graceMs: 3_600_000,
      ed25519: true,
      operator: { url: "https://10.1.2.3/hook", secret: "of the operator" },
    });
    const summary = JSON.stringify(configSummary(config));
    for (const secret of ["10.1.2.3", "of the operator"]) expect(summary).not.toContain(secret);
  });

  it.each(["on", "true", "TRUE", "1", "yes", "Yes"])("a switch is on with %s", (text) => {
    const on = { WEBHOOK_ALLOW_HTTP: text, LEDGERLINE_STRICT: text, WEBHOOK_ED25519: text };
    const config = readConfig({ ...services, KAFKA_TLS: text, ...on }, 1);
    expect(config.webhooks).toMatchObject({ allowHttp: true, ed25519: true });
    expect(config.distributed?.kafka.tls).toBe(true);
    expect(config.strict).toBe(true);
  });

  it("takes exact origins that may call the API from a browser", () => {
    const CORS_ORIGINS = "https://app.example.com, http://localhost:3000";
    expect(readConfig({ CORS_ORIGINS }, 1).corsOrigins).toEqual([
      "https://app.example.com",
      "http://localhost:3000",
    ]);
  });

  it.each(["*", "app.example.com", "https://app.example.com/", "https://a.example,", "null"])(
    "CORS_ORIGINS=%s is refused with one sentence",
    (text) => {
      expect(() => readConfig({ CORS_ORIGINS: text }, 1)).toThrow(/^CORS_ORIGINS must be .*\.$/);
    },
  );

  it.each(["off", "false", "False", "0", "no", ""])("a switch is off with '%s'", (text) => {
    const config = readConfig({ WEBHOOK_ALLOW_HTTP: text, LEDGERLINE_STRICT: text }, 1);
    expect([config.webhooks.allowHttp, config.strict]).toEqual([false, false]);
  });

  it("takes several encryption keys, the current one first", () => {
    const ENCRYPTION_KEYS = `${KEY}, ${OLD_KEY}`;
    expect(readConfig({ ENCRYPTION_KEYS }, 1).encryptionKeys).toEqual([KEY, OLD_KEY]);
  });

  it("the distributed engine requires ENCRYPTION_KEYS, and the error shows how to make one", () => {
    const without = { ...services, ENCRYPTION_KEYS: "" };
    const sentence = /^ENCRYPTION_KEYS .*"openssl rand -base64 32".*\.$/;
    expect(() => readConfig(without, 1)).toThrow(sentence);
    expect(() => readConfig(without, 1, "ingest")).toThrow(sentence);
    expect(() => readConfig(without, 1, "enrich")).toThrow(sentence);
  });

  it.each([
    ["too short", "dG9wLXNlY3JldA=="],
    ["without its padding", KEY.slice(0, -1)],
    ["with bits that say nothing", `${KEY.slice(0, -2)}F=`],
    ["with a character of another alphabet", `_${KEY.slice(1)}`],
    ["missing after a comma", `${KEY},`],
  ])("an encryption key %s is refused with one sentence that does not repeat it", (_, keys) => {
    let message = "";
    try {
      readConfig({ ENCRYPTION_KEYS: keys }, 1);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^ConfigError: ENCRYPTION_KEYS .*\.$/);
    expect(message).not.toContain(keys);
  });

  it("of encryption keys the summary has the number alone", () => {
    const config = readConfig({ ENCRYPTION_KEYS: `${KEY},${OLD_KEY}` }, 1);
    expect(configSummary(config)).toMatchObject({ encryptionKeys: 2 });
    expect(configSummary(readConfig(services, 1))).toMatchObject({ encryptionKeys: 1 });
    expect(JSON.stringify(configSummary(config))).not.toContain(KEY);
  });

  it("a secret is in no message and in no summary", () => {
    const secret = "top-secret value";
    expect(() => readConfig({ LEDGERLINE_API_KEY: secret }, 1)).toThrow(/^(?!.*top-secret).*$/);
    const config = readConfig({ LEDGERLINE_API_KEY: "abc123-abc123-16" }, 1);
    expect(config.apiKey).toBe("abc123-abc123-16");
    expect(JSON.stringify(configSummary(config))).not.toContain("abc123-abc123-16");
  });
});

describe("valid settings that are seldom intended give a warning", () => {
  const warnings = (environment: Record<string, string>): string[] =>
    configWarnings(readConfig(environment, 1));

  it("logos that only this machine can fetch", () => {
    expect(warnings({ HOST: "0.0.0.0" })).toEqual([
      expect.stringContaining("http://127.0.0.1:8080") as string,
    ]);
    expect(warnings({ HOST: "0.0.0.0", PUBLIC_URL: "https://l.example" })).toEqual([]);
    expect(warnings({})).toEqual([]);
  });
});
