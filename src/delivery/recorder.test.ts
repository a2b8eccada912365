import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRecorder, type Recorded } from "./recorder.ts";

/** The event alone distinguishes these outcomes. */
const outcomeOf = (eventId: string): Recorded => ({ taken: { eventId } }) as unknown as Recorded;
const idsOf = (recorded: readonly Recorded[]): readonly string[] =>
  recorded.map(({ taken }) => taken.eventId);

/** A recorder whose writes and pauses end when the test ends them. */
function open(writesMax: number) {
  const writes: { readonly ids: readonly string[]; end(error?: Error): Promise<void> }[] = [];
  const pauses: (() => void)[] = [];
  const written: string[] = [];
  const recorder = createRecorder(
    (recorded) => {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      const end = async (error?: Error): Promise<void> => {
        if (error === undefined) resolve(undefined);
        else reject(error);
        await turnOfLoop();
      };
      writes.push({ ids: idsOf(recorded), end });
      return promise;
    },
    () => new Promise((resolve) => pauses.push(resolve)),
    writesMax,
  );
  const add = (...ids: readonly string[]): void => {
    for (const id of ids) recorder.add(outcomeOf(id), () => written.push(id));
  };
  const goOn = async (): Promise<void> => {
    for (const end of pauses.splice(0)) end();
    await turnOfLoop();
  };
  return { recorder, writes, written, add, goOn, ids: () => writes.map(({ ids }) => ids) };
}

describe("outcomes of attempts", () => {
  it("go to a store that batches its writes at once, however many are in flight", () => {
    const { add, ids, recorder } = open(Infinity);
    add("a", "b", "c");
    expect(ids()).toEqual([["a"], ["b"], ["c"]]);
    expect(recorder.waiting()).toBe(3);
  });

  it("are written together when they end while all allowed writes are in flight", async () => {
    const { add, ids, writes, written, recorder } = open(2);
    add("a", "b", "c", "d");
    expect(ids()).toEqual([["a"], ["b"]]);
    await writes[1]?.end();
    expect(ids()).toEqual([["a"], ["b"], ["c", "d"]]);
    expect(written).toEqual(["b"]);
    expect(recorder.waiting()).toBe(3);
  });

  it("are reported as stored only when they are, all of them before `drained` resolves", async () => {
    const { add, writes, written, recorder } = open(2);
    add("a", "b");
    const seen: (readonly string[])[] = [];
    const drained = recorder.drained().then(() => seen.push([...written]));
    await writes[0]?.end();
    expect([written, seen]).toEqual([["a"], []]);
    await writes[1]?.end();
    await drained;
    expect(seen).toEqual([["a", "b"]]);
    expect(recorder.waiting()).toBe(0);
  });

  it("are written later when that fails, all in one write, and nothing is reported before", async () => {
    const { add, ids, writes, written, recorder, goOn } = open(Infinity);
    add("a", "b");
    const drained = recorder.drained();
    const away = new Error("away");
    await writes[1]?.end(away);
    await drained;
    expect([recorder.failure(), recorder.waiting(), written]).toEqual([away, 2, []]);
    await writes[0]?.end(away);
    add("c");
    expect(ids()).toHaveLength(2);
    await goOn();
    expect(ids()[2]?.toSorted()).toEqual(["a", "b", "c"]);
    add("d");
    expect(ids()).toHaveLength(3);
    await writes[2]?.end();
    expect([recorder.failure(), written.toSorted()]).toEqual([null, ["a", "b", "c"]]);
    expect(ids()[3]).toEqual(["d"]);
  });

  it("are not written after the end", async () => {
    const { add, ids, writes, recorder, goOn } = open(1);
    add("a", "b");
    recorder.close();
    await writes[0]?.end(new Error("away"));
    await goOn();
    expect(ids()).toEqual([["a"]]);
  });
});
