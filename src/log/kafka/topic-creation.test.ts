import type { ITopicConfig, ITopicMetadata } from "kafkajs";
import { describe, expect, it } from "vitest";
import { createTopicsUntilLed } from "./topic-creation.ts";

const WANTED: readonly ITopicConfig[] = [{ topic: "a" }, { topic: "b" }];

/** Errors as the client throws them. */
const timedOut = Object.assign(new Error("timed out"), { retriable: true });
const unknown = Object.assign(new Error("no such topic"), { retriable: true });
const topicErrors = (type: string) =>
  Object.assign(new Error("topics"), {
    errors: [Object.assign(new Error(type), { type, retriable: false })],
  });

/** Kafka: what it does at each creation and each look, then as usual. */
function setUp(creations: readonly (Error | "made, but timed out")[], looks: readonly number[][]) {
  const state = { topics: new Set<string>(), created: [] as string[][], pauses: 0, looked: 0 };
  const admin = {
    listTopics: () => Promise.resolve([...state.topics]),
    createTopics: ({ topics }: { topics: ITopicConfig[] }) => {
      const names = topics.map(({ topic }) => topic);
      const fault = creations[state.created.length];
      state.created.push(names);
      if (!(fault instanceof Error)) for (const name of names) state.topics.add(name);
      if (fault === undefined) return Promise.resolve(true);
      return Promise.reject(fault instanceof Error ? fault : timedOut);
    },
    fetchTopicMetadata: ({ topics }: { topics: string[] }) => {
      const leaders = looks[state.looked] ?? [1, 1];
      state.looked += 1;
      if (leaders.length < topics.length) return Promise.reject(unknown);
      const found = topics.map((name, index) => ({
        name,
        partitions: [{ leader: leaders[index] }],
      }));
      return Promise.resolve({ topics: found as unknown as ITopicMetadata[] });
    },
  };
  const wait = (): Promise<void> => {
    state.pauses += 1;
    return Promise.resolve();
  };
  return { state, create: () => createTopicsUntilLed(admin, WANTED, wait) };
}

describe("creation of topics", () => {
  it("makes what is missing and nothing else, and waits for the leader of each partition", async () => {
    const { state, create } = setUp(
      [],
      [
        [1, -1],
        [-1, 1],
        [0, 1],
      ],
    );
    state.topics.add("a");
    expect((await create()).map(({ name }) => name)).toEqual(["a", "b"]);
    expect([state.created, state.pauses]).toEqual([[["b"]], 2]);
  });

  it("goes on after a request that failed, whether its topics were made or not", async () => {
    const { state, create } = setUp([timedOut, "made, but timed out"], []);
    await create();
    expect(state.created).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("goes on while a broker does not know of the topics yet, or another process makes them", async () => {
    const { state, create } = setUp([topicErrors("TOPIC_ALREADY_EXISTS")], [[], [1]]);
    await create();
    expect([state.created.length, state.pauses]).toEqual([2, 3]);
  });

  it("ends when Kafka refuses a topic, and when it takes too long", async () => {
    const refused = topicErrors("POLICY_VIOLATION");
    const { state, create } = setUp([refused], []);
    await expect(create()).rejects.toBe(refused);
    expect(state.pauses).toBe(0);
    const never = Array.from({ length: 100 }, () => [-1, 1]);
    const { state: late, create: createLate } = setUp([], never);
    await expect(createLate()).rejects.toMatchObject({ code: "unavailable" });
    expect(late.looked).toBe(40);
    const { create: createAway } = setUp(
      never.map(() => timedOut),
      [],
    );
    await expect(createAway()).rejects.toBe(timedOut);
  });
});
