import { describe, expect, it } from "vitest";
import type { Counterparty } from "../../src/model/facts.ts";
import type { CorrectedParts, Correction } from "../../src/model/tenant-settings.ts";
import type { Rule } from "../../src/model/rules.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { applySettings } from "./apply.ts";
import type { CompiledSettings } from "./compiled.ts";
import { createCorrections } from "./corrections.ts";
import { compileRules } from "./rules/compile.ts";
import type { EnrichItem } from "../../src/model/enrich-item.ts";

const examine = createExaminer(await sampleKnowledge());

const ITEM: EnrichItem = {
  description: "BIRCHWOOD DENTAL 4412 AUSTIN TX",
  amount: 5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
  holder: { id: "h", name: null, categorySetId: "mine" },
  override: null,
};

const NOTHING_SET: CompiledSettings = {
  correct: null,
  runRules: null,
  mappings: {},
  features: new Set(),
};

const party = (name: string): Counterparty => ({
  type: "organization",
  id: name,
  name,
  website: null,
  phone_number: "+1 512 555 0100",
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
});

const shown = (override: CorrectedParts | null, settings: Partial<CompiledSettings> = {}) => {
  const item = { ...ITEM, override };
  return applySettings(item, examine(item), { ...NOTHING_SET, ...settings }, null).facts;
};

const mine = { incoming: {}, outgoing: { pets: "Animals", "medical bill": "Health" } };

describe("the override of a transaction", () => {
  const remembered: Correction = {
    ...{ cleanName: "BIRCHWOOD DENTAL", entryType: "outgoing", accountType: "consumer" },
    parts: { counterparty: party("Remembered"), location: null },
  };
  const rules: Rule[] = [
    {
      if: { "==": [{ get: "merchant" }, "Right"] },
      then: [
        { set_labels: ["seen"] },
        { set: "merchant", to: "Wrong" },
        { set: "location", to: "Nowhere" },
      ],
    },
  ];
  const settings: Partial<CompiledSettings> = {
    correct: createCorrections([remembered]),
    runRules: compileRules(rules),
  };

  it("takes precedence over learned corrections and rules, which see it", () => {
    expect(shown(null, settings).entities?.counterparty?.name).toBe("Remembered");
    const corrected = shown({ counterparty: party("Right") }, settings);
    expect(corrected.entities?.counterparty?.name).toBe("Right");
    expect(corrected.categories?.general).toBe("seen");
    expect(corrected.location?.raw_address).toBe("Nowhere");
  });

  it("holds for its place also where the line tells another, and leaves the other parts to the rules", () => {
    const location = { raw_address: "12 Main St, Portland, OR", structured: null };
    expect(shown({ location }, settings).location).toEqual(location);
    expect(shown({ location }).entities).toEqual(shown(null).entities);
    expect(shown({ location: null }).location).toBeNull();
  });

  it("uses the holder's category set and omits features that are off", () => {
    const override = { categories: { general: "pets", accounting: null } };
    expect(shown(override).categories?.general).toBe("pets");
    expect(shown(override, { mappings: { mine } }).categories?.general).toBe("Animals");
    const phone = (features: CompiledSettings["features"]) =>
      shown({ counterparty: party("Right") }, { features }).entities?.counterparty?.phone_number;
    expect(phone(new Set())).toBeNull();
    expect(phone(new Set(["phone_number"]))).toBe("+1 512 555 0100");
  });

  it("in a word of one set is nothing for holders with another, and for rules then", () => {
    const override = { categories: { general: "Beasts", accounting: null, set: "mine" } };
    const seen = compileRules([{ set_labels: ["by rule"] }]);
    const asShown = (mappings: CompiledSettings["mappings"]) =>
      shown(override, { mappings, runRules: seen }).categories?.general;
    expect(asShown({ mine })).toBe("Beasts");
    expect(asShown({ consumer: mine })).toBe("by rule");
  });
});
