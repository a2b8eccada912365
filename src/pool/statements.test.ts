// Statements come from strangers: whatever one does to the process that reads it, the service and the next one go on.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeHostileStatements } from "../../test/support/hostile-statements.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { makePdf } from "../../test/support/pdf.ts";
import { scanPage, scanPdf } from "../../test/support/scans.ts";
import { until } from "../../test/support/poll.ts";
import type { StatementResult } from "../model/bank-statement.ts";
import type { ChildSetup } from "./statement-messages.ts";
import { openStatementPool } from "./statements.ts";

const fixture = (name: string): URL =>
  new URL(`../../test/support/fixtures/${name}`, import.meta.url);
const GOOD = makePdf([GOOD_STATEMENT]);
const GREEDY = { workerUrl: fixture("greedy-statement-worker.ts") };
const LETHAL = { workerUrl: fixture("lethal-statement-worker.ts") };
const EXACT = { accounts: [{ verdict: "reconciled", opening: "100.00", closing: "145.00" }] };
const NOTHING = new Uint8Array();

const pool = openStatementPool(2);
afterAll(() => pool.close());

const outcomeOf = (result: StatementResult): string =>
  "fault" in result ? result.fault : "statement";

describe("hostile files", async () => {
  const hostile = await makeHostileStatements();

  it("are more than thirty, each with another name", () => {
    expect(new Set(hostile.map(({ name }) => name)).size).toBeGreaterThan(40);
  });

  it.each(hostile)("$name: a fault or an honest result", async ({ bytes, password, outcomes }) => {
    expect(outcomes).toContain(outcomeOf(await pool.read(bytes, password ?? "")));
  });

  it("leave a reader that reads a good statement exactly, and no process too many", async () => {
    expect(await pool.read(GOOD, "")).toMatchObject(EXACT);
    expect(pool.state()).toMatchObject({ documents: 0, processes: 1 });
  });
});

/** Niceness of the threads of each child of this process (proc(5): field 19 of `stat`, counted from behind the name). */
function nicenessOfChildren(): readonly (readonly number[])[] {
  const tasksOf = (pid: string): readonly string[] =>
    readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  const children = tasksOf("self").flatMap((task) =>
    readFileSync(`${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.map((pid) =>
    tasksOf(pid).map((task) => {
      const stat = readFileSync(`${task}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17]);
    }),
  );
}

it.runIf(process.platform === "linux")(
  "threads that read whole documents have a lower priority than their process",
  async () => {
    const own = getPriority();
    await pool.read(GOOD, "");
    await pool.verify(GOOD, "");
    const reading = nicenessOfChildren().find((all) => all.some((one) => one > own));
    // The first thread of a process is its main one.
    expect(reading?.[0]).toBe(own);
  },
);

describe("text recognition", () => {
  const exact = {
    pages: 1,
    pagesWithoutText: [],
    pagesRecognised: [1],
    accounts: [
      {
        ...{ verdict: "reconciled", opening: "100.00", closing: "145.00" },
        transactions: [
          { date: "2026-01-02", amount: "5.00", direction: "debit", balance: "95.00" },
          { date: "2026-01-05", amount: "50.00", direction: "credit", balance: "145.00" },
        ],
      },
    ],
  };

  it("reads a scan that is skewed, noisy and in shadow, from a PDF", async () => {
    const defects = { turn: 2.3, shadow: 0.4, noise: 12, quality: 70 };
    expect(await pool.read(await scanPdf(GOOD, 1, defects), "")).toMatchObject(exact);
  });

  it("reads a small picture that lies on its side", async () => {
    const { bytes } = await scanPage(GOOD, 1, { turn: 90, width: 1_000 });
    expect(await pool.read(bytes, "")).toMatchObject(exact);
  });
});

it("reads a document of many parts, and others that come between them", async () => {
  const large = new Uint8Array(20_000_000);
  // What follows its end does not belong to a PDF.
  large.set(GOOD);
  const [first, second, verified] = await Promise.all([
    pool.read(large, ""),
    pool.read(GOOD, ""),
    pool.verify(GOOD, ""),
  ]);
  expect(first).toMatchObject(EXACT);
  expect(second).toMatchObject(EXACT);
  expect(verified).toMatchObject({ accounts: [{ opening: "100.00" }] });
});

it("reads the header of a statement while others are read", async () => {
  const reading = Promise.all([pool.read(GOOD, ""), pool.read(GOOD, "")]);
  expect(await pool.verify(GOOD, "")).not.toHaveProperty("fault");
  expect(await pool.verify(NOTHING, "")).toEqual({ fault: "unsupported_type" });
  await reading;
});

it("rejects what a dead process was reading, and starts another for the next document", async () => {
  const dying = openStatementPool(1, { childUrl: fixture("dying-statement-child.ts") });
  const both = await Promise.allSettled([dying.read(GOOD, ""), dying.verify(GOOD, "")]);
  for (const one of both) expect(one).toMatchObject({ reason: { code: "unavailable" } });
  await expect(dying.read(GOOD, "")).rejects.toMatchObject({ code: "unavailable" });
  // `verify` had a second try in a process of its own.
  expect(dying.state()).toEqual({ documents: 0, processes: 0, rssBytes: 0, deaths: 3 });
  await dying.close();
});

