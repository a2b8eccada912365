// What the dead letters of every log guarantee to operators. Each engine's own test file opens the log and runs this suite.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivered, EnrichmentRequest, Handled } from "../../src/model/records.ts";
import type { Consumer } from "../../src/log/consumer.ts";
import type { DeadLetter, DeadLetters, Log } from "../../src/log/log.ts";
import { until } from "../support/poll.ts";
import { type LogUnderTest, request } from "./log.contract.ts";

type Topic = "requests" | "requests-interactive";

export function deadLetterContract(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`dead letter contract: ${name}`, () => {
    let subject: LogUnderTest;
    let log: Log;
    let letters: DeadLetters;
    let close: () => Promise<void>;
    const consumers: Consumer[] = [];

    beforeEach(async () => {
      subject = await make();
      ({ log, close } = await subject.open());
      letters = await subject.letters();
    });
    afterEach(async () => {
      await stop();
      await close();
      await subject.remove();
    });

    const stop = (): Promise<unknown> =>
      Promise.all(consumers.splice(0).map((consumer) => consumer.close()));

    const consume = (
      topic: Topic,
      handle: (record: Delivered<EnrichmentRequest>) => Promise<Handled>,
    ): void => {
      consumers.push(
        log.consume(topic, {
          inFlightMax: 8,
          handle,
          abandoned: () => Promise.resolve(),
          report: () => undefined,
        }),
      );
    };

    async function all(): Promise<readonly DeadLetter[]> {
      const found: DeadLetter[] = [];
      for await (const letter of letters.list()) found.push(letter);
      return found;
    }

    /** Has the records of these keys fail until each is a dead letter; then nothing consumes any more. */
    async function fail(...keys: string[]): Promise<readonly DeadLetter[]> {
      const records = keys.map((key) => ({ key, value: request(key) }));
      await log.publish("requests", records);
      consume("requests", () => Promise.reject(new TypeError("a bug")));
      const found = await until("all are dead letters", async () => {
        const listed = await all();
        return listed.length === keys.length ? listed : null;
      });
      await until("they are committed", () => log.pending("requests") === 0 || null);
      await stop();
      ({ log, close } = await reopened());
      letters = await subject.letters();
      return found;
    }

    async function reopened(): ReturnType<LogUnderTest["open"]> {
      await close();
      return subject.open();
    }

    it("a replayed record keeps its order of acceptance while other topics commit", async () => {
      const [letter] = await fail("bad");
      expect(await letters.replay(letter?.id ?? "")).toBe("replayed");
      await until("it is back in the log", () => log.pending("requests") === 1 || null);
      consume("requests-interactive", () => Promise.resolve("done"));
      await log.publish("requests-interactive", [{ key: "call", value: request("call") }]);
      await until("the call is committed", () => log.pending("requests-interactive") === 0 || null);
      const orders: string[] = [];
      consume("requests", ({ order }) => {
        orders.push(order);
        return Promise.resolve("done");
      });
      await until("it is processed", () => orders.length > 0 || null);
      expect(orders).toEqual([letter?.order]);
      expect(await all()).toEqual([]);
    });

    it("an unreadable dead letter is listed and dropped, and blocks no other", async () => {
      const found = await fail("one", "two");
      const [damaged, good] = [found[0]?.id ?? "", found[1]?.id ?? ""];
      await subject.damageLetter(damaged);
      const listed = await all();
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([damaged, good]));
      const shown = listed.find(({ id }) => id === damaged);
      expect(shown).toMatchObject({ topic: "", reason: "undecodable" });
      expect(shown?.error).toMatch(/^the dead letter cannot be read: /);
      expect(await letters.replay(damaged)).toBe("unreadable");
      expect(await letters.replay("nothing")).toBe("not_found");
      expect(await letters.replay(good)).toBe("replayed");
      const keys: string[] = [];
      consume("requests", ({ key }) => {
        keys.push(key);
        return Promise.resolve("done");
      });
      await until("the other is processed", () => keys.length > 0 || null);
      expect(keys).toEqual(["two"]);
      expect((await all()).map(({ id }) => id)).toEqual([damaged]);
      expect(await letters.drop(damaged)).toBe(true);
      expect(await all()).toEqual([]);
    });
  });
}
