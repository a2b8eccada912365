// Words of generated statements: each list holds what banks of a country or language print for the same thing.

export interface Labels {
  readonly title: readonly string[];
  readonly account: readonly string[];
  readonly holder: readonly string[];
  readonly period: readonly string[];
  /** Between the two dates of a period. */
  readonly to: readonly string[];
  readonly opening: readonly string[];
  readonly closing: readonly string[];
  readonly carried: readonly [from: string, to: string];
  readonly date: readonly string[];
  readonly valueDate: readonly string[];
  readonly description: readonly string[];
  readonly reference: readonly string[];
  readonly type: readonly string[];
  readonly debit: readonly string[];
  readonly credit: readonly string[];
  readonly amount: readonly string[];
  readonly balance: readonly string[];
  readonly sections: {
    readonly deposits: string;
    readonly withdrawals: string;
    readonly checks: string;
    readonly checkNumber: string;
    readonly daily: string;
  };
  readonly total: string;
  readonly page: string;
  readonly card: {
    readonly title: string;
    readonly opening: string;
    readonly closing: string;
    readonly limit: string;
    readonly minimum: string;
    readonly due: string;
    readonly payments: string;
    readonly purchases: string;
  };
  /** Text below the table. */
  readonly notice: string;
}

const COMMON_ENGLISH: Labels = {
  title: ["Statement of account", "Account statement", "Your statement"],
  account: ["Account number", "Account no.", "Account"],
  holder: ["Account name"],
  period: ["Statement period", "Period"],
  to: ["to", "-"],
  opening: ["Opening balance"],
  closing: ["Closing balance"],
  carried: ["Balance brought forward", "Balance carried forward"],
  date: ["Date"],
  valueDate: ["Value date"],
  description: ["Description", "Details"],
  reference: ["Reference", "Ref."],
  type: ["DR/CR"],
  debit: ["Debit", "Debits"],
  credit: ["Credit", "Credits"],
  amount: ["Amount"],
  balance: ["Balance"],
  sections: {
    deposits: "Deposits and credits",
    withdrawals: "Withdrawals and debits",
    checks: "Cheques paid",
    checkNumber: "Cheque no.",
    daily: "Daily balance summary",
  },
  total: "Total",
  page: "Page",
  card: {
    title: "Credit card statement",
    opening: "Previous balance",
    closing: "New balance",
    limit: "Credit limit",
    minimum: "Minimum payment due",
    due: "Payment due date",
    payments: "Payments and credits",
    purchases: "Purchases and other charges",
  },
  notice:
    "Please check the entries of this statement and report any error within 30 days of its date.",
};

export const ENGLISH = {
  us: {
    ...COMMON_ENGLISH,
    period: ["Statement period", "For the period"],
    to: ["through", "to", "-"],
    opening: ["Beginning balance", "Previous balance", "Starting balance"],
    closing: ["Ending balance", "New balance"],
    date: ["Date", "Posting date"],
    description: ["Description", "Transaction description"],
    debit: ["Withdrawals", "Withdrawals / Debits", "Debits"],
    credit: ["Deposits", "Deposits / Credits", "Credits"],
    balance: ["Balance", "Ending daily balance"],
    sections: {
      ...COMMON_ENGLISH.sections,
      deposits: "Deposits and other credits",
      withdrawals: "Electronic withdrawals and other debits",
      checks: "Checks paid",
      checkNumber: "Check #",
    },
  },
  uk: {
    ...COMMON_ENGLISH,
    opening: ["Opening balance", "Start balance", "Previous balance"],
    closing: ["Closing balance", "End balance", "New balance"],
    description: ["Payment type and details", "Description", "Details"],
    debit: ["Paid out", "Money out (£)", "Withdrawn", "Payments"],
    credit: ["Paid in", "Money in (£)", "Receipts"],
    balance: ["Balance", "Balance (£)"],
  },
  ca: {
    ...COMMON_ENGLISH,
    opening: ["Opening balance", "Your opening balance"],
    closing: ["Closing balance", "Your closing balance"],
    debit: ["Withdrawals ($)", "Debits", "Amounts deducted from your account ($)"],
    credit: ["Deposits ($)", "Credits", "Amounts added to your account ($)"],
    balance: ["Balance ($)", "Balance"],
  },
  au: {
    ...COMMON_ENGLISH,
    description: ["Transaction", "Transaction Details", "Particulars"],
    debit: ["Debit", "Debits", "Withdrawals ($)"],
    credit: ["Credit", "Credits", "Deposits ($)"],
    balance: ["Balance", "Balance ($)"],
  },
  in: {
    ...COMMON_ENGLISH,
    account: ["Account No", "A/C No.", "Account Number"],
    period: ["Statement From", "Statement period"],
    description: ["Narration", "Particulars", "Transaction Remarks"],
    reference: ["Chq./Ref.No.", "Ref No./Cheque No."],
    debit: ["Withdrawal Amt.", "Debit", "Withdrawals"],
    credit: ["Deposit Amt.", "Credit", "Deposits"],
    balance: ["Closing Balance", "Balance", "Balance (INR)"],
    date: ["Date", "Txn Date", "Tran Date"],
    valueDate: ["Value Dt", "Value Date"],
  },
  za: {
    ...COMMON_ENGLISH,
    debit: ["Debits", "Money Out", "Debit Amount"],
    credit: ["Credits", "Money In", "Credit Amount"],
    balance: ["Balance", "Balance (R)"],
    amount: ["Amount", "Amount (R)"],
  },
} as const satisfies Record<string, Labels>;

