// Each case has a database of its own, and each dispatcher a connection of its own to it.
import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { afterAll } from "vitest";
import type { Store } from "../../src/store/collection.ts";
import { openMongoStore } from "../../src/store/mongo/store.ts";
import { backlogContract } from "./backlog.contract.ts";
import { dispatchContract } from "./dispatch.contract.ts";
import type { OpenStore } from "./dispatching.ts";
import { lostSecretsContract } from "./lost-secrets.contract.ts";
import { orderContract } from "./order.contract.ts";
import { reportEndpointsContract } from "./report-endpoints.contract.ts";
import { sharesContract } from "./shares.contract.ts";
import { webhookKeepingContract } from "./webhook-keeping.contract.ts";

const url = process.env["TEST_MONGODB_URL"];
if (url === undefined)
  throw new Error("TEST_MONGODB_URL must be the URL of a MongoDB replica set for tests");

const admin = new MongoClient(url);
afterAll(() => admin.close());

const open: OpenStore = async () => {
  const database = `ledgerline-test-${randomUUID()}`;
  const closers: (() => Promise<void>)[] = [];
  const another = async (): Promise<Store> => {
    const { store, close } = await openMongoStore({ url, database });
    closers.push(close);
    return store;
  };
  return {
    store: await another(),
    storeBatches: false,
    another,
    close: async () => {
      await Promise.all(closers.map((close) => close()));
      await admin.db(database).dropDatabase();
    },
  };
};

dispatchContract("MongoDB", open);
backlogContract("MongoDB", open);
orderContract("MongoDB", open);
webhookKeepingContract("MongoDB", open);
lostSecretsContract("MongoDB", open);
sharesContract("MongoDB", open);
reportEndpointsContract("MongoDB", open);
