import { describe, expect, it } from "vitest";
import type { Actor, AuditEntry } from "../model/audit.ts";
import { type Rule, RULESET_BYTES_MAX } from "../model/rules.ts";
import { createRules, type RulesPorts } from "./rules.ts";

const BY: Actor = { keyId: "k", requestId: "r" };
const label = (text: string): Rule => ({ add_label: text });

/** Rules over a store in memory; `before` runs before every write. */
function setUp(before: () => void = () => undefined) {
  const entries = new Map<string, AuditEntry>();
  const versions: string[] = [];
  const stored = new Map<string, { revision: number; rules: readonly Rule[] }>();
  const of = (org: string) => stored.get(org) ?? { revision: 0, rules: [] };
  let ids = 0;
  const ports: RulesPorts = {
    getRuleset: (org) => Promise.resolve(of(org)),
    replaceRuleset: async (seen, rules, version, entry) => {
      await Promise.resolve();
      before();
      if (of(entry.org).revision !== seen.revision) return false;
      stored.set(entry.org, { revision: seen.revision + 1, rules });
      versions.push(version);
      entries.set(entry.id, entry);
      return true;
    },
    changeOf: (_org, id) => Promise.resolve(entries.get(id) ?? null),
    nowMs: () => 7,
    newId: () => `id${String((ids += 1))}`,
  };
  return { rules: createRules(ports), ports, stored, entries, versions };
}

describe("rules", () => {
  it("a rule is known by its place, and those behind a deleted one move up", async () => {
    const { rules } = setUp();
    for (const [id, text] of ["a", "b", "c"].entries()) {
      expect(await rules.append("o", label(text), BY, text)).toEqual({ ok: true, id });
    }
    expect(await rules.change("o", 1, label("B"), BY)).toEqual({ ok: true, id: 1 });
    expect(await rules.remove("o", 0, BY)).toEqual({ ok: true, id: 0 });
    expect(await rules.list("o")).toEqual([label("B"), label("c")]);
    expect(await rules.list("other")).toEqual([]);
  });

  it.each([2, 999_999_999])(
    "a place that is not there (%d) is refused and changes nothing",
    async (id) => {
      const { rules, versions } = setUp();
      await rules.replace("o", [label("a"), label("b")], BY, "x");
      const refused = { ok: false, reason: "unknown_id" };
      expect(await rules.change("o", id, label("c"), BY)).toEqual(refused);
      expect(await rules.remove("o", id, BY)).toEqual(refused);
      expect(await rules.list("o")).toEqual([label("a"), label("b")]);
      expect(versions).toHaveLength(1);
    },
  );

  it("a ruleset may have the bytes of UTF-8 of the limit, and not one more", async () => {
    const { rules, versions } = setUp();
    const text = "é".repeat((RULESET_BYTES_MAX - '[{"add_label":""}]'.length) / 2);
    const full = label(text);
    expect(Buffer.byteLength(JSON.stringify([full]))).toBe(RULESET_BYTES_MAX);
    expect(await rules.replace("o", [full], BY, "x")).toMatchObject({ ok: true });
    const refused = { ok: false, reason: "too_large" };
    expect(await rules.append("o", label(""), BY, "y")).toEqual(refused);
    const longer = label(`${text}x`);
    expect(await rules.change("o", 0, longer, BY)).toEqual(refused);
    expect(await rules.replace("o", [longer], BY, "z")).toEqual(refused);
    expect(await rules.list("o")).toEqual([full]);
    expect(versions).toHaveLength(1);
    expect(await rules.remove("o", 0, BY)).toMatchObject({ ok: true });
  });

  it("every change creates a settings version and an audit entry without content", async () => {
    const { rules, entries, versions } = setUp();
    await rules.append("o", label("secret"), BY, "c1");
    await rules.replace("o", [label("secret"), label("secret")], BY, "c2");
    await rules.change("o", 1, label("secret"), BY);
    await rules.remove("o", 0, BY);
    expect(new Set(versions).size).toBe(4);
    const all = [...entries.values()];
    const common = { ...BY, org: "o", createdAt: 7 };
    expect(all).toMatchObject([
      { ...common, action: "rules.appended", subject: "0", details: { id: 0, rules: 1 } },
      { ...common, action: "rules.replaced", subject: "ruleset", details: { rules: 2 } },
      { ...common, action: "rule.changed", subject: "1", details: { id: 1, rules: 2 } },
      { ...common, action: "rule.deleted", subject: "0", details: { id: 0, rules: 1 } },
    ]);
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  it("a repeated change changes nothing and returns the same result", async () => {
    const { rules, versions } = setUp();
    await rules.append("o", label("a"), BY, "c1");
    const second = await rules.append("o", label("b"), BY, "c2");
    await rules.remove("o", 0, BY);
    expect(await rules.append("o", label("b"), BY, "c2")).toEqual(second);
    await rules.replace("o", [], BY, "c3");
    await rules.append("o", label("c"), BY, "c4");
    expect(await rules.replace("o", [], BY, "c3")).toMatchObject({ ok: true });
    expect(await rules.list("o")).toEqual([label("c")]);
    expect(versions).toHaveLength(5);
  });

  it("a change that is repeated while another process still does it is done once", async () => {
    let isFirst = true;
    const { rules, ports } = setUp(() => {
      if (!isFirst) return;
      isFirst = false;
      repeated = createRules(ports).append("o", label("a"), BY, "c1");
    });
    let repeated: Promise<unknown> = Promise.resolve(null);
    const done = await rules.append("o", label("a"), BY, "c1");
    expect(await repeated).toEqual(done);
    expect(await rules.list("o")).toEqual([label("a")]);
  });

  it("a conflicting change retries, and fails without a change after its retries", async () => {
    let others = 5;
    const { rules, stored } = setUp(() => {
      if (others <= 0) return;
      others -= 1;
      const { revision, rules: seen } = stored.get("o") ?? { revision: 0, rules: [] };
      stored.set("o", { revision: revision + 1, rules: [...seen, label("other")] });
    });
    expect(await rules.append("o", label("mine"), BY, "c1")).toEqual({ ok: true, id: 5 });
    others = Infinity;
    expect(await rules.append("o", label("late"), BY, "c2")).toEqual({ ok: false, reason: "busy" });
    expect(await rules.list("o")).not.toContainEqual(label("late"));
  });

  it("concurrent appends get distinct positions; too many fail as retryable", async () => {
    let writes = 0;
    const { rules } = setUp(() => {
      writes += 1;
    });
    const many = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        rules.append("o", label(String(i)), BY, `c${String(i)}`),
      ),
    );
    const done = many.flatMap((change) => (change.ok ? [change.id] : []));
    expect(done).toEqual(Array.from({ length: 257 }, (_, i) => i));
    expect(many.filter((change) => !change.ok && change.reason === "busy")).toHaveLength(43);
    expect(writes).toBe(257);
    expect(await rules.append("o", label("later"), BY, "later")).toEqual({ ok: true, id: 257 });
  });
});