export const GERMAN: Labels = {
  title: ["Kontoauszug"],
  account: ["IBAN", "Kontonummer"],
  holder: ["Kontoinhaber"],
  period: ["Zeitraum", "Buchungen vom"],
  to: ["bis", "-"],
  opening: ["Alter Kontostand", "Alter Saldo"],
  closing: ["Neuer Kontostand", "Neuer Saldo"],
  carried: ["Übertrag", "Übertrag"],
  date: ["Buchung", "Buchungstag", "Datum"],
  valueDate: ["Wert", "Valuta"],
  description: ["Verwendungszweck", "Buchungstext", "Vorgang", "Erläuterung"],
  reference: ["Beleg"],
  type: ["S/H"],
  debit: ["Soll", "Belastungen", "Ausgang"],
  credit: ["Haben", "Gutschriften", "Eingang"],
  amount: ["Betrag", "Betrag EUR", "Umsatz"],
  balance: ["Saldo", "Kontostand"],
  sections: {
    deposits: "Gutschriften",
    withdrawals: "Belastungen",
    checks: "Schecks",
    checkNumber: "Scheck-Nr.",
    daily: "Tagessalden",
  },
  total: "Summe",
  page: "Seite",
  card: {
    title: "Kreditkartenabrechnung",
    opening: "Alter Saldo",
    closing: "Neuer Saldo",
    limit: "Kartenlimit",
    minimum: "Mindestbetrag",
    due: "Zahlbar bis",
    payments: "Zahlungen und Gutschriften",
    purchases: "Kartenumsätze",
  },
  notice:
    "Einwendungen gegen den Rechnungsabschluss sind innerhalb von sechs Wochen zu erheben. Bitte prüfen Sie alle Buchungen.",
};

export const FRENCH: Labels = {
  title: ["Relevé de compte"],
  account: ["N° de compte", "IBAN"],
  holder: ["Titulaire"],
  period: ["Période du", "Relevé du"],
  to: ["au"],
  opening: ["Ancien solde", "Solde précédent"],
  closing: ["Nouveau solde"],
  carried: ["Report", "A reporter"],
  date: ["Date", "Date opération"],
  valueDate: ["Valeur", "Date valeur"],
  description: ["Libellé", "Nature des opérations", "Opération"],
  reference: ["Référence"],
  type: ["D/C"],
  debit: ["Débit"],
  credit: ["Crédit"],
  amount: ["Montant"],
  balance: ["Solde"],
  sections: {
    deposits: "Opérations au crédit",
    withdrawals: "Opérations au débit",
    checks: "Chèques",
    checkNumber: "N° chèque",
    daily: "Soldes quotidiens",
  },
  total: "Total",
  page: "Page",
  card: {
    title: "Relevé de carte de crédit",
    opening: "Solde précédent",
    closing: "Nouveau solde",
    limit: "Limite de crédit",
    minimum: "Paiement minimum",
    due: "Date limite de paiement",
    payments: "Paiements et crédits",
    purchases: "Achats",
  },
  notice: "Les opérations non contestées dans un délai de deux mois sont réputées approuvées.",
};

