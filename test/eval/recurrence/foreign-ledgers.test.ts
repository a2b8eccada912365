import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nameOfText, readForeignLedgers } from "../../../bench/recurrence/foreign-ledgers.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledgers-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const HEAD =
  "date,description,amount,currency,category,merchant,holder,account,series_kind,series_id,period\n";

it("a folder without ledgers is reported as absent", () => {
  expect(readForeignLedgers(folder)).toBeNull();
});

it("a detector sees neither category nor merchant, and the ledger ends before the file", () => {
  mkdirSync(join(folder, "ledgers"));
  const rent = ["02-01", "03-01", "04-01", "05-01", "06-01"].map(
    (day) => `2025-${day},Landlord 12,-900.00,SEK,home,Secret,h,a,rent,a:rent,P1M`,
  );
  const pay = ["03-25", "04-25", "05-23"].map(
    (day) => `2025-${day},Boss | Payroll,2000.00,SEK,pay,Secret,h,a,salary,a:pay,P1M`,
  );
  const shop = "2025-04-12,Shop,-12.50,SEK,food,Secret,h,a,,,";
  writeFileSync(
    join(folder, "ledgers", "gigurra-sek.csv"),
    `${HEAD}${[...rent, ...pay, shop].join("\n")}\n`,
  );
  const [ledger, ...others] = readForeignLedgers(folder) ?? [];
  expect(others).toEqual([]);
  expect(ledger?.asOf).toBe("2025-04-27");
  expect(JSON.stringify(ledger?.entries)).not.toContain("Secret");
  expect(ledger?.entries.every(({ category }) => category === null)).toBe(true);
  expect(ledger?.entries.map(({ counterparty }) => counterparty?.name)).toEqual([
    ...["Landlord", "Landlord", "Boss", "Landlord", "Shop", "Boss"],
  ]);
  expect(ledger?.series).toMatchObject([
    {
      ...{ case: "rent", periodicity: "monthly", transactionIds: ["t1", "t2", "t4"] },
      ...{ isRequired: true, isActive: true, incomeType: null },
      next: { date: "2025-05-01", amount: 900 },
    },
    {
      ...{ case: "salary", transactionIds: ["t3", "t6"], isRequired: false, incomeType: "salary" },
      next: { date: "2025-05-23", amount: 2000 },
    },
  ]);
  expect(ledger?.cases.get("t5")).toBe("not a series");
});

it("the name is the payee without references", () => {
  expect(nameOfText("Spotify P3A8AC")).toBe("Spotify");
  expect(nameOfText("GOOGLE*GSUITE abc123")).toBe("GOOGLE GSUITE");
  expect(nameOfText("NETFLIX.COM")).toBe("NETFLIX");
  expect(nameOfText("Hooli | Payroll")).toBe("Hooli");
  expect(nameOfText("1234")).toBe("1234");
});
