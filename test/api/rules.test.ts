// Rules over real HTTP: kept in order, and felt by what is enriched after them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { runCommand } from "../support/command.ts";
import { startService, temporaryFolder } from "../support/service.ts";

type Rule = Readonly<Record<string, unknown>>;
type Listed = Rule & { readonly id: number };

const label = (text: string): Rule => ({ add_label: text });
const isCoffee = { is_substring: ["BLUE BOTTLE", { get: "description" }] };
const OWN_NAME: Rule = { if: isCoffee, then: [{ set: "merchant", to: "Our Café" }] };
const TREATS: Rule = { if: { "==": [{ get: "merchant" }, "Our Café"] }, then: [label("treats")] };

const LARGE: Rule = { if: { ">": [{ get: "amount" }, 1000] }, then: [label("large")] };

interface CoffeeFacts {
  readonly entities: { readonly counterparty: { readonly name: string } | null } | null;
  readonly categories: { readonly general: string | null } | null;
}

const rulesOf = async (client: Client): Promise<readonly Listed[]> =>
  answered(await client.call<Listed[]>("GET", "/v3/rules"), 200);
const replace = async (client: Client, rules: readonly Rule[]): Promise<readonly Listed[]> =>
  answered(await client.call<Listed[]>("POST", "/v3/rules/replace", rules), 200);

/** Counterparty and category of the coffee. */
async function factsOf(
  client: Client,
  id: string,
): Promise<readonly (string | null | undefined)[]> {
  const enriched = await client.enrich(coffee(id, { account_holder_id: "h" }));
  const { entities, categories } = answered(enriched, 200) as CoffeeFacts;
  return [entities?.counterparty?.name, categories?.general];
}

describe("rules", () => {
  it("change what is answered from the next transaction on, in their order, and survive a restart", async () => {
    const first = await startService();
    const { dataFolder } = first;
    answered(await first.client.createHolder("h", "consumer"), 200);
    const plain = ["Blue Bottle Coffee", "cafes and coffee shops"];
    expect(await factsOf(first.client, "t1")).toEqual(plain);
    await replace(first.client, [TREATS, OWN_NAME]);
    expect(await factsOf(first.client, "t2")).toEqual(["Our Café", "cafes and coffee shops"]);
    await replace(first.client, [OWN_NAME, TREATS]);
    expect(await factsOf(first.client, "t3")).toEqual(["Our Café", "treats"]);
    await first.close();

    const { client } = await startService({ config: { dataFolder } });
    expect(await rulesOf(client)).toHaveLength(2);
    expect(await factsOf(client, "t4")).toEqual(["Our Café", "treats"]);
    answered(await client.call("DELETE", "/v3/rules/1"), 200);
    expect(await factsOf(client, "t5")).toEqual(["Our Café", "cafes and coffee shops"]);
    await replace(client, []);
    expect(await factsOf(client, "t6")).toEqual(plain);
  });
});

describe("ledgerline rules test", () => {
  it("shows what the rules of a file would change in a bank's export", async () => {
    const folder = temporaryFolder();
    const [file, lines] = [join(folder, "rules.json"), join(folder, "export.csv")];
    writeFileSync(file, JSON.stringify([OWN_NAME, TREATS, LARGE]));
    writeFileSync(
      lines,
      "Date,Description,Amount\n2026-05-04,SQ *BLUE BOTTLE COFFEE OAKLAND CA,-6.50\n",
    );
    const { code, stdout } = await runCommand({}, "rules", "test", file, "--on", lines, "--json");
    expect(code).toBe(0);
    const fields = [
      { field: "entities.counterparty.name", before: "Blue Bottle Coffee", after: "Our Café" },
      { field: "categories.general", before: "cafes and coffee shops", after: "treats" },
    ];
    expect(JSON.parse(stdout.toString("utf8"))).toMatchObject({
      ...{ transactions: 1, changed: 1, failed_rules: [], needless_rules: [2] },
      changes: [{ line: 2, rules: [0, 1], fields: expect.arrayContaining(fields) as unknown }],
    });
  });

  it("reports where a ruleset is wrong, with exit code 2", async () => {
    const file = join(temporaryFolder(), "rules.json");
    writeFileSync(file, JSON.stringify([OWN_NAME, { set: "website", to: 1 }]));
    const { code, stderr } = await runCommand({}, "rules", "test", file, "--on", file);
    expect([code, stderr]).toEqual([
      2,
      `${file} is not a ruleset.\nrules[1].to: expected text, found number\n`,
    ]);
  });
});
