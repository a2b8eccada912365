// What the owner of a webhook and the operator can find out later, over every store; and what is not kept.
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import { OPERATOR_WEBHOOK, type WebhookPatch } from "../../src/model/webhook.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import {
  type AttemptRow,
  attemptSpec,
  type RecoveryRow,
  recoverySpec,
} from "../../src/store/specs/webhook-specs.ts";
import { openWebhookStage, type WebhookStage } from "../../src/app/webhooks.ts";
import { createRepositories } from "../../src/app/repositories.ts";
import { until } from "../support/poll.ts";
import { verify } from "../../examples/webhooks/verify.ts";
import {
  type Call,
  DAY,
  type Dispatching,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  resultOf,
  SECOND,
  startAll,
} from "./dispatching.ts";

const A = "https://a.example.com/hook?key=secret";
const B = "https://b.example.com/hook";
const OPERATOR = { url: "https://operator.example.com/alerts", secret: "secret of the operator" };
const CHANGE_MS = 2 * SECOND;

const bodyOf = ({ body }: Call) =>
  JSON.parse(body) as { event_id: string; event_type: string; data: Record<string, unknown> };

/** A stage with these keys, newest first, whose calls are remembered. */
async function openWithKeys(open: OpenStore) {
  const { store, close } = await open();
  onTestFinished(close);
  const calls: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = [];
  const stageOf = (...keys: readonly string[]): Promise<WebhookStage> => {
    const webhooks = { ...readConfig({}, 1).webhooks, ed25519: true };
    const encryptionKeys = keys.map((key) => Buffer.alloc(32, key).toString("base64"));
    const config = { ...readConfig({}, 1), encryptionKeys, webhooks };
    const send = (call: (typeof calls)[number]) => {
      calls.push(call);
      return Promise.resolve(resultOf({ status: 200 }));
    };
    return openWebhookStage(createRepositories(store), config, Date.now, () => undefined, { send });
  };
  return { calls, stageOf };
}

async function disabledEntries(on: Dispatching) {
  const filter = { action: "webhook.disabled" } as const;
  const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
  return (await createAuditRepository(on.store).list(ORG, filter, page)).rows;
}

