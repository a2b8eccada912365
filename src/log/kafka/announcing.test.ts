import { expect, it } from "vitest";
import type { EnrichedRecord } from "../../model/records.ts";
import { createAnnouncing } from "./announcing.ts";

const record = (org: string, holder: string): EnrichedRecord => ({
  org,
  requestId: "",
  batchId: null,
  createdAt: 0,
  order: "1",
  input: {
    id: `${org}-${holder}`,
    description: "COFFEE",
    date: "2026-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: holder,
    location: null,
  },
  result: { facts: null, factsBytes: null, error: null },
});

/** What was added to the topic of all organizations, and to private ones. */
async function announced(isShared: boolean, records: readonly EnrichedRecord[]) {
  const shared: (readonly [topic: string, value: string | undefined, partition: number])[] = [];
  const privately: (readonly [org: string, value: string])[] = [];
  const announce = createAnnouncing({
    ...{ topic: "p.enriched", partitions: 4, isShared, compression: "zstd" },
    encode: (all) => all.map(({ input }) => Buffer.from(input.id)),
    publisher: {
      spread: (topic, all, compression) => {
        expect(compression).toBe("zstd");
        for (const { value, partition } of all)
          shared.push([topic, value?.toString(), partition] as const);
        return Promise.resolve();
      },
    },
    privately: {
      publish: (kind, all) => {
        expect(kind).toBe("enriched");
        privately.push(...all.map(({ org, value }) => [org, value.toString()] as const));
        return Promise.resolve();
      },
    },
  });
  await announce(records);
  return { shared, privately };
}

const records = [record("acme", "h1"), record("beta", "h2"), record("acme", "h1")];
const ofTheirOwn = [
  ["acme", "acme-h1"],
  ["beta", "beta-h2"],
  ["acme", "acme-h1"],
];

it("results go to the topic of all and to private ones, those of a holder to one partition", async () => {
  const { shared, privately } = await announced(true, records);
  expect(shared.map(([topic, value]) => [topic, value])).toEqual(
    ofTheirOwn.map(([, value]) => ["p.enriched", value]),
  );
  expect(shared[0]?.[2]).toBe(shared[2]?.[2]);
  expect(privately).toEqual(ofTheirOwn);
});

it("results that are not shared are on private topics alone", async () => {
  expect(await announced(false, records)).toEqual({ shared: [], privately: ofTheirOwn });
});
