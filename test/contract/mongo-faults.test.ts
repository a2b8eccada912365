// What a MongoDB that is frozen, killed, cut off or not fit does to the store: a clear error in time, and everything goes
// on by itself afterwards.
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { LedgerlineError } from "../../src/shared/errors.ts";
import type { Collection, CollectionSpec } from "../../src/store/collection.ts";
import { type MongoStore, openMongoStore } from "../../src/store/mongo/store.ts";
import { commandMongo, helloMongo } from "../services/clients.ts";
import { fetchMongod } from "../services/native/downloads.ts";
import { type MongoReplicaSet, startMongo } from "../services/native/mongo.ts";
import { claimPort } from "../services/native/ports.ts";
import { createServerFolder, removeServerFolder, startServer } from "../services/native/server.ts";
import { until } from "../support/poll.ts";

/** The limit of a call, and a little for a machine that has more to do. */
const CALL_MS_MAX = 11_000;
/** How soon the store must know of a server that does not answer, without being asked to do anything. */
const NOTICED_MS_MAX = 6_500;

interface Note {
  readonly org: string;
  readonly id: string;
  readonly rank: number;
  readonly order: string;
}

const noteSpec: CollectionSpec<Note> = {
  name: "notes",
  fields: { org: "text", id: "text", rank: "integer", order: "text" },
  key: ["org", "id"],
  indexes: [{ name: "rank", fields: ["org", "rank", "id"] }],
};

const lateSpec: CollectionSpec<Note> = { ...noteSpec, name: "late" };

function note(id: string, fields: Partial<Note> = {}): Note {
  return { org: "o", id, rank: 0, order: "1", ...fields };
}

async function open(url: string): Promise<MongoStore & { readonly notes: Collection<Note> }> {
  const opened = await openMongoStore({ url });
  onTestFinished(opened.close);
  const notes = opened.store.collection(noteSpec);
  await opened.ensureIndexes();
  return { ...opened, notes };
}

async function startSet(nodes: 1 | 3): Promise<MongoReplicaSet> {
  const set = await startMongo({ nodes });
  onTestFinished(set.stop);
  return set;
}

function portOf(set: MongoReplicaSet): number {
  return Number(set.nodes[0]?.address.split(":")[1]);
}

/** The error of a call that must fail, in time. */
async function failureOf(call: Promise<unknown>): Promise<LedgerlineError> {
  const beginMs = performance.now();
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(performance.now() - beginMs).toBeLessThan(CALL_MS_MAX);
  expect(error).toBeInstanceOf(LedgerlineError);
  const failure = error as LedgerlineError;
  expect(failure.code).toBe("unavailable");
  expect(failure.message).toMatch(/^The store is unavailable: .+\.$/);
  return failure;
}

/** One call of every kind. */
function everyCall({ store, notes, ping }: Awaited<ReturnType<typeof open>>): Promise<unknown>[] {
  return [
    notes.get({ org: "o", id: "a" }),
    notes.find({
      where: { org: "o" },
      order: { fields: ["rank", "id"], direction: "desc" },
      limit: 10,
    }),
    notes.aggregate({ org: "o" }, "rank", "rank"),
    store.write([notes.insert(note("n"), "ignore")]),
    store.write([
      notes.insert(note("m"), "ignore"),
      notes.update({ org: "o" }, { rank: 1 }, "ignore"),
    ]),
    store.write([notes.require({ org: "o", id: "a" }, 1), notes.delete({ org: "o", id: "z" })]),
    store.apply([notes.upsertMany([note("a", { order: "2" }), note("k")], "order")]),
    store.apply([notes.insert(note("p"), "ignore"), notes.delete({ org: "o", id: "q" })]),
    store.collection(lateSpec).get({ org: "o", id: "a" }),
    ping(),
  ];
}

async function expectEverythingFails(opened: Awaited<ReturnType<typeof open>>): Promise<void> {
  await Promise.all(everyCall(opened).map(failureOf));
}

async function expectEverythingWorks(opened: Awaited<ReturnType<typeof open>>): Promise<void> {
  await until("the store to be usable", () => (opened.failure() === null ? true : null), 15_000);
  await Promise.all(everyCall(opened));
  expect(await opened.notes.get({ org: "o", id: "a" })).toMatchObject({ order: "2" });
  expect(opened.failure()).toBeNull();
}

