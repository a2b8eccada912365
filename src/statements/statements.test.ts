import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { BankStatement } from "../model/bank-statement.ts";
import { statementRecordKey } from "../model/record-key.ts";
import type { StatementUpload, StoredStatement } from "../model/statement-document.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { createStatements, type StatementPorts } from "./statements.ts";

const ID = "0d7c1a52-9c0e-4f0a-8f4b-2a6f6f3f1f7e";
const PDF = Buffer.from("%PDF-1.7");
const HEADER: BankStatement["header"] = {
  institution: "A Bank",
  holder: null,
  period: null,
  accounts: [],
};

const upload = (over: Partial<StatementUpload> = {}): StatementUpload => ({
  name: "May.pdf",
  bytes: Readable.from([PDF]),
  password: null,
  accountHolderId: null,
  accountType: null,
  currency: null,
  ...over,
});

/** Notes the steps in their order. A row that was inserted can be read. */
function setUp(overrides: Partial<StatementPorts> = {}) {
  const steps: string[] = [];
  const rows = new Map<string, StoredStatement>();
  const step = (name: string): Promise<void> => {
    steps.push(name);
    return Promise.resolve();
  };
  const stored = (id: string): Promise<StoredStatement | null> =>
    Promise.resolve(rows.get(id) ?? null);
  const ports: StatementPorts = {
    insert: (document) => {
      rows.set(document.id, document);
      return step("insert");
    },
    received: async () => {
      await step("received");
      return true;
    },
    accept: () => step("accept"),
    get: (_org, id) => stored(id),
    getStored: (_org, id) => stored(id),
    list: () => Promise.resolve([]),
    listPage: () => Promise.resolve([]),
    countUnfinished: () => Promise.resolve(0),
    rename: () => Promise.resolve(false),
    reading: () => Promise.resolve(null),
    remove: () => Promise.resolve(false),
    discard: ({ id }) => {
      rows.delete(id);
      return step("discard");
    },
    putFile: async (_key, bytes) => {
      for await (const part of bytes) steps.push(`${String(part.length)} bytes`);
    },
    readFile: () => Promise.resolve(PDF),
    vault: { encrypt: (text) => `~${text}`, open: (text) => text.slice(1), isCurrent: () => true },
    hasHolder: () => Promise.resolve(true),
    endOrder: () => Promise.resolve("7"),
    readHeader: () => Promise.resolve(HEADER),
    publish: (_topic, records) => step(`publish ${records.map(({ key }) => key).join()}`),
    pending: () => 0,
    newId: () => ID,
    nowMs: () => 5,
    ...overrides,
  };
  return { statements: createStatements(ports), steps, rows };
}