describe("a document alone", () => {
  it("survives what ends the process of all others, and ends none of them", async () => {
    const lethal = openStatementPool(2, LETHAL);
    const [neighbour, verified, stopped, alone] = await Promise.allSettled([
      lethal.read(GOOD, "never end"),
      lethal.verify(GOOD, ""),
      lethal.read(GOOD, "stop the process"),
      lethal.read(GOOD, "", { isAlone: true }),
    ]);
    for (const lost of [neighbour, stopped])
      expect(lost).toMatchObject({ reason: { code: "unavailable" } });
    // A caller waits for it: it is read a second time at once.
    expect(verified).toMatchObject({ value: { accounts: [{ opening: "100.00" }] } });
    expect(alone).toMatchObject({ value: EXACT });
    expect(lethal.state()).toMatchObject({ documents: 0, deaths: 1 });
    await until("no process", () => (lethal.state().processes === 0 ? true : null));
    const [ended, read] = await Promise.allSettled([
      lethal.read(GOOD, "stop the process", { isAlone: true }),
      lethal.read(GOOD, ""),
    ]);
    expect(ended).toMatchObject({ reason: { code: "unavailable" } });
    expect(read).toMatchObject({ value: EXACT });
    await lethal.close();
  });

  it("is one of many that wait for it when the pool closes: all reject, and no process starts", async () => {
    const closing = openStatementPool(1, { childUrl: fixture("silent-statement-child.ts") });
    const both = [1, 2].map(() => closing.read(GOOD, "", { isAlone: true }));
    const ended = Promise.allSettled([...both, closing.verify(GOOD, "")]);
    await closing.close();
    for (const one of await ended) expect(one).toMatchObject({ reason: { code: "unavailable" } });
    expect(closing.state().processes).toBe(0);
  });
});

it("kills a process that reads and reports nothing", async () => {
  const childUrl = fixture("silent-statement-child.ts");
  const silent = openStatementPool(1, { childUrl, limits: { silenceMs: 100 } });
  await expect(silent.read(GOOD, "")).rejects.toMatchObject({ code: "unavailable" });
  expect(silent.state()).toMatchObject({ processes: 0, deaths: 1 });
  await silent.close();
});

it("names the memory of a thread as the fault, and a bug as unavailable; the next is read", async () => {
  const greedy = openStatementPool(1, GREEDY);
  expect(await greedy.read(NOTHING, "fill")).toEqual({ fault: "memory_limit" });
  await expect(greedy.read(NOTHING, "throw")).rejects.toMatchObject({ code: "unavailable" });
  expect(await greedy.read(GOOD, "")).toEqual({ fault: "no_text" });
  expect(greedy.state()).toMatchObject({ deaths: 0, processes: 1 });
  await greedy.close();
});

it("names the memory of the process as the fault of the only document in it", async () => {
  const small = openStatementPool(1, { ...GREEDY, limits: { rssBytes: 150_000_000 } });
  expect(await small.read(NOTHING, "fill")).toEqual({ fault: "memory_limit" });
  await small.close();
});

it("replaces a process after so many documents, and ends an idle one", async () => {
  const limits = { documents: 2, idleMs: 1 };
  const replaced = openStatementPool(1, { ...GREEDY, limits });
  for (let count = 0; count < 5; count += 1)
    expect(await replaced.read(GOOD, "")).toEqual({ fault: "no_text" });
  await until("no process", () => (replaced.state().processes === 0 ? true : null));
  expect(replaced.state().deaths).toBe(0);
  await replaced.close();
});

it("starts no process before the first document, and rejects documents once it is closed", async () => {
  const unused = openStatementPool(1);
  expect(unused.state().processes).toBe(0);
  await unused.close();
  await expect(unused.read(GOOD, "")).rejects.toMatchObject({ code: "unavailable" });
});

it("refuses to open without trained data, and names the language", () => {
  const recognition = { languages: ["eng", "xyz"], folder: null };
  expect(() => openStatementPool(1, { recognition })).toThrow(/"xyz".*@tesseract[.]js-data[/]xyz/u);
  expect(() =>
    openStatementPool(1, { recognition: { ...recognition, folder: "/nowhere" } }),
  ).toThrow('"eng" is missing in /nowhere');
});

const forkReader = () => {
  const setup: ChildSetup = {
    ...{ threads: 1, languages: [], rssBytesMax: Number.MAX_SAFE_INTEGER },
    workerUrl: GREEDY.workerUrl.href,
  };
  const module = new URL("./statement-child.ts", import.meta.url);
  return fork(fileURLToPath(module), [JSON.stringify(setup)], { execArgv: [], env: {} });
};

it("leaves no child behind when the parent dies: the channel closes, and the child ends", async () => {
  const child = forkReader();
  await once(child, "message");
  child.kill("SIGTERM");
  child.disconnect();
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});

it("leaves no child behind when the parent dies while the child is loaded", async () => {
  const child = forkReader();
  child.disconnect();
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});
