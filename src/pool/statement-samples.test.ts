// Generated statements in every medium, read by the child process as the service reads them: every row and verdict is exact.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import {
  type GeneratedTruth,
  generateStatement,
} from "../../test/support/generated-statements/generate.ts";
import { openStatementPool } from "./statements.ts";

const FOLDER = fileURLToPath(new URL("../../test/support/statement-samples/", import.meta.url));
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(`${FOLDER}${name}`));
const truthOf = (name: string): GeneratedTruth =>
  JSON.parse(
    readFileSync(`${FOLDER}${name.replace(/\.\w+$/u, ".truth.json")}`, "utf8"),
  ) as GeneratedTruth;
const names = globSync("*.{pdf,jpg}", { cwd: FOLDER }).sort();

const pool = openStatementPool(2);
afterAll(() => pool.close());

type Row = GeneratedTruth["accounts"][number]["transactions"][number];
const rowsOf = (rows: readonly Row[] | undefined): string[] =>
  (rows ?? [])
    .map(({ date, amount, direction, balance }) => [date, amount, direction, balance].join(" "))
    .sort();

it("are of every medium", () => {
  const media = new Set(names.map((name) => truthOf(name).medium));
  expect([...media].sort()).toEqual(["jpeg", "photo", "scan", "skew", "text", "watermark"]);
});

it.each(names)("%s", { timeout: 120_000 }, async (name) => {
  const result = await pool.read(read(name), "");
  const { accounts } = truthOf(name);
  if ("fault" in result) throw new Error(result.fault);
  expect(result.accounts.map(({ transactions }) => rowsOf(transactions as readonly Row[]))).toEqual(
    accounts.map(({ transactions }) => rowsOf(transactions)),
  );
  // What was recognised may need a repair before its balances are exact.
  expect(result.accounts.map(({ verdict }) => verdict.replace("_with_repairs", ""))).toEqual(
    accounts.map(({ verdict }) => verdict),
  );
});

it("the same seed gives the same truth and, with a text layer, the same file", async () => {
  const name = names.find((one) => one.startsWith("text-")) ?? "";
  const seed = Number(/\d+/u.exec(name)?.[0]);
  const { bytes, truth } = await generateStatement(seed, "text");
  expect(truth).toEqual(truthOf(name));
  expect(Buffer.compare(bytes, (await generateStatement(seed, "text")).bytes)).toBe(0);
});
