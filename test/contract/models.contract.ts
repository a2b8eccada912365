// What every engine promises about labelling models and their trainings.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import {
  type ClaimedTraining,
  type CustomModel,
  MODEL_VERSIONS_KEPT,
  type ModelQuality,
  MODELS_MAX,
  type NewTraining,
} from "../../src/model/custom-model.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  createModelRepository,
  type ModelRepository,
} from "../../src/store/repositories/models.ts";

const training = (name: string, over: Partial<NewTraining> = {}): NewTraining => ({
  ...{ org: "o", name, createdAt: 10, accountHolderType: "consumer" },
  ...{ trainingId: `id of ${name}`, threshold: 0.25 },
  ...over,
});

const entry = (org = "o"): AuditEntry => ({
  ...COMMAND_LINE,
  ...{ org, id: randomUUID(), createdAt: 10, action: "model.trained", subject: "m", details: {} },
});

const quality: ModelQuality = {
  ...{ items: 3, heldOut: 1, accuracy: 1, macroF1: 1, answered: 1, accuracyOfAnswered: 1 },
  labels: [{ label: "ü", items: 3, heldOut: 1, precision: 1, recall: null }],
  confusions: [],
};
const trained = { bytes: Uint8Array.from([1, 2, 255]), quality };

export function modelsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`models contract: ${name}`, () => {
    let models: ModelRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      close = opened.close;
      models = createModelRepository(opened.store);
    });
    afterEach(() => close());

    const begin = (one: NewTraining, seen: CustomModel | null = null, items = ["[1]", "[2]"]) =>
      models.begin(seen, one, items, entry(one.org));
    const claimed = async (untilMs = 100): Promise<ClaimedTraining> => {
      const claim = await models.claim("me", 50, untilMs);
      if (claim === null) throw new Error("There is nothing to train");
      return claim;
    };

    it("a training goes from the queue to a model that is ready, and its items are gone", async () => {
      expect(await begin(training("m"))).toBe("stored");
      expect(await models.get("o", "m")).toMatchObject({ status: "queued", versions: [] });
      const claim = await claimed();
      expect(claim).toMatchObject({ status: "training", training: 1, attempts: 0 });
      expect(await models.items(claim)).toEqual(["[1]", "[2]"]);
      expect(await models.renew(claim, "me", 200, 40)).toBe(true);
      expect(await models.get("o", "m")).toMatchObject({ status: "training", progress: 40 });
      expect(await models.finish(claim, "me", trained, 60)).toBe(true);
      expect(await models.get("o", "m")).toMatchObject({
        ...{ status: "ready", progress: 100, threshold: 0.25 },
        versions: [{ version: 1, createdAt: 60, items: 3, labels: 1, accuracy: 1 }],
      });
      expect([...((await models.bytes("o", "m", 1)) ?? [])]).toEqual([1, 2, 255]);
      expect(await models.quality("o", "m", 1)).toEqual(quality);
      expect(await models.items(claim)).toEqual([]);
      expect(await models.claim("me", 1_000, 2_000)).toBeNull();
    });

    it("another organization finds nothing of a model", async () => {
      await begin(training("m"));
      await models.finish(await claimed(), "me", trained, 60);
      expect(await models.get("other", "m")).toBeNull();
      expect(await models.list("other")).toEqual([]);
      expect(await models.bytes("other", "m", 1)).toBeNull();
      expect(await models.remove("other", "m", entry("other"))).toBe(false);
      expect(await begin(training("m", { org: "other" }))).toBe("stored");
      expect((await models.list("o")).map(({ status }) => status)).toEqual(["ready"]);
    });

    it("of parallel trainings of one name one is stored, whether the model is there or not", async () => {
      const both = () => [begin(training("m")), begin(training("m"))];
      expect((await Promise.all(both())).toSorted()).toEqual(["overtaken", "stored"]);
      await models.finish(await claimed(), "me", trained, 60);
      const seen = await models.get("o", "m");
      const again = await Promise.all([begin(training("m"), seen), begin(training("m"), seen)]);
      expect(again.toSorted()).toEqual(["overtaken", "stored"]);
      expect(await begin(training("m"), seen)).toBe("overtaken");
    });

    it("a claim goes to one process, and to another one only after its end", async () => {
      await begin(training("m"));
      const claims = await Promise.all(["a", "b"].map((holder) => models.claim(holder, 50, 100)));
      expect(claims.filter((one) => one !== null)).toHaveLength(1);
      expect(await models.claim("late", 99, 200)).toBeNull();
      const late = await models.claim("late", 100, 200);
      expect(late).toMatchObject({ attempts: 1 });
      const [first] = claims.filter((one) => one !== null);
      if (first === undefined || late === null) throw new Error("Nothing was claimed");
      for (const holder of ["a", "b"])
        expect(await models.finish(first, holder, trained, 150)).toBe(false);
      expect(await models.finish(late, "late", trained, 150)).toBe(true);
    });

    it("what is given back or released is free at once; only a release counts as an attempt", async () => {
      await begin(training("m"));
      await models.giveBack(await claimed(), "me");
      expect(await models.get("o", "m")).toMatchObject({ status: "queued" });
      expect((await claimed()).attempts).toBe(0);
      await models.release();
      expect((await claimed()).attempts).toBe(1);
    });

    it("a failed training keeps the version before, and its items are gone", async () => {
      await begin(training("m"));
      await models.finish(await claimed(), "me", trained, 60);
      await begin(training("m", { trainingId: "two" }), await models.get("o", "m"));
      const claim = await claimed();
      expect(await models.finish(claim, "me", { error: "why" }, 70)).toBe(true);
      expect(await models.get("o", "m")).toMatchObject({
        ...{ status: "error", error: "why", versions: [{ version: 1 }] },
      });
      expect(await models.items(claim)).toEqual([]);
    });

    it("the last versions are kept, and a deleted model has none", async () => {
      for (let number = 1; number <= MODEL_VERSIONS_KEPT + 1; number += 1) {
        await begin(training("m"), await models.get("o", "m"));
        await models.finish(await claimed(), "me", trained, 60);
      }
      const kept = (await models.get("o", "m"))?.versions.map(({ version }) => version);
      expect(kept).toEqual([4, 3, 2]);
      expect(await models.bytes("o", "m", 1)).toBeNull();
      expect(await models.bytes("o", "m", 2)).not.toBeNull();
      expect(await models.remove("o", "m", entry())).toBe(true);
      expect(await models.bytes("o", "m", 4)).toBeNull();
      expect(await models.get("o", "m")).toBeNull();
    });

    it("a training of a deleted model ends without a trace", async () => {
      await begin(training("m"));
      const claim = await claimed();
      await models.remove("o", "m", entry());
      expect(await models.renew(claim, "me", 200, 1)).toBe(false);
      expect(await models.finish(claim, "me", trained, 60)).toBe(false);
      expect(await models.bytes("o", "m", 1)).toBeNull();
      expect(await models.items(claim)).toEqual([]);
    });

    it("an organization has so many models and no more", async () => {
      for (let at = 0; at < MODELS_MAX; at += 1) await begin(training(`m${String(at)}`), null, []);
      expect(await begin(training("more"))).toBe("full");
      expect(await begin(training("m", { org: "other" }))).toBe("stored");
      await models.remove("o", "m7", entry());
      expect(await begin(training("more"))).toBe("stored");
    });
  });
}
