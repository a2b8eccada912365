// How an operator handles dead letters, with the real commands, while the service runs.
import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { answered } from "../support/client.ts";
import { listDeadLetters, runCommandOn } from "../support/command.ts";
import { distributedConfig } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { startService, type TestService, temporaryFolder } from "../support/service.ts";
import { distributedOf, joinFromOutside, type Outside, purchase } from "./outside.ts";

async function amountOf({ client }: TestService, id: string): Promise<number | null> {
  const found = await client.getTransaction(id);
  return found.kind === "answered" && found.status === 200 ? found.body.amount : null;
}

function oneOf(outside: Outside, id: string, amount: number): Promise<Buffer> {
  return outside.encode({ transactions: [purchase(id, { amount })] });
}

it("list shows ids and reasons, show the record to the last byte, drop removes it", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const bytes = randomBytes(100_000);
  const headers = { "ledgerline-signature": "unknown:00", trace: Buffer.from([1, 2, 254, 255]) };
  const before = Date.now();
  await outside.send({ key: "ключ", value: bytes, headers }, { value: "secret text" });
  await outside.settled();

  const listed = await listDeadLetters(service);
  expect(listed.map(({ reason, bytes: size }) => [reason, size]).toSorted()).toEqual(
    [
      ["unsigned", 100_000],
      ["unsigned", 11],
    ].toSorted(),
  );
  for (const { failedAt } of listed) {
    expect(Date.parse(failedAt)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(failedAt)).toBeLessThanOrEqual(Date.now());
  }
  const large = listed.find(({ bytes: size }) => size === 100_000)?.id ?? "";
  const small = listed.find(({ bytes: size }) => size === 11)?.id ?? "";
  const printed = await runCommandOn(service, "dead-letters", "list");
  expect(printed.stdout.toString()).not.toContain("secret text");

  const raw = await runCommandOn(service, "dead-letters", "show", "--raw", large);
  expect([raw.code, raw.stdout.equals(bytes)]).toEqual([0, true]);
  const shown = await runCommandOn(service, "dead-letters", "show", large);
  const letter = JSON.parse(shown.stdout.toString("utf8")) as Record<string, unknown>;
  expect(letter).toMatchObject({
    id: large,
    topic: outside.topic("requests"),
    reason: "unsigned",
    key: "ключ",
    headers: { "ledgerline-signature": "unknown:00", trace: "\u0001\u0002þÿ" },
  });
  expect(Buffer.from(letter["original"] as string, "base64").equals(bytes)).toBe(true);

  const dropped = await runCommandOn(service, "dead-letters", "drop", large);
  expect([dropped.code, dropped.stderr]).toEqual([0, `Dead letter ${large} was deleted.\n`]);
  expect((await listDeadLetters(service)).map(({ id }) => id)).toEqual([small]);
  expect((await outside.deadLetters()).size).toBe(1);
});

it("a record that is replayed after its producers became trusted is processed in its old place: what came in between stays", async () => {
  const dataFolder = temporaryFolder();
  const signed = await startService({ config: { dataFolder } });
  const outside = await joinFromOutside(signed);
  await outside.send({ value: await oneOf(outside, "t", 1) });
  await outside.send({ value: await oneOf(outside, "u", 1) });
  await outside.settled();
  await outside.send(outside.signed(await oneOf(outside, "t", 2)));
  await outside.settled();
  expect(await amountOf(signed, "t")).toBe(2);
  const letters = (await listDeadLetters(signed)).map(({ id }) => id);
  expect(letters).toHaveLength(2);
  await signed.close();

  const distributed = distributedConfig(dataFolder, { producers: "trusted" });
  const service = await startService({ config: { dataFolder, distributed } });
  const replayed = await runCommandOn(service, "dead-letters", "replay", ...letters);
  expect(replayed.code).toBe(0);
  expect(replayed.stderr).toMatch(/^(Dead letter \S+ is back in the log\.\n){2}$/);
  await outside.settled();
  expect(await amountOf(service, "u")).toBe(1);
  expect(await amountOf(service, "t")).toBe(2);
  expect(await listDeadLetters(service)).toEqual([]);
  // Readers of `enriched` come to the same end.
  const records = (await outside.enriched()).filter(({ record }) => record.id === "t");
  const last = records.toSorted((a, b) => (a.record.order < b.record.order ? -1 : 1)).at(-1);
  expect(last?.record.amount).toBe(2);
});

it("a record whose schema was not registered yet is processed when it is replayed after that, and keeps its place", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const schemaId = await outside.schemaId();
  const { schemaRegistryUrl } = distributedOf(service);
  const answer = await fetch(`${schemaRegistryUrl}/schemas/ids/${String(schemaId)}`);
  const { schema } = (await answer.json()) as { readonly schema: string };
  const good = await oneOf(outside, "t", 1);
  // The registry gives its ids to others too meanwhile: an id that became the schema of another is tried again.
  for (let isOurs = false; !isOurs; ) {
    let id = await outside.registerOwn({
      type: "record",
      name: "Probe",
      doc: randomUUID(),
      fields: [],
    });
    const ahead = id + 20;
    const early = Buffer.from(good);
    early.writeUInt32BE(ahead, 1);
    await outside.send(outside.signed(early));
    await outside.settled();
    const [letter] = await listDeadLetters(service);
    expect(letter?.reason).toBe("undecodable");
    if (letter?.error === `schema id ${String(ahead)} is unknown`) {
      await outside.send(outside.signed(await oneOf(outside, "t", 2)));
      await outside.settled();
      while (id < ahead) {
        id = await outside.registerOwn({ ...(JSON.parse(schema) as object), doc: randomUUID() });
      }
      isOurs = id === ahead;
    }
    if (!isOurs) await runCommandOn(service, "dead-letters", "drop", letter?.id ?? "");
  }
  // An id that was unknown is asked for again after ten seconds.
  await until(
    "the record is processed",
    async () => {
      for (const { id, error } of await listDeadLetters(service)) {
        expect(error).toMatch(/^schema id \d+ is unknown$/);
        await runCommandOn(service, "dead-letters", "replay", id);
        await outside.settled();
      }
      return (await listDeadLetters(service)).length === 0 ? true : null;
    },
    60_000,
  );
  const processed = (await outside.enriched()).filter(({ record }) => record.amount === 1);
  expect(processed.length).toBeGreaterThan(0);
  expect(await amountOf(service, "t")).toBe(2);
});

it("a replay that fails again is among the dead letters again, as what it was", async () => {
  const service = await startService();
  const outside = await joinFromOutside(service);
  const value = await oneOf(outside, "t", 1);
  await outside.send({ key: "k", value });
  await outside.settled();
  const [first] = [...(await outside.deadLetters()).values()];
  const [listed] = await listDeadLetters(service);
  await runCommandOn(service, "dead-letters", "replay", listed?.id ?? "");
  await outside.settled();
  const again = [...(await outside.deadLetters()).values()];
  expect(again).toHaveLength(1);
  expect(again[0]).toMatchObject({ key: "k", reason: "unsigned", order: first?.order });
  expect(again[0]?.original.equals(value)).toBe(true);
  expect(answered(await service.client.getTransaction("t"), 404)).toBeDefined();
});
