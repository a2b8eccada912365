// Runs the recogniser over a few lines before the thread takes work: the engine compiles code that was run often enough, and the
// first chunk of a thread would otherwise take three times as long as the next ones. A service that is killed again and again
// would spend its time on that.
import type { EntryType, RecogniserInput } from "../src/model/transaction.ts";

/** Of many kinds, so that most of the code is run. */
const LINES: readonly (readonly [description: string, entryType: EntryType])[] = [
  [
    "PURCHASE AUTHORIZED ON 01/23 STARBUCKS STORE 12345 PORTLAND OR S123456789012345 CARD 1082",
    "outgoing",
  ],
  ["SQ *BLUE KETTLE COFFEE AUSTIN TX", "outgoing"],
  ["PAYPAL *UBER TRIP", "outgoing"],
  ["ZELLE TO JOHN SMITH ON 01/23 REF # ABC1234", "outgoing"],
  ["ACME WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE CO ID:1234567890 PPD", "incoming"],
  ["WWW.BLUE-KETTLE.CO.UK 0208 2188868", "outgoing"],
  ["MONTHLY SERVICE FEE", "outgoing"],
  ["HILLSBOROUGH VETERINARY CLINIC TAMPA FL", "outgoing"],
  ["TESCO STORES 6440 LONDON", "outgoing"],
  ["AMAZON MKTPLACE PMTS REFUND", "incoming"],
];
/** More would delay the start by more than they save. */
const ROUNDS = 6;

/** @param recognise of the thread; its results are not used */
export function warmUp(recognise: (item: RecogniserInput) => unknown): void {
  for (let round = 0; round < ROUNDS; round++)
    for (const [description, entryType] of LINES)
      recognise({
        description,
        amount: 20 + round,
        entryType,
        currency: round % 2 === 0 ? "USD" : "GBP",
        accountType: round % 3 === 0 ? "business" : "consumer",
        rawAddress: null,
        country: null,
      });
}
