import type { Collection, Store } from "../collection.ts";
import { createHolderErasureRepository } from "./holder-erasure.ts";
import { createHolderRepository } from "./holders.ts";
import { createLongAnswerRepository } from "./long-answers.ts";
import { createStatementErasureRepository } from "./statement-erasure.ts";
import type { IdempotencyBegin, IdempotencyRepository } from "../../model/idempotency.ts";
import { type IdempotencyRow, idempotencySpec } from "../specs/idempotency-specs.ts";

const KEPT_MS = 24 * 3_600_000;
/** In the place of an answer's status: the request ended without one. */
const INTERRUPTED = 0;

export interface IdempotencyOptions {
  nowMs(): number;
  /** The time by which keys expire: it follows no leap of the clock, after which requests would run again. */
  retentionNow(): Promise<number>;
  newId(): string;
  /**
   * Whether a request that began then (milliseconds since 1970) was cut off by a crash and everything that it may have
   * got accepted before is done, so that running it again returns the outcome.
   */
  isOver(startedAtMs: number): boolean;
}

export function createIdempotencyRepository(
  store: Store,
  options: IdempotencyOptions,
): IdempotencyRepository {
  const { nowMs } = options;
  const requests = store.collection<IdempotencyRow>(idempotencySpec);
  const longAnswers = createLongAnswerRepository(store);
  const replayOf = async (org: string, status: number, body: string): Promise<IdempotencyBegin> => {
    const parts = await longAnswers.read(org, body);
    if (parts === null) return { kind: "replay", status, body };
    // Erased or expired a moment ago: the next repetition finds what took its place.
    return parts === "gone" ? { kind: "running" } : { kind: "replayLong", status, parts };
  };
  return {
    begin: async (org, route, key, fingerprint) => {
      const now = nowMs();
      const expiredMs = (await options.retentionNow()) - KEPT_MS;
      const resourceId = options.newId();
      const row = {
        org,
        route,
        key,
        fingerprint,
        resourceId,
        startedAt: now,
        status: null,
        body: null,
        holderId: null,
        statementId: null,
      };
      const outcome = await store.write([
        requests.delete({ org, route, key, startedAt: { lt: expiredMs } }),
        requests.insert(row, "fail"),
      ]);
      if (outcome.ok) return { kind: "new", resourceId };
      const before = await requests.get({ org, route, key });
      if (before === null) return { kind: "running" };
      if (before.fingerprint !== fingerprint) return { kind: "mismatch" };
      const { status, startedAt } = before;
      if (status !== null && status !== INTERRUPTED)
        return replayOf(org, status, before.body ?? "");
      if (status === null && !options.isOver(startedAt)) return { kind: "running" };
      // Of several that find it so, one takes it over.
      const found = { org, route, key, status, startedAt };
      const taken = await store.write([
        requests.update(found, { startedAt: now, status: null }, "fail"),
      ]);
      return taken.ok ? { kind: "new", resourceId: before.resourceId } : { kind: "running" };
    },
    ...finishing(store, requests, options),
    abandon: async (org, route, key) => {
      await store.write([requests.delete({ org, route, key, status: null })]);
    },
    interrupt: async (org, route, key) => {
      await store.write([
        requests.update({ org, route, key, status: null }, { status: INTERRUPTED }, "ignore"),
      ]);
    },
    removeExpired: async (limit, atMs) => {
      const endedMs = atMs - KEPT_MS;
      const outcome = await store.write([requests.delete({ startedAt: { lt: endedMs } }, limit)]);
      await longAnswers.removeKeptBefore(endedMs);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}

/** How the answers of requests are kept. */
function finishing(
  store: Store,
  requests: Collection<IdempotencyRow>,
  options: IdempotencyOptions,
): Pick<IdempotencyRepository, "finish" | "finishLong"> {
  const holders = createHolderRepository(store);
  const erasure = createHolderErasureRepository(store);
  const statements = createStatementErasureRepository(store);
  const longAnswers = createLongAnswerRepository(store);
  return {
    finish: async (org, route, key, status, body, holderId, statementId = null) => {
      const answered = { status, body, holderId, statementId };
      await store.write([requests.update({ org, route, key, status: null }, answered, "ignore")]);
      // The deletion of either may have looked for answers before this one was there.
      if (statementId !== null) await statements.eraseIfGone({ org, id: statementId });
      if (holderId === null || (await holders.get(org, holderId)) !== null) return;
      await erasure.eraseAnswers({ org, id: holderId });
    },
    finishLong: async (org, route, key, status, parts, holderIds) => {
      const id = options.newId();
      const answer = { id, keptAt: options.nowMs(), parts, accountHolderIds: holderIds };
      const request = { org, route, key };
      const body = await longAnswers.add(request, answer);
      const answered = { status, body, holderId: null, statementId: null };
      await store.write([requests.update({ ...request, status: null }, answered, "ignore")]);
      if (holderIds.length === 0) return;
      // The deletion of one may have looked for answers before this one was there.
      const known = await holders.getMany(org, holderIds);
      if (known.length < holderIds.length) await longAnswers.erase(request, body);
    },
  };
}
