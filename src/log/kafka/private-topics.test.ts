import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlaces } from "./keyed-places.ts";
import { createPrivateTopics, privateName, privateTopic } from "./private-topics.ts";
import type { OutgoingToPartition, Publisher } from "./publisher.ts";

describe("private topics", () => {
  it("each organization and kind has a name of its own, legal in Kafka and in no access list of another", () => {
    const first = "abcXYZ019".split("");
    const org = fc
      .tuple(
        fc.constantFrom(...first),
        fc.string({ unit: fc.constantFrom(...first, ".", "-", "_"), maxLength: 63 }),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(org, org, (one, other) => {
        const [name, others] = [
          privateTopic("p.", one, "events"),
          privateTopic("p.", other, "events"),
        ];
        expect(name).toMatch(/^[\w.-]{1,249}$/);
        if (one === other) return;
        // Kafka refuses names that differ in dots and underscores alone.
        expect(name.replaceAll(".", "_")).not.toBe(others.replaceAll(".", "_"));
        expect(`${privateName("g.", one)}group`.startsWith(privateName("g.", other))).toBe(false);
      }),
    );
    expect(privateTopic("", "acme", "dead-letters")).toBe("org.acme.dead-letters");
    expect(privateName("", "a.b_c")).toBe("org.a_2Eb_5Fc.");
  });

  it("a record goes to its organization's topic alone, and nowhere without a grant", async () => {
    const sent = new Map<string, readonly OutgoingToPartition[]>();
    const publisher: Pick<Publisher, "spread"> = {
      spread: (topic, records) => {
        sent.set(topic, records);
        return Promise.resolve();
      },
    };
    const topics = createPrivateTopics({
      topicPrefix: "p.",
      grants: { isGranted: (org) => Promise.resolve(org !== "none") },
      publisher: publisher as Publisher,
      compression: "zstd",
    });
    const records = ["acme", "beta", "none", "acme"].map((org, index) => ({
      org,
      key: `k${String(index % 3)}`,
      value: Buffer.from(org),
    }));
    await topics.publish("enriched", records);
    expect([...sent.keys()].toSorted()).toEqual(["p.org.acme.enriched", "p.org.beta.enriched"]);
    const ofAcme = sent.get("p.org.acme.enriched") ?? [];
    expect(ofAcme.map(({ value }) => value?.toString())).toEqual(["acme", "acme"]);
    expect(new Set(ofAcme.map(({ partition }) => partition)).size).toBe(1);

    // A hash that was made before gives the same partition.
    const place = createPlaces(5)("k0");
    await topics.publish("enriched", [{ ...place, org: "acme", value: Buffer.from("again") }]);
    expect(sent.get("p.org.acme.enriched")?.[0]?.partition).toBe(ofAcme[0]?.partition);
  });

  it("enriched transactions are packed as the settings say, everything else as the client of any program reads it", async () => {
    const sent: (readonly [topic: string, compression: string | undefined])[] = [];
    const publisher: Pick<Publisher, "spread"> = {
      spread: (topic, _, compression) => {
        sent.push([topic, compression]);
        return Promise.resolve();
      },
    };
    const topics = createPrivateTopics({
      topicPrefix: "p.",
      grants: { isGranted: () => Promise.resolve(true) },
      publisher: publisher as Publisher,
      compression: "zstd",
    });
    const record = { org: "acme", key: "k", value: Buffer.from("v") };
    for (const kind of ["enriched", "events"] as const) await topics.publish(kind, [record]);
    expect(sent).toEqual([
      ["p.org.acme.enriched", "zstd"],
      ["p.org.acme.events", "gzip"],
    ]);
  });
});
