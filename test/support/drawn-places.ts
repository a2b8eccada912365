// The rows of `GOOD_STATEMENT`, and how far from where its values were drawn they were found.
import type { StatementResult } from "../../src/model/bank-statement.ts";
import type { PicturePoint } from "../../workers/statements/perspective.ts";
import { GOOD_STATEMENT } from "./statement-files.ts";

export const GOOD_ACCOUNT = {
  ...{ opening: "100.00", closing: "145.00", verdict: "reconciled" },
  transactions: [
    { date: "2026-01-02", amount: "5.00", direction: "debit", balance: "95.00" },
    { date: "2026-01-05", amount: "50.00", direction: "credit", balance: "145.00" },
  ],
};

/** Points of the page of `GOOD_STATEMENT`, from its upper edge down. */
export const DRAWN_HEIGHT = 842;

/**
 * By the lower left corners of amounts and balances, in the order of the rows; Infinity: the value was not found.
 * @param placeOf where a point of the page (from its upper left corner) is in what was read
 */
export function distancesToDrawn(
  read: StatementResult,
  placeOf: (point: PicturePoint) => PicturePoint,
): readonly number[] {
  if ("fault" in read) throw new Error(read.fault);
  const evidence = read.accounts[0]?.transactions.map((row) => row.evidence) ?? [];
  const printed = evidence.flatMap(({ amount, balance }) => [amount, balance]);
  return ["-5.00", "95.00", "50.00", "145.00"].map((text, at) => {
    const drawn = GOOD_STATEMENT.find((one) => one.text === text);
    if (drawn === undefined) throw new Error(`${text} is not drawn`);
    const { x, y } = placeOf({ x: drawn.x, y: DRAWN_HEIGHT - drawn.y });
    const box = printed[at]?.box;
    return box === undefined ? Number.POSITIVE_INFINITY : Math.hypot(box[0] - x, box[3] - y);
  });
}
