import { plainWords } from "../values/plain-words.ts";

/**
 * What a column can be. `foreign`: amount or currency of the purchase, not of the account. `kind` and `category`: the
 * bank's own words for a transaction. `ignore`: known and unused.
 */
export type Role =
  | "date"
  | "payee"
  | "memo"
  | "amount"
  | "debit"
  | "credit"
  | "direction"
  | "currency"
  | "balance"
  | "country"
  | "address"
  | "foreign"
  | "status"
  | "kind"
  | "category"
  | "id"
  | "account"
  | "ignore";

interface HeaderMatch {
  readonly role: Role;
  /** Lower is better: the place in the list below, plus a penalty when only a part of the header matched. */
  readonly rank: number;
}

// Best word first within a role, English, German, French, Spanish, Italian, Dutch, Portuguese mixed. Without accents, as
// plainWords leaves them. One phrase may stand under several roles ("valuta"): the content of the column decides.
const PHRASES: Readonly<Record<Role, string>> = {
  date:
    "transaction date|trans date|trade date|txn date|date of transaction|date|started date|purchase date|buchungstag|buchungsdatum|buchung|" +
    "belegdatum|datum|date operation|date de l operation|date d operation|fecha operacion|fecha de operacion|f operacion|fecha|" +
    "data operazione|data contabile|data|transactiedatum|boekdatum|boekingsdatum|data da operacao|data mov|data movimento|" +
    "data lancamento|posting date|posted date|post date|date posted|posted on|posted|booking date|completed date|processed date|created date|" +
    "created|date comptable|date de comptabilisation|wertstellung|wertstellungstag|valutadatum|valuta|value date|value dt|" +
    "date valeur|date de valeur|fecha valor|f valor|data valuta|rentedatum|data valor|effective date|transaction date time|" +
    "date time|timestamp|day|tag|giorno",
  payee:
    "merchant name|merchant|payee|payee name|counterparty name|counterparty|counter party|name|beneficiary|beneficiary name|" +
    "recipient|vendor|vendor name|supplier|supplier name|beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|" +
    "auftraggeber empfanger|auftraggeber empfaenger|beguenstigter auftraggeber|begunstigter auftraggeber|beguenstigter|begunstigter|" +
    "zahlungsempfanger in|zahlungsempfanger|zahlungsempfaenger|empfanger|empfaenger|zahlungsbeteiligter|auftraggeber|handler|" +
    "partnername|partner name|beneficiaire|tiers|commercant|comercio|beneficiario|ordenante|esercente|controparte|ordinante|" +
    "naam omschrijving|naam tegenpartij|tegenpartij|naam|estabelecimento|name of payee|to from",
  memo:
    "description|transaction description|description 1|description 2|descriptor|statement descriptor|details|transaction details|" +
    "narrative|narration|transaction remarks|remarks|memo|particulars|payment reference|original description|reference text|" +
    "verwendungszweck|buchungsdetails|beschreibung|umsatzinformation|vorgang verwendungszweck|buchungsinformation|" +
    "libelle de l operation|libelle operation|libelle simplifie|libelle|libelle complet|intitule|nature de l operation|motif|concepto|" +
    "descripcion|concepto ampliado|movimiento|observaciones|detalle|descrizione operazione|descrizione|causale|dettagli|operazione|" +
    "omschrijving|omschrijving 1|omschrijving 2|omschrijving 3|mededelingen|descricao|descritivo|historico|movimento|transaction|" +
    "appears on your statement as|what|text|buchungstext|notes|message|nachricht|comment|communication|mededeling",
  amount:
    "amount|transaction amount|amount outflow positive|amount inflow positive|betrag|umsatz|buchungsbetrag|umsatzbetrag|montant|" +
    "montant de l operation|importe|importo|bedrag|transactiebedrag|transactie bedrag|montante|valor|quantia|amt|trans amount|" +
    "billing amount|net amount|gross|net|sum|value|total|price|amount in account currency",
  debit:
    "debit|debit amount|amount debit|paid out|money out|withdrawal|withdrawals|withdrawal amt|withdrawal amount|out|spent|outflow|" +
    "debits|dr|dr amount|soll|belastung|lastschrift|ausgabe|ausgaben|debet|debito|debitos|cargo|cargos|dare|uscite|addebito|" +
    "addebiti|af|uitgaven|debit amt|gastos|saidas",
  credit:
    "credit|credit amount|amount credit|paid in|money in|deposit|deposits|deposit amt|deposit amount|in|received|inflow|credits|cr|" +
    "cr amount|haben|gutschrift|einnahme|einnahmen|credito|creditos|abono|abonos|avere|entrate|accredito|accrediti|bij|inkomsten|" +
    "credit amt|ingresos|entradas",
  direction:
    "debit credit|credit debit|dr cr|cr dr|debit credit indicator|credit debit indicator|debit or credit|credit or debit|af bij|bij af|" +
    "soll haben|soll haben kennzeichen|s h|h s|d c|c d|dc|debit credit flag|direction|sens|signe|sign|indicator|entry type|" +
    "transaction type|type|tipo|details|tipo movimiento|debet credit|debito credito|richting",
  currency:
    "currency|currency code|ccy|account currency|wahrung|waehrung|devise|divisa|moneda|valuta|munt|muntsoort|moeda|" +
    "transaction currency|cur|monnaie",
  balance:
    "balance|running balance|running bal|closing balance|available balance|account balance|new balance|saldo|saldo nach buchung|" +
    "kontostand|solde|saldo disponible|saldo contabile|saldo na mutatie|saldo na trn|saldo contabilistico|saldo posterior|bal",
  country:
    "country|merchant country|country code|land|pays|pais|paese|landcode|country of merchant",
  address:
    "address|merchant address|adresse|city|town|merchant city|city state|city field|location|ort|stadt|ville|lieu|ciudad|localidad|citta|" +
    "plaats|cidade|localidade|state|merchant state|zip code|zip|postcode|postal code|merchant postal code|plz",
  foreign:
    "orig amount|original amount|foreign amount|local amount|orig ccy|orig currency|original currency|foreign currency|local currency|" +
    "amount foreign currency|type foreign currency|fremdwahrung|fremdwahrungsbetrag|betrag fremdwahrung",
  status:
    "status|transaction status|payment status|booking status|state of transaction|state|buchungsstatus|zustand|statut|etat|estado|" +
    "stato|situacao|situazione|pending",
  kind:
    "transaction type|type|umsatztyp|umsatzart|transaktionstyp|buchungsart|vorgang|buchungstext|type of transaction|type d operation|" +
    "type operation|tipo de operacion|tipo de movimiento|tipo movimiento|tipo|mutatiesoort|transaction code|tran type|details",
  category:
    "category|kategorie|hauptkategorie|categorie|categoria|category name|merchant category|subcategory|sub category|unterkategorie|" +
    "sous categorie|subcategoria",
  id: "transaction id|transaktions id|transactie id|transaktionsnummer|fitid|transaction reference|reference number|reference no|id",
  account:
    "account number|account no|account id|auftragskonto|iban|kontonummer|konto|kontonummer iban|iban bban|account|numero de compte|" +
    "numero de cuenta|cuenta|rekening|rekeningnummer|conto|conta",
  ignore:
    "account name|account type|account owner|account holder|card|card number|card no|" +
    "card member|cardholder name|card holder|cardholder|bic|reference|ref|" +
    "check number|check or slip|cheque number|chq ref no|exchange rate|rate|fee|fees|time|" +
    "category id|merchant id|merchant category code|mcc|credit card|debit card|credit limit|" +
    "name des kontos|name auftraggeberkonto|type of account|" +
    "file|balance currency|receipt|emoji|sort code|bank name|bank|user name|date and time zone",
};

