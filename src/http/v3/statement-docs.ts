// Descriptions of what bank statements have in the documents of both versions, see `field-docs.ts`.

/** Of what is read from the first page, which is the same in both versions. */
export const INFO_SCHEMA_DOCS: Readonly<Record<string, string>> = {
  Account: "An account, as the first page shows it.",
  Address: "An address, as it is printed.",
  StatementAccountHolder: "The account holder that the statement names.",
  StatementInfo: "What is read from the first page of a bank statement.",
};

export const INFO_FIELD_DOCS: Readonly<Record<string, string>> = {
  "StatementInfo.institution": "The bank.",
  "StatementInfo.account_holder": "The account holder; null: none was found.",
  "StatementInfo.accounts": "The accounts that the first page shows.",
  "StatementInfo.start_date": "The first day of the period, YYYY-MM-DD.",
  "StatementInfo.end_date": "The last day of the period, YYYY-MM-DD.",
  "StatementAccountHolder.type": "`consumer` or `business`; null: unknown.",
  "StatementAccountHolder.name": "The name, as printed.",
  "StatementAccountHolder.address": "The address; null: none was found.",
  "Address.street": "Street and house number.",
  "Address.postcode": "Postcode.",
  "Address.city": "City.",
  "Address.state": "State or province.",
  "Address.country": "As printed, or ISO 3166-1 alpha-2 where postcode and state decide it.",
  "Account.type": "Such as `checking`, `savings` or `credit card`; null: unknown.",
  "Account.number": "As printed.",
  "Account.opening_balance": "Balance before the first transaction.",
  "Account.closing_balance": "Balance after the last transaction.",
  "Account.iso_currency_code": "ISO 4217; null: none is printed.",
};

export const STATEMENT_SCHEMA_DOCS: Readonly<Record<string, string>> = {
  ...INFO_SCHEMA_DOCS,
  AccountEvidence: "Whether the balances of an account are exact, and what was repaired.",
  BankStatement: "A submitted bank statement.",
  BankStatementAccount: "An account of a bank statement.",
  BankStatementError: "Why a bank statement could not be read.",
  BankStatementErrorCode: "Whether the document or the service is at fault.",
  BankStatementFile: "The submitted file.",
  BankStatementPage: "A page of bank statements.",
  BankStatementResults: "What was read from a bank statement.",
  BankStatementStatus: "`processing` until it is `completed`, or ended with `error`.",
  BankStatementTransaction: "A transaction, as it is printed.",
  DocumentStatus:
    "A status in the words of either version; `processing` includes what is `queued`.",
  PrintedValue: "Where a value is printed, and how it was read.",
  StatementBreak: "The first place at which the balances are not exact.",
  StatementEvidence: "Where each value is printed, and what is suspicious about the document.",
  StatementRepair:
    "A value that was taken differently from how it was read, because only then the balances are exact.",
  StatementSignal: "Something that a forged document would show too. Each alone is weak.",
  AccountEnd: "The opening or the closing balance of an account.",
  StatementVerdict:
    "`reconciled`: each printed balance follows from the transactions; `reconciled_with_repairs`: after single values were read differently; `not_reconciled`: a balance does not follow; `not_checkable`: too few balances are printed, or two readings of an amount in no equation differ.",
  TransactionEvidence: "Where the values of a transaction are printed; null: not in its row.",
};

