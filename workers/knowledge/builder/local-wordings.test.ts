import { join } from "node:path";
import { expect, test } from "vitest";
import { normaliseText } from "../../recogniser/text/normalise.ts";
import { tokenise } from "../../recogniser/text/tokenise.ts";
import { firstPattern, indexPatterns } from "../patterns.ts";
import { readTables } from "./inputs.ts";
import { createProblems } from "./rows.ts";
import { categoryNames, readWordings, readWords } from "./small-tables.ts";

const problems = createProblems();
const files = readTables(join(import.meta.dirname, "../tables")).filter(({ name }) =>
  name.startsWith("wording-"),
);
const index = indexPatterns(readWordings(files, problems));

const categoryOf = (line: string, direction: "in" | "out"): string | undefined => {
  const tokens = tokenise(normaliseText(line));
  const match = firstPattern(index, tokens, direction === "in" ? 0 : 1);
  return match === null ? undefined : categoryNames[match.row.category];
};

test.each([
  ["out", "ÜBERWEISUNGSENTGELT 03/2026", "bank fee"],
  ["in", "UEBERWEISUNG FAMILIENBONUS GUTSCHRIFT", "government benefits"],
  ["out", "DAUERAUFTRAG MONATSMIETE WHG 12", "rent and property management fee"],
  ["out", "LASTSCHRIFT KREDITKARTENAUSGLEICH 4711", "credit card bill"],
  ["out", "FRAIS DE RETRAIT HORS ZONE", "bank fee"],
  ["in", "REMBOURSEMENT IMPOT SUR LE REVENU", "tax refund"],
  ["any", "VIREMENT VERS EPARGNE MENSUEL", "intra account transfer"],
  ["out", "COMISION POR DEVOLUCION RECIBO", "non-sufficient funds / overdraft fee"],
  ["in", "DEVOLUCION IRPF 2025", "tax refund"],
  ["out", "PRESTAMO HIPOTECARIO CUOTA 12", "mortgage"],
  ["in", "RIMBORSO SPESE MEDICHE FONDO", "insurance payout"],
  ["out", "COMM BONIFICO SEPA", "bank fee"],
  ["out", "ABBONAMENTO ATM MILANO", "public transport"],
  ["out", "KOSTEN GELDOPNAME BUITENLAND", "bank fee"],
  ["in", "UWV ZW UITKERING", "government benefits"],
  ["out", "AFLOSSING CREDITCARD MAART", "credit card bill"],
  ["in", "SUBSIDIO DE FERIAS 2026", "paycheck"],
  ["out", "TARIFA SAQUE TERMINAL", "bank fee"],
  ["any", "TRANSFERENCIA PIX JOAO", "peer to peer transfer"],
  ["out", "NEFT CHRG 0326", "bank fee"],
  ["in", "ITDTAX REFUND 2025", "tax refund"],
  ["out", "LOTTO FEE", "bank fee"],
  ["in", "CANADA CARBON REBATE", "government benefits"],
  ["any", "FAST TRANSFER FROM J SMITH", "peer to peer transfer"],
])("patterns of the local languages: %s %s is %s", (direction, line, category) => {
  const directions = direction === "any" ? (["in", "out"] as const) : [direction as "in" | "out"];
  for (const one of directions) expect(categoryOf(line, one)).toBe(category);
});

test("the local patterns have no faults and never contradict another row of the same words", () => {
  expect(problems.list()).toEqual([]);
  const seen = new Map<string, number>();
  for (const row of readWordings(
    files.filter(({ name }) => /^wording-(?:08|58)-/u.test(name)),
    problems,
  )) {
    const directions = row.direction === 2 ? [0, 1] : [row.direction];
    for (const one of directions) {
      const key = `${String(one)} ${row.parts.map((part) => part.join(" ")).join(" * ")}`;
      expect([key, seen.get(key) ?? row.category]).toEqual([key, row.category]);
      seen.set(key, row.category);
    }
  }
});

test.each([
  ["words-de.txt", "landbaeckerei", "food and drink"],
  ["words-fr.txt", "kinesitherapeute", "medical bill"],
  ["words-es.txt", "taller mecanico", "vehicle maintenance"],
  ["words-it.txt", "autorimessa", "other transport"],
  ["words-nl.txt", "fietsenmaker", "recreational goods"],
  ["words-pt.txt", "borracharia", "vehicle maintenance"],
])("%s: %s tells %s", (name, word, category) => {
  const [table] = readTables(join(import.meta.dirname, "../tables")).filter(
    (file) => file.name === name,
  );
  const rows = readWords(table ?? { name, text: "" }, createProblems());
  const row = rows.find(({ parts }) => parts.flat().join(" ") === word);
  expect(categoryNames[row?.category ?? -1]).toBe(category);
});