describe("a submission", () => {
  it("has its row, then its file, then its record, and is seen only then", async () => {
    const { statements, steps, rows } = setUp();
    const submitted = await statements.submit("acme", upload({ password: "1234" }));
    expect(submitted).toMatchObject({ ok: true, document: { id: ID, status: "queued", size: 8 } });
    const publish = `publish ${statementRecordKey("acme", ID)}`;
    expect(steps).toEqual(["insert", "8 bytes", "received", publish, "accept"]);
    expect(rows.get(ID)).toMatchObject({ password: "~1234" });
    expect(JSON.stringify(submitted)).not.toContain("1234");
  });

  it("of another type leaves no trace", async () => {
    const { statements, steps } = setUp();
    const bytes = Readable.from([Buffer.from("<html>")]);
    const refused = { ok: false, reason: "unsupported_type" };
    expect(await statements.submit("acme", upload({ bytes }))).toEqual(refused);
    expect(steps).toEqual([]);
  });

  it("that is too large, or breaks off, keeps neither row nor file", async () => {
    const { statements, steps, rows } = setUp();
    const bytes = Readable.from([PDF, Buffer.alloc(49_999_999)]);
    const refused = { ok: false, reason: "too_large" };
    expect(await statements.submit("acme", upload({ bytes }))).toEqual(refused);
    function* broken(): Iterable<Uint8Array> {
      yield Buffer.concat([PDF, Buffer.alloc(2_000)]);
      throw new Error("the caller is gone");
    }
    const lost = statements.submit("acme", upload({ bytes: Readable.from(broken()) }));
    await expect(lost).rejects.toThrow("the caller is gone");
    expect(steps.filter((step) => step === "discard")).toHaveLength(2);
    expect(rows.size).toBe(0);
  });

  it("that the log does not take is removed again", async () => {
    const failing = new LedgerlineError("unavailable", "no log");
    const { statements, rows } = setUp({ publish: () => Promise.reject(failing) });
    await expect(statements.submit("acme", upload())).rejects.toBe(failing);
    expect(rows.size).toBe(0);
  });

  it("for an account holder that is not there, or is removed meanwhile, is refused", async () => {
    const refused = { ok: false, reason: "holder_not_found" };
    const named = { accountHolderId: "h" };
    const missing = setUp({ hasHolder: () => Promise.resolve(false) });
    expect(await missing.statements.submit("acme", upload(named))).toEqual(refused);
    expect(missing.steps).toEqual([]);
    const late = setUp({ received: () => Promise.resolve(false) });
    expect(await late.statements.submit("acme", upload(named))).toEqual(refused);
    expect(late.rows.size).toBe(0);
  });

  it("makes an account holder of the type that was sent; a refused one makes none", async () => {
    const made: unknown[] = [];
    const { statements } = setUp({
      hasHolder: () => Promise.resolve(false),
      received: (_document, { size }, newHolder) => {
        made.push(size, newHolder);
        return Promise.resolve(true);
      },
    });
    const named = { accountHolderId: "h", accountType: "freelance" } as const;
    const other = { ...named, bytes: Readable.from([Buffer.from("<html>")]) };
    expect(await statements.submit("acme", upload(other))).toMatchObject({ ok: false });
    const large = { ...named, bytes: Readable.from([PDF, Buffer.alloc(49_999_999)]) };
    expect(await statements.submit("acme", upload(large))).toMatchObject({ ok: false });
    expect(made).toEqual([]);
    expect(await statements.submit("acme", upload(named))).toMatchObject({ ok: true });
    const own = { org: "acme", id: "h", name: null, categoryId: null, createdAt: 5 };
    const holder = { ...own, type: "business", statedType: "freelance" };
    expect(made).toEqual([8, { holder, since: "7" }]);
  });

  it.each([
    ["of the organization", { countUnfinished: () => Promise.resolve(500) }],
    ["of all", { pending: () => 5_000 }],
  ])("is refused while too many documents %s wait", async (_whose, ports) => {
    const { statements, steps } = setUp(ports);
    await expect(statements.submit("acme", upload())).rejects.toMatchObject({
      code: "overloaded",
    });
    expect(steps).toEqual([]);
  });
});

describe("the header of a statement", () => {
  const read = { header: { ...HEADER, institution: "Read before" } } as BankStatement;

  it("is read with the password while the document waits", async () => {
    const passwords: string[] = [];
    const { statements } = setUp({
      readHeader: (_bytes, password) => {
        passwords.push(password);
        return Promise.resolve(HEADER);
      },
    });
    await statements.submit("acme", upload({ password: "1234" }));
    expect(await statements.verify("acme", ID)).toEqual(HEADER);
    expect(passwords).toEqual(["1234"]);
  });

  it("comes from what was read once the document is processed, a fault from its failure", async () => {
    const never = (): never => {
      throw new Error("read again");
    };
    const { statements, rows } = setUp({ readHeader: never, reading: () => Promise.resolve(read) });
    await statements.submit("acme", upload());
    const document = rows.get(ID);
    if (document === undefined) throw new Error("no row");
    rows.set(ID, { ...document, status: "processed" });
    expect(await statements.verify("acme", ID)).toEqual(read.header);
    rows.set(ID, { ...document, status: "failed", failure: "password_needed" });
    expect(await statements.verify("acme", ID)).toEqual({ fault: "password_needed" });
  });

  it("is refused while many are read, to one organization earlier than to others", async () => {
    const { promise, resolve } = Promise.withResolvers<BankStatement["header"]>();
    const { statements } = setUp({ readHeader: () => promise });
    await statements.submit("acme", upload());
    const refused: string[] = [];
    const verify = async (org: string): Promise<void> => {
      await statements.verify(org, ID).catch(() => refused.push(org));
    };
    const all = [...Array.from({ length: 8 }, () => verify("acme")), verify("other")];
    resolve(HEADER);
    await Promise.all(all);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).not.toContain("other");
  });

  it("is null for no document", async () => {
    expect(await setUp().statements.verify("acme", ID)).toBeNull();
  });
});

it("a document that is not processed has no reading, and its status is returned", async () => {
  const { statements } = setUp();
  expect(await statements.reading("acme", ID)).toBeNull();
  await statements.submit("acme", upload());
  const waiting = { kind: "not_processed", status: "queued" };
  expect(await statements.reading("acme", ID)).toEqual(waiting);
});
