// Walks neither repeat nor skip what was there from their start to their end, whatever is added and deleted meanwhile.
import fc from "fast-check";
import { expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { coffee } from "../support/coffee.ts";

type Change = { readonly kind: "add" } | { readonly kind: "delete"; readonly pick: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const) }),
  fc.record({ kind: fc.constant("delete" as const), pick: fc.nat() }),
);

interface Page {
  readonly next_cursor: string | null;
  readonly data: readonly { readonly id: string }[];
}

async function walk(
  client: Client,
  limit: number,
  between: () => Promise<void>,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = answered(
      await client.call<Page>("GET", `/v3/transactions?limit=${String(limit)}${after}`),
      200,
    );
    seen.push(...page.data.map((one) => one.id));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return seen;
}

it("cursor walks under concurrent inserts and deletes", async () => {
  const { client } = await startService();
  let made = 0;
  const alive = new Set<string>();
  const add = async (): Promise<void> => {
    const id = `t${String((made += 1))}`;
    answered(await client.enrich(coffee(id)), 200);
    alive.add(id);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 20 }),
      async (limit, rounds) => {
        while (alive.size < 12) await add();
        const throughout = new Set(alive);
        let round = 0;
        const seen = await walk(client, limit, async () => {
          for (const step of rounds[round % rounds.length] ?? []) {
            if (step.kind === "add") {
              await add();
              continue;
            }
            const id = [...alive][step.pick % alive.size];
            if (id === undefined) continue;
            answered(await client.deleteTransaction(id), 204);
            alive.delete(id);
            throughout.delete(id);
          }
          round += 1;
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect([...throughout].filter((id) => !seen.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);