export const STATEMENT_FIELD_DOCS: Readonly<Record<string, string>> = {
  ...INFO_FIELD_DOCS,
  "BankStatement.name": "Name of the file; null: none was sent.",
  "BankStatement.file": "The submitted file.",
  "BankStatement.error": "Why it could not be read; null: nothing failed.",
  "BankStatementError.code": "Whether the document or the service is at fault.",
  "BankStatementError.fault": "Extension: what exactly is wrong, for programs.",
  "BankStatementFile.no_pages": "Pages; 0 until it was read.",
  "BankStatementFile.size": "Bytes.",
  "BankStatementResults.accounts": "In the order in which they are printed.",
  "BankStatementAccount.number": "As printed; null: none was found.",
  "BankStatementAccount.name": "The product, as printed; null: none was found.",
  "BankStatementAccount.type": "Extension: such as `checking`, `savings` or `credit card`.",
  "BankStatementAccount.currency": "Extension: ISO 4217; null: none is printed.",
  "BankStatementAccount.opening_balance": "Balance before the first transaction.",
  "BankStatementAccount.closing_balance": "Balance after the last transaction.",
  "BankStatementAccount.start_date": "The first day of the period, YYYY-MM-DD.",
  "BankStatementAccount.end_date": "The last day of the period, YYYY-MM-DD.",
  "BankStatementAccount.is_balance_reconciled":
    "Whether the printed balances follow from the transactions; null: too little is printed to tell.",
  "BankStatementAccount.is_opening_calculated":
    "Extension: the opening balance is not printed but calculated from the first row.",
  "BankStatementAccount.total_incoming": "Sum of what arrived.",
  "BankStatementAccount.total_outgoing": "Sum of what left.",
  "BankStatementAccount.transactions": "In the order in which they are printed.",
  "BankStatementTransaction.id":
    "Id of the transaction, by which it is enriched: the same whenever the document is read again.",
  "BankStatementTransaction.running_balance":
    "The balance that is printed in its row; null: none is.",
  "BankStatementTransaction.page_number": "Page, from 1.",
  "BankStatementTransaction.row": "Extension: the row among those of the account, from 1.",
  "BankStatementTransaction.is_date_inferred":
    "Extension: no day is printed in its row; the date is the last of the period, else that of the submission.",
  "BankStatementTransaction.is_year_inferred":
    "Extension: no year is printed; it is that of the period.",
  "BankStatementTransaction.currency":
    "That of the account, else the one sent with the file, else that of other accounts, else USD.",
  verdict: "Extension: whether the balances are exact.",
  unproven:
    "Extension: ends that no printed number proves. Without an opening balance the first amount is in no equation; without a closing one, rows behind the last balance may be missing. The verdict claims nothing beyond them.",
  first_break: "Extension: the first place at which they are not; null: there is none.",
  repairs:
    "Extension: values that were taken differently from how they were read, and rows that are printed again and counted once (`repeated_row`).",
  "StatementBreak.page": "Page, from 1.",
  "StatementBreak.row":
    "The last row before the balance that does not follow; null: there are none.",
  "StatementBreak.difference": "The printed balance less the calculated one.",
  "StatementRepair.page": "Page, from 1.",
  "StatementRepair.row":
    "The row among those of the account, from 1; of an opening or closing balance, the first or last one.",
  "StatementRepair.field": "The value that was repaired.",
  "StatementRepair.from": "As it was read; null: nothing was, where the layout prints a value.",
  "StatementRepair.to": "What the balances make of it.",
  "PrintedValue.page": "Page, from 1.",
  "PrintedValue.box":
    "Left, top, right and bottom from the top left corner of the page: in points (1/72 inch), of a picture in pixels.",
  "PrintedValue.text": "As it was read, before any repair.",
  "PrintedValue.confidence": "How sure the reading is, 0 to 1; 1 for a text layer.",
  "PrintedValue.source": "From the text layer, or by text recognition.",
  "TransactionEvidence.id": "Id of the transaction.",
  "TransactionEvidence.account": "Its account: the place in `accounts`, from 0.",
  "TransactionEvidence.page": "Page, from 1.",
  "TransactionEvidence.row": "The row among those of the account, from 1.",
  "TransactionEvidence.date": "Its date.",
  "TransactionEvidence.description": "A line of its description each.",
  "TransactionEvidence.amount": "Its amount.",
  "TransactionEvidence.balance": "The balance in its row.",
  "StatementSignal.kind": "The kind of signal.",
  "StatementSignal.reason": "One sentence with the numbers that it rests on.",
  "StatementSignal.page": "Page, from 1; null: the document as a whole.",
  "StatementSignal.box": "The place on the page, like that of a value.",
  "AccountEvidence.number": "As printed.",
  "StatementEvidence.pages": "Pages of the document.",
  "StatementEvidence.pages_without_text": "Pages on which no text was found, from 1.",
  "StatementEvidence.pages_recognised": "Pages that were read by text recognition, from 1.",
  "StatementEvidence.signals": "What is suspicious about the document.",
  "StatementEvidence.accounts": "The verdict of each account.",
  "StatementEvidence.transactions": "The transactions of all accounts.",
};
