import { EventEmitter } from "node:events";
import type { MongoClient } from "mongodb";
import { expect, test, vi } from "vitest";
import { followPrimary } from "./primary.ts";

/** A client whose elections are made by hand. */
function clientWithElections() {
  const events = new EventEmitter();
  const tell = (servers: readonly object[]): void => {
    const newDescription = { servers: new Map(servers.map((one, at) => [String(at), one])) };
    events.emit("topologyDescriptionChanged", { newDescription });
  };
  const primary = (address: string, election: string): object => ({
    type: "RSPrimary",
    address,
    electionId: { toHexString: () => election },
  });
  return {
    client: events as unknown as Pick<MongoClient, "on">,
    elect: (address: string, election: string) => {
      tell([{ type: "RSSecondary", address: "other" }, primary(address, election)]);
    },
    lose: () => {
      tell([{ type: "RSSecondary", address: "other" }]);
    },
  };
}

const done = (): Promise<void> => Promise.resolve();

test("a new primary confirms its state before the first read from it, once", async () => {
  const { client, elect, lose } = clientWithElections();
  const steps: string[] = [];
  const read = followPrimary(client, () => {
    steps.push("confirm");
    return done();
  });
  const look = (): Promise<unknown> => read(() => Promise.resolve(steps.push("read")));
  elect("a", "1");
  await Promise.all([look(), look()]);
  lose();
  elect("a", "1");
  await look();
  elect("a", "2");
  await look();
  elect("b", "3");
  await look();
  expect(steps.join(" ")).toBe("confirm read read read confirm read confirm read");
});

test("a read during which a primary was elected is repeated after that one has confirmed", async () => {
  const { client, elect } = clientWithElections();
  const confirm = vi.fn(done);
  const read = followPrimary(client, confirm);
  elect("a", "1");
  let reads = 0;
  const found = await read(() => {
    reads += 1;
    if (reads === 1) elect("b", "2");
    return Promise.resolve(reads === 1 ? "of an older state" : "right");
  });
  expect(found).toBe("right");
  expect(confirm).toHaveBeenCalledTimes(2);
});

test("a read fails when the primary does not confirm, and the next one asks again", async () => {
  const { client, elect } = clientWithElections();
  const confirm = vi.fn(done).mockRejectedValueOnce(new Error("not the primary any more"));
  const read = followPrimary(client, confirm);
  elect("a", "1");
  await expect(read(() => Promise.resolve(1))).rejects.toThrow("not the primary any more");
  expect(await read(() => Promise.resolve(2))).toBe(2);
});

test("behind a router, which hides elections, nothing is asked", async () => {
  const { client } = clientWithElections();
  const confirm = vi.fn(done);
  expect(await followPrimary(client, confirm)(() => Promise.resolve(1))).toBe(1);
  expect(confirm).not.toHaveBeenCalled();
});