interface Proxy {
  readonly port: number;
  /** Loses what a client sends from the first message on for which this holds. */
  loseFrom(isFirst: (data: Buffer) => boolean): void;
  /** Cuts the connections that lost something, and loses nothing more. */
  heal(): void;
}

/** Only the driver's watch over the server asks it to hold its answer back. */
const isWatching = (data: Buffer): boolean => data.includes("maxAwaitTimeMS");

/** A way to the server at `port` that can lose what is sent over it without closing. */
async function startProxy(port: number): Promise<Proxy> {
  let isFirst: (data: Buffer) => boolean = () => false;
  const sockets = new Set<Socket>();
  const lossy = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    client.on("data", (data: Buffer) => {
      if (isFirst(data)) lossy.add(client);
      if (!lossy.has(client)) upstream.write(data);
    });
    upstream.pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    loseFrom: (condition) => {
      isFirst = condition;
    },
    heal: () => {
      isFirst = () => false;
      for (const socket of lossy) socket.destroy();
      lossy.clear();
    },
  };
}

describe("faults of MongoDB", () => {
  it("a frozen server makes every call fail in time, is noticed without a call, and works again afterwards", async () => {
    const set = await startSet(1);
    const opened = await open(set.url);
    await opened.store.apply([opened.notes.insert(note("a"), "ignore")]);
    await set.nodes[0]?.kill("SIGSTOP");
    await expectEverythingFails(opened);
    await expectEverythingFails(opened);
    await set.nodes[0]?.kill("SIGCONT");
    await expectEverythingWorks(opened);
    await set.nodes[0]?.kill("SIGSTOP");
    await until(
      "an idle store to notice",
      () => (opened.failure() === null ? null : true),
      NOTICED_MS_MAX,
    );
    expect(opened.failure()).toMatch(/^The store is unavailable: .+\.$/);
    const closing = performance.now();
    await opened.close();
    expect(performance.now() - closing).toBeLessThan(CALL_MS_MAX);
    await opened.close();
    await set.nodes[0]?.kill("SIGCONT");
  });

  it("a killed server is back after its restart, with all that was acknowledged", async () => {
    const set = await startSet(1);
    const opened = await open(set.url);
    const { store, notes } = opened;
    const acknowledged: string[] = [];
    let stop = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; !stop; count += 1) {
        const id = `w${String(writer)}-${String(count)}`;
        await store
          .apply([notes.upsertMany([note(id), note("a", { order: "2" })], "order")])
          .then(() => acknowledged.push(id))
          .catch((error: unknown) => {
            expect(error).toMatchObject({ code: "unavailable" });
          });
      }
    });
    await delay(500);
    await set.nodes[0]?.kill("SIGKILL");
    await delay(200);
    await set.nodes[0]?.restart();
    await delay(3_000);
    stop = true;
    await Promise.all(writers);
    await expectEverythingWorks(opened);
    const stored = await notes.find({ where: { org: "o" }, limit: 100_000 });
    const ids = new Set(stored.map((row) => row.id));
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("writes go on when the primary of three is killed, and are refused while there is no majority", async () => {
    const set = await startSet(3);
    const opened = await open(set.url);
    const { store, notes } = opened;
    await store.apply([notes.insert(note("a", { order: "2" }), "ignore")]);
    const killed = await set.primary();
    await set.nodes[killed]?.kill("SIGKILL");
    const insert = (): Promise<unknown> =>
      store.write([notes.insert(note("b"), "ignore"), notes.insert(note("c"), "ignore")]);
    await until("a new primary", () => insert().catch(() => null), 30_000);
    await until("the store to know it", () => (opened.failure() === null ? true : null), 5_000);

    const primary = await set.primary();
    const secondary = [0, 1, 2].find((index) => index !== killed && index !== primary);
    await set.nodes[secondary ?? 0]?.kill("SIGSTOP");
    await Promise.all([
      failureOf(store.write([notes.insert(note("lonely"), "ignore")])),
      failureOf(opened.ping()),
    ]);
    expect(opened.failure()).toMatch(/^The store is unavailable: .+\.$/);
    await set.nodes[secondary ?? 0]?.kill("SIGCONT");
    await set.nodes[killed]?.restart();
    await expectEverythingWorks(opened);
  });

  const losses = {
    everything: () => true,
    "operations, but lets the driver watch the server,": (data: Buffer) =>
      !isWatching(data) && !data.includes("endSessions"),
  };
  for (const [what, isLost] of Object.entries(losses))
    it(`a network that swallows ${what} makes every call fail in time, and works again afterwards`, async () => {
      const set = await startSet(1);
      const proxy = await startProxy(portOf(set));
      const opened = await open(`mongodb://127.0.0.1:${String(proxy.port)}/?directConnection=true`);
      await opened.store.apply([opened.notes.insert(note("a"), "ignore")]);
      proxy.loseFrom(isLost);
      await expectEverythingFails(opened);
      expect(opened.failure()).toMatch(/^The store is unavailable: .+\.$/);
      proxy.heal();
      await expectEverythingWorks(opened);
    });

  it("rows locked by a process that died are free before other processes time out", async () => {
    const set = await startSet(1);
    const { store, notes } = await open(set.url);
    await store.apply([notes.insert(note("a"), "ignore"), notes.insert(note("b"), "ignore")]);
    const proxy = await startProxy(portOf(set));
    const dying = await open(`mongodb://127.0.0.1:${String(proxy.port)}/?directConnection=true`);
    proxy.loseFrom((data) => data.includes("commitTransaction"));
    const lost = dying.store.write([
      dying.notes.require({ org: "o", id: "a" }, 1),
      dying.notes.update({ org: "o", id: "b" }, { rank: 9 }, "fail"),
    ]);
    const outcome = failureOf(lost);
    await delay(100);
    await Promise.all([
      store.write([
        notes.require({ org: "o", id: "a" }, 1),
        notes.insert(note("c"), "fail"),
        notes.update({ org: "o", id: "b" }, { rank: 1 }, "fail"),
      ]),
      store.apply([notes.upsertMany([note("a", { order: "2" })], "order")]),
    ]);
    await outcome;
    expect(await notes.get({ org: "o", id: "b" })).toMatchObject({ rank: 1 });
    expect(await notes.get({ org: "o", id: "a" })).toMatchObject({ order: "2" });
  });

  it("an unreachable server, a wrong password and a bad URL have different errors, without the password", async () => {
    const { url } = await startSet(1);
    const claim = await claimPort();
    onTestFinished(claim.release);
    const unreachable = await failureOf(
      openMongoStore({ url: `mongodb://me:s3cret@127.0.0.1:${String(claim.port)}/` }),
    );
    expect(unreachable.message).toContain("cannot be reached");
    const refused = await failureOf(
      openMongoStore({ url: url.replace("mongodb://", "mongodb://me:s3cret@") }),
    );
    expect(refused.message).toContain("refuses the user");
    const errors = [unreachable, refused];
    for (const bad of ["mongodb://me:s3cret:@@/", "http://me:s3cret@host/", "s3cret", ""]) {
      const error = await openMongoStore({ url: bad }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "unavailable" });
      expect((error as Error).message).toContain("URL cannot be read");
      errors.push(error as LedgerlineError);
    }
    for (const error of errors) expect(inspect(error, { depth: 20 })).not.toContain("s3cret");
  });

  it("a server that is not a member of a replica set is refused", async () => {
    const folder = await createServerFolder("standalone");
    const claim = await claimPort();
    const data = join(folder, "data");
    await mkdir(data);
    const address = `127.0.0.1:${String(claim.port)}`;
    const server = await startServer({
      name: "standalone",
      command: await fetchMongod(),
      args: ["--dbpath", data, "--port", String(claim.port), "--nounixsocket"],
      folder,
      probe: async () => (await helloMongo(address)).isWritablePrimary,
    });
    onTestFinished(async () => {
      await server.stop();
      await claim.release();
      await removeServerFolder(folder);
    });
    const error = await failureOf(openMongoStore({ url: `mongodb://${address}/` }));
    expect(error.message).toContain("replica set");
    expect(await commandMongo(address, { ping: 1 })).toMatchObject({ ok: 1 });
  });
});
