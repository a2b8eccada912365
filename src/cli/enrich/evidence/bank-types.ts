import type { EntryType } from "../../../model/transaction.ts";
import { plainWords } from "../values/plain-words.ts";

interface TypeCategory {
  readonly outgoing: string | null;
  readonly incoming: string | null;
  /** As plainWords leaves them. */
  readonly types: string;
}

/** Only types that tell what the money was for; "POS", "DIRECTDEBIT" and "SALE" tell how it was paid. Both sets have these. */
const TYPE_CATEGORIES: readonly TypeCategory[] = [
  {
    ...{ outgoing: "atm/bank withdrawal", incoming: "atm/bank deposit" },
    types:
      "atm|cash|cash machine|cashpoint|cpt|cash withdrawal|atm withdrawal|atm cash|cash deposit|atm deposit|deposit cash|" +
      "geldautomat|bargeldauszahlung|bargeldeinzahlung|barauszahlung|bareinzahlung|auszahlung geldautomat|" +
      "retrait|retrait dab|retrait especes|depot especes|cajero|retirada efectivo|prelievo|prelievo bancomat|geldautomaat|gm",
  },
  {
    ...{ outgoing: "bank fee", incoming: null },
    types:
      "fee|fees|bank fee|service fee|service charge|srvchg|chg|bank charge|bank charges|account fee|monthly fee|" +
      "entgelt|entgeltabschluss|gebuhr|gebuhren|kontofuhrung|frais|frais bancaires|comision|comisiones|commissione|commissioni",
  },
  {
    ...{ outgoing: "interest", incoming: "interest" },
    types:
      "int|interest|interest paid|interest earned|interest charge|interest charged|interest payment|credit interest|debit interest|" +
      "gross interest|net interest|zins|zinsen|zinsabschluss|habenzinsen|sollzinsen|interets|intereses|interessi",
  },
  {
    outgoing: null,
    incoming: "dividends",
    types: "div|dividend|dividends|dividende|dividendes|dividendi",
  },
  {
    ...{ outgoing: "payroll", incoming: "paycheck" },
    types:
      "payroll|salary|salaries|wages|lohn gehalt|lohn|gehalt|salaire|salaires|virement salaire|nomina|stipendio|salaris",
  },
  {
    ...{ outgoing: "inter account transfer", incoming: "inter account transfer" },
    types:
      "transfer|transfers|xfer|tfr|trf|account transfer|acct xfer|internal transfer|online transfer|umbuchung|virement interne|" +
      "traspaso|giroconto|overboeking eigen rekening",
  },
];

/** What a consumer's set calls a category of companies. */
const CONSUMER_NAMES: Readonly<Record<string, string>> = {
  dividends: "interest and dividends",
  interest: "interest and dividends",
};

const byType = new Map(
  TYPE_CATEGORIES.flatMap((row) => row.types.split("|").map((type) => [type, row] as const)),
);

/** Candidates of our categories for a bank's own type, best first; none where the type tells nothing of the purpose. */
export function categoriesOfType(type: string, direction: EntryType): readonly string[] {
  const category = byType.get(plainWords(type))?.[direction] ?? null;
  if (category === null) return [];
  const consumer = direction === "incoming" ? CONSUMER_NAMES[category] : undefined;
  return consumer === undefined ? [category] : [consumer, category];
}