export function webhookKeepingContract(name: string, open: OpenStore): void {
  describe(`webhook keeping contract: ${name}`, () => {
    it.each([1, 4])(
      "a webhook that is disabled for its failures leaves one audit entry and one warning to the operator (%i dispatchers)",
      async (count) => {
        const policy = { failuresMax: 10, failingMs: 0, operator: OPERATOR };
        const on = await openDispatching(open, policy);
        on.answer(({ url }) => (url === OPERATOR.url ? 200 : 500));
        const webhook = await on.register(A);
        const processes = await startAll(on, count);
        for (let turns = 0; turns < 20; turns += 1) {
          await on.happen(1);
          await on.pass(SECOND, ...processes);
        }
        for (let turns = 0; turns < 5; turns += 1) await on.pass(SECOND, ...processes);
        expect(await disabledEntries(on)).toMatchObject([
          {
            ...{ org: ORG, subject: webhook, keyId: null, requestId: null },
            details: { host: "a.example.com", reason: "failures", consecutive_failures: 10 },
          },
        ]);
        const notices = on.callsTo(OPERATOR.url);
        const [failing, disabled] = ["webhooks.failing", "webhooks.disabled"].map((type) =>
          notices.map(bodyOf).filter(({ event_type }) => event_type === type),
        );
        // Of failures that are written down together the highest warning stands for those below it.
        const warned = failing?.map(({ data }) => data["percent"]) ?? [];
        expect(warned.length).toBeGreaterThan(0);
        expect(new Set(warned).size).toBe(warned.length);
        for (const percent of warned) expect([50, 80]).toContain(percent);
        expect(disabled).toHaveLength(1);
        expect(disabled?.[0]?.data).toMatchObject({
          ...{ organization: ORG, id: webhook, host: "a.example.com", enabled: false },
          ...{ disabled_reason: "failures", consecutive_failures: 10, last_success_at: null },
        });
        expect(on.calls.some(({ body }) => body.includes("key=secret"))).toBe(false);
        for (const { body, headers, at } of notices)
          expect(verify(headers, Buffer.from(body), OPERATOR.secret, at)).toBe(true);
      },
    );

    it("410 leaves an entry too; a customer who disables a webhook makes no notice", async () => {
      const on = await openDispatching(open, { operator: OPERATOR });
      on.answer(({ url }) => (url === A ? 410 : 200));
      const [gone, off] = [await on.register(A), await on.register(B)];
      const process = await on.start("one");
      await process.webhooks.patch(ORG, off, { enabled: false }, COMMAND_LINE);
      await on.happen(1);
      for (let turns = 0; turns < 4; turns += 1) await on.pass(SECOND, process);
      const entries = await disabledEntries(on);
      expect(entries.map(({ subject, details }) => [subject, details["reason"]])).toEqual([
        [gone, "gone"],
      ]);
      const notices = on.callsTo(OPERATOR.url).map(bodyOf);
      expect(notices.map(({ event_type, data }) => [event_type, data["id"]])).toEqual([
        ["webhooks.disabled", gone],
      ]);
    });

    it("the operator's own webhook is tried like any other and never disabled, and is gone with its setting", async () => {
      const policy = { failuresMax: 1, failingMs: 0 };
      const on = await openDispatching(open, { ...policy, operator: OPERATOR });
      on.answer(() => 410);
      const webhook = await on.register(A);
      const process = await on.start("one");
      await on.happen(1);
      for (let turns = 0; turns < 60; turns += 1) await on.pass(SECOND, process);
      const { org, id } = OPERATOR_WEBHOOK;
      expect(on.callsTo(OPERATOR.url).length).toBeGreaterThan(2);
      expect(await process.webhooks.get(org, id)).toMatchObject({
        enabled: true,
        url: OPERATOR.url,
      });
      expect(await process.webhooks.get(ORG, webhook)).toMatchObject({ enabled: false });
      const moved = { url: "https://other.example.com/", secret: null };
      await on.start("moved", undefined, { operator: moved });
      const signingKeys = { signingKeys: [] };
      expect(await process.webhooks.get(org, id)).toMatchObject({ url: moved.url, ...signingKeys });
      await on.start("without", undefined, { operator: null });
      expect(await process.webhooks.get(org, id)).toBeNull();
    });

    it("what a disabled webhook held for days is sent when it is enabled, if that is asked for", async () => {
      const on = await openDispatching(open);
      const [asked, other] = [await on.register(A), await on.register(B)];
      const process = await on.start("one");
      on.answer(() => 500);
      const tried = await on.happen(2);
      await on.pass(0, process);
      const off = { enabled: false };
      for (const id of [asked, other]) await process.webhooks.patch(ORG, id, off, COMMAND_LINE);
      const made = on.calls.length;
      const untried = [];
      for (let days = 0; days < 3; days += 1) {
        untried.push(...(await on.happen(2)));
        await on.pass(0, process);
        on.clock.now += DAY;
      }
      const late = await on.happen(1);
      on.answer(() => 200);
      expect(await process.webhooks.replayHeld(ORG, asked, "held")).toMatchObject({ id: "held" });
      const enabled = { enabled: true };
      for (const id of [asked, other]) await process.webhooks.patch(ORG, id, enabled, COMMAND_LINE);
      for (let turns = 0; turns < 6; turns += 1) await on.pass(SECOND, process);
      const calls = on.calls.slice(made);
      const idsTo = (url: string): readonly string[] =>
        calls.filter((call) => call.url === url).map(({ eventId }) => eventId);
      const all = [...tried, ...untried, ...late];
      expect(idsTo(A).toSorted()).toEqual(all.toSorted());
      expect(idsTo(B)).toEqual(late);
      const replays = calls.filter(({ headers }) => headers["webhook-replay"] === "1");
      expect(replays).toHaveLength(all.length - 1);
      expect(await process.webhooks.recovery(ORG, asked, "held")).toMatchObject({
        ...{ status: "completed", resent: all.length - 1 },
      });
      expect(await process.webhooks.replayHeld(ORG, asked, "again")).toBeNull();
      expect(await process.webhooks.replayHeld(ORG, "unknown", "again")).toBeNull();
    });

    it("the certificates of a webhook go with each call to it, and with no other", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A, { ca: "of a" });
      await on.register(B);
      const process = await on.start("one");
      await on.happen(1);
      await on.pass(0, process);
      await process.webhooks.test(ORG, webhook);
      await process.webhooks.patch(ORG, webhook, { ca: null }, COMMAND_LINE);
      await process.webhooks.test(ORG, webhook);
      expect(on.callsTo(A).map(({ ca }) => ca)).toEqual(["of a", "of a", null]);
      expect(on.callsTo(B).map(({ ca }) => ca)).toEqual([null]);
    });

    it("an attempt that ends when its webhook is gone, and a recovery that is completed, are kept for 30 days", async () => {
      const on = await openDispatching(open);
      const late = Promise.withResolvers<number>();
      const [gone, kept] = [await on.register(A), await on.register(B)];
      on.answer(({ url }) => (url === A ? late.promise : 200));
      const [one, other] = [await on.start("one"), await on.start("other")];
      await on.happen(1);
      await one.dispatcher.turn();
      await until("both calls", () => (on.calls.length === 2 ? true : null));
      await one.webhooks.delete(ORG, gone, COMMAND_LINE);
      for (let turns = 0; turns < 4; turns += 1) await on.pass(10 * MINUTE, other);
      late.resolve(200);
      await one.dispatcher.settled();
      const request = { since: 0, until: on.clock.now, states: ["delivered"] } as const;
      await other.webhooks.recover(ORG, kept, request, "done");
      for (let turns = 0; turns < 4; turns += 1) await on.pass(SECOND, other);
      const left = async (): Promise<readonly number[]> => {
        const attempts = on.store.collection<AttemptRow>(attemptSpec);
        const recoveries = on.store.collection<RecoveryRow>(recoverySpec);
        const [where, limit] = [{ org: ORG }, 10];
        const rows = [attempts.find({ where, limit }), recoveries.find({ where, limit })];
        return (await Promise.all(rows)).map(({ length }) => length);
      };
      expect(await left()).toEqual([3, 1]);
      await on.pass(30 * DAY - 5 * MINUTE, other);
      // What is old has gone with its event; one attempt began later, and so did the recovery.
      expect((await left())[1]).toBe(1);
      for (let turns = 0; turns < 3; turns += 1) await on.pass(10 * MINUTE, other);
      expect(await left()).toEqual([0, 0]);
    });

    it("secrets that are encrypted with a new key keep their value, for a process with that key alone", async () => {
      const { calls, stageOf } = await openWithKeys(open);
      const before = await stageOf("old");
      const secrets = [
        { hmacSecret: "secret 1", token: "token 1" },
        { hmacSecret: "secret 2", token: "token 2" },
      ] as const;
      const rest = { events: ["batches.completed"], ordered: false, ca: null } as const;
      const ids = [randomUUID(), randomUUID()];
      for (const [index, id] of ids.entries()) {
        const secret = secrets[index] ?? secrets[0];
        await before.webhooks.create(ORG, { url: B, ...rest, ...secret }, id, COMMAND_LINE);
      }
      await before.webhooks.patch(ORG, ids[0] ?? "", { hmacSecret: "secret 3" }, COMMAND_LINE);
      await expect(stageOf("new")).rejects.toThrow(/key/);
      const between = await stageOf("new", "old");
      expect([await between.reencrypt(), await between.reencrypt()]).toEqual([2, 0]);
      const after = await stageOf("new");
      expect(after.publicKey).toBe(before.publicKey);
      for (const id of ids) await after.webhooks.test(ORG, id);
      const now = Date.now();
      const isSigned = (call: number, secret: string): boolean => {
        const { headers, body } = calls[call] ?? { headers: {}, body: "" };
        return verify(headers, Buffer.from(body), secret, now);
      };
      expect([isSigned(0, "secret 1"), isSigned(0, "secret 3"), isSigned(0, "secret 2")]).toEqual([
        ...[true, true, false],
      ]);
      expect([isSigned(1, "secret 2"), isSigned(1, "secret 1")]).toEqual([true, false]);
      expect(calls.map(({ headers }) => headers["x-service-token"])).toEqual([
        "token 1",
        "token 2",
      ]);
    });

    it("three secrets are live at most, each that was replaced for 24 hours, and one that is taken away is gone at once", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(A, { hmacSecret: "secret 0", token: "token 0" });
      const process = await on.start("one");
      const change = (patch: WebhookPatch) =>
        process.webhooks.patch(ORG, webhook, patch, COMMAND_LINE);
      /** Which of the secrets a call now is signed with, and its tokens. */
      const heard = async () => {
        await process.webhooks.test(ORG, webhook);
        const call = on.calls.at(-1);
        if (call === undefined) throw new Error("There should be a call");
        const { headers, body, at } = call;
        const isLive = (index: number): boolean =>
          verify(headers, Buffer.from(body), `secret ${String(index)}`, at);
        const tokens = [headers["x-service-token"], headers["x-service-token-previous"]];
        return [[0, 1, 2, 3].filter(isLive), tokens];
      };
      const none = undefined;
      expect(await heard()).toEqual([[0], ["token 0", none]]);
      for (const index of [1, 2, 3]) {
        on.clock.now += HOUR;
        await change({ hmacSecret: `secret ${String(index)}`, token: `token ${String(index)}` });
      }
      // The same again is not a change.
      await change({ hmacSecret: "secret 3", token: "token 3" });
      expect(await heard()).toEqual([
        [1, 2, 3],
        ["token 3", "token 2"],
      ]);
      on.clock.now += 23 * HOUR;
      expect(await heard()).toEqual([
        [2, 3],
        ["token 3", "token 2"],
      ]);
      on.clock.now += HOUR;
      expect(await heard()).toEqual([[3], ["token 3", none]]);
      await change({ hmacSecret: null, token: null });
      expect(await heard()).toEqual([[], [none, none]]);
    });

    it("the log names each attempt as its endpoint heard it, and the keys that signed it", async () => {
      const on = await openDispatching(open, { ed25519: true });
      on.answer(() => (on.calls.length < 3 ? 500 : 200));
      const webhook = await on.register(A, { hmacSecret: "the first secret" });
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      const before = await process.webhooks.get(ORG, webhook);
      const [first] = before?.signingKeys ?? [];
      expect(first).toEqual({ id: expect.stringMatching(/^\w{8}$/) as string, until: null });
      await process.webhooks.patch(ORG, webhook, { hmacSecret: "the second one" }, COMMAND_LINE);
      const after = await process.webhooks.get(ORG, webhook);
      expect(after?.signingKeys).toEqual([
        { id: expect.not.stringContaining(first?.id ?? "") as string, until: null },
        { id: first?.id, until: on.clock.now + DAY },
      ]);
      await on.pass(CHANGE_MS, process);
      await on.pass(6 * SECOND, process);
      await on.pass(MINUTE, process);
      const { attempts } = await on.delivery(webhook, eventId);
      const second = after?.signingKeys[0]?.id;
      expect(attempts.map(({ keyIds }) => keyIds)).toEqual([
        [first?.id, "ed25519"],
        [second, first?.id, "ed25519"],
        [second, first?.id, "ed25519"],
      ]);
      const heard = on.calls.map(({ headers }) => headers["x-request-id"]);
      expect(attempts.map(({ requestId }) => requestId)).toEqual(heard);
      expect(new Set(heard).size).toBe(3);
      const tested = await process.webhooks.test(ORG, webhook);
      expect(tested).toMatchObject({ keyIds: [second, first?.id, "ed25519"] });
    });
  });
}