export const SPANISH: Labels = {
  title: ["Extracto de cuenta"],
  account: ["Cuenta", "IBAN", "Número de cuenta"],
  holder: ["Titular"],
  period: ["Periodo", "Movimientos del"],
  to: ["al", "a"],
  opening: ["Saldo anterior", "Saldo inicial"],
  closing: ["Saldo final", "Saldo actual"],
  carried: ["Suma anterior", "Suma y sigue"],
  date: ["Fecha", "F. operación"],
  valueDate: ["Valor", "F. valor"],
  description: ["Concepto", "Descripción"],
  reference: ["Referencia"],
  type: ["D/H"],
  debit: ["Cargo", "Debe", "Cargos"],
  credit: ["Abono", "Haber", "Abonos"],
  amount: ["Importe"],
  balance: ["Saldo"],
  sections: {
    deposits: "Abonos",
    withdrawals: "Cargos",
    checks: "Cheques pagados",
    checkNumber: "N.º cheque",
    daily: "Saldos diarios",
  },
  total: "Total",
  page: "Página",
  card: {
    title: "Extracto de tarjeta de crédito",
    opening: "Saldo anterior",
    closing: "Saldo actual",
    limit: "Límite de crédito",
    minimum: "Pago mínimo",
    due: "Fecha límite de pago",
    payments: "Pagos y abonos",
    purchases: "Compras",
  },
  notice:
    "Le rogamos que compruebe los movimientos y nos comunique cualquier error en treinta días.",
};

export const ITALIAN: Labels = {
  title: ["Estratto conto"],
  account: ["Conto corrente n.", "IBAN"],
  holder: ["Intestatario"],
  period: ["Periodo dal", "Periodo"],
  to: ["al"],
  opening: ["Saldo iniziale"],
  closing: ["Saldo finale"],
  carried: ["Riporto", "Riporto a nuovo"],
  date: ["Data", "Data operazione"],
  valueDate: ["Valuta"],
  description: ["Descrizione", "Descrizione operazione"],
  reference: ["Riferimento"],
  type: ["D/A"],
  debit: ["Dare", "Addebiti", "Uscite"],
  credit: ["Avere", "Accrediti", "Entrate"],
  amount: ["Importo"],
  balance: ["Saldo"],
  sections: {
    deposits: "Accrediti",
    withdrawals: "Addebiti",
    checks: "Assegni pagati",
    checkNumber: "N. assegno",
    daily: "Saldi giornalieri",
  },
  total: "Totale",
  page: "Pagina",
  card: {
    title: "Estratto conto carta di credito",
    opening: "Saldo precedente",
    closing: "Nuovo saldo",
    limit: "Limite di credito",
    minimum: "Rata minima",
    due: "Scadenza",
    payments: "Pagamenti e accrediti",
    purchases: "Acquisti",
  },
  notice: "Trascorsi sessanta giorni dal ricevimento, l'estratto conto si intende approvato.",
};

export const DUTCH: Labels = {
  title: ["Rekeningafschrift", "Rekeningoverzicht"],
  account: ["Rekeningnummer", "IBAN"],
  holder: ["Rekeninghouder"],
  period: ["Periode", "Periode van"],
  to: ["t/m", "tot"],
  opening: ["Beginsaldo", "Vorig saldo"],
  closing: ["Eindsaldo", "Nieuw saldo"],
  carried: ["Transport", "Transport"],
  date: ["Datum", "Boekdatum"],
  valueDate: ["Rentedatum", "Valutadatum"],
  description: ["Omschrijving"],
  reference: ["Kenmerk"],
  type: ["Af/Bij"],
  debit: ["Af", "Bedrag af", "Debet"],
  credit: ["Bij", "Bedrag bij", "Credit"],
  amount: ["Bedrag", "Bedrag (EUR)"],
  balance: ["Saldo"],
  sections: {
    deposits: "Bijschrijvingen",
    withdrawals: "Afschrijvingen",
    checks: "Cheques",
    checkNumber: "Chequenummer",
    daily: "Dagsaldi",
  },
  total: "Totaal",
  page: "Pagina",
  card: {
    title: "Creditcardafrekening",
    opening: "Vorig saldo",
    closing: "Nieuw saldo",
    limit: "Bestedingslimiet",
    minimum: "Minimaal te betalen",
    due: "Uiterste betaaldatum",
    payments: "Betalingen en bijschrijvingen",
    purchases: "Aankopen",
  },
  notice: "Controleer dit afschrift en meld onjuistheden binnen dertien maanden.",
};