/** Short words mean something only alone: "in", "dr", "type" inside a longer header are accidents. */
const ALONE_ONLY = new Set(
  "in|out|af|bij|dr|cr|d c|c d|s h|h s|dc|id|ref|net|sum|value|total|what|text|data|day|tag|name|naam|type|sign|card|credit|debit|state|land|file|fee|rate|account|bank|time|status|transaction|operazione|in out|movimento|partner|cur|bal|price|notes|message|details|reference|valor|ort|munt|amt|konto".split(
    "|",
  ),
);
const PARTIAL_PENALTY = 1000;
const FOREIGN = /\b(?:foreign|original|orig|local|fremdwahrung|origine|extranjera|estera)\b/u;

/** Every role that a header cell may stand for, best first; empty when no word is known. */
export type HeaderMatcher = (header: string) => readonly HeaderMatch[];

export function createHeaderMatcher(): HeaderMatcher {
  const phrases = new Map<string, HeaderMatch[]>();
  for (const [role, list] of Object.entries(PHRASES) as [Role, string][]) {
    for (const [rank, phrase] of list.split("|").entries()) {
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), { role, rank }]);
    }
  }
  return (header) => matchHeader(phrases, header);
}

function matchHeader(
  phrases: ReadonlyMap<string, readonly HeaderMatch[]>,
  header: string,
): readonly HeaderMatch[] {
  if (header.length > 60) return [];
  // "Description1" and "Description 1" are the same.
  const words = plainWords(header).replace(/(?<=\p{L})(?=\d+$)/u, " ");
  const exact = phrases.get(words);
  if (exact !== undefined) return exact;
  // A unit in brackets or behind the word: "Betrag (€)", "Bedrag (EUR)", "Amount GBP", "CAD$".
  const bare = plainWords(header.replaceAll(/\([^)]*\)|\b[A-Z]{3}\b/gu, " "));
  if (bare === "" && /^\s*[A-Z]{3}\s*\$?\s*$/u.test(header)) {
    return header.includes("$") ? [{ role: "amount", rank: PARTIAL_PENALTY }] : [];
  }
  const partial = phrases.get(bare) ?? longestInside(phrases, words);
  const penalised = partial.map(({ role, rank }) => ({ role, rank: rank + PARTIAL_PENALTY }));
  if (!FOREIGN.test(words)) return penalised;
  const isForeign = penalised.some(({ role }) => ["amount", "currency", "foreign"].includes(role));
  return isForeign ? [{ role: "foreign", rank: PARTIAL_PENALTY }] : penalised;
}

function longestInside(
  phrases: ReadonlyMap<string, readonly HeaderMatch[]>,
  words: string,
): readonly HeaderMatch[] {
  let best = "";
  for (const phrase of phrases.keys()) {
    if (phrase.length <= best.length || ALONE_ONLY.has(phrase)) continue;
    if (` ${words} `.includes(` ${phrase} `)) best = phrase;
  }
  return phrases.get(best) ?? [];
}
