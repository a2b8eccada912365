// The wrappings that banks put around a name, as data: phrases before it, markers after it, and labelled fields.
// Collected from the printed layouts of US, UK, Canadian, Australian and euro-area statements.

/** Phrases a name may follow. Longer ones win; each is tried again on what is left. */
const leading = `
purchase authorized on
purchase return authorized on
purchase refund authorized on
return authorized on
authorized on
card refund
refund checkcard
subscription
refund
recurring payment authorized on
recurring card purchase
recurring debit purchase
recurring payment
recurring
checkcard
check card purchase
check card
check crd purchase
check crd pur
debit card purchase at
debit card purchase
debit card payment
debit card withdrawal
debit card debit
debit card
debit crd purchase
debit purchase
debit pin purchase
debit pos
dbt purchase
dbt crd
dbt card
card purchase with pin
card purchase
card transaction
card payment to
card payment
card debit
pos debit visa check card
pos debit
pos dbt
pos purch
pos purchase non pin
pos purchase terminal
pos purchase
pos pin purchase
pos signature purchase
pos withdrawal
pos transaction
pos pur
pos
pin pos
pin purchase
pin debit
visa dda pur ap
visa dda pur
visa purchase
visa debit purchase
visa debit
visa check card
visa direct
visa
mastercard debit
mastercard purchase
mobile purchase
signature purchase
ckcd debit
ckcd
dda purchase
dda pur
dda recur pos pur
withdrawal debit card
withdrawal pos
withdrawal ach
withdrawal
now withdrawal
ach withdrawal
ach debit
ach credit
ach payment
ach deposit
ach web
ach tel
ach ppd
ach ccd
ach
electronic payment
electronic withdrawal
electronic pmt
elec pymt
bill pay
bill payment to
bill payment
billpay
billpayment
online payment to
online payment
online pymt
online pmt
epay
eft debit
eft
business to business ach
ccd debit
ppd debit
web debit
web pmt
tel pmt
preauthorized debit
preauthorized payment
pre authorized debit
pre authorized payment
preauthorized wd
pre auth
point of sale debit
point of sale withdrawal
point of sale purchase
point of sale
external withdrawal
external deposit
direct debit payment to
direct debit to
direct debit
direct deposit
direct dep
dir dep
dir deb
standing order to
standing order
contactless payment
contactless
card payment
purchase return
purchase
purch
pur
refund from
pending
interac purchase
interac retail purchase
idp purchase
eftpos purchase
eftpos debit
eftpos
apple pay
google pay
samsung pay
paiement par carte
paiement cb
achat cb
carte
prelevement sepa
prelevement
prlv sepa
prlv
virement sepa
virement de
virement
vir sepa
vir inst
kartenzahlung
lastschrift
sepa lastschrift
sepa direct debit
pagamento pos
pago con tarjeta
compra tarjeta
compra
debit
credit
deposit
nnt
non pin
pin
sq purchase
intl
international purchase
foreign purchase
`;

/** Phrases that are only safe where prices are in euros: elsewhere `CB` is the beginning of names. */
const regional = `
cb
vir
`;

/** Phrases after which only the bank's own data follow, wherever they stand behind the name. */
const closing = `
ppd id
web id
ccd id
tel id
arc id
ctx id
co id
indn
orig id
card ending in
card number
from card
on card
ach trace
ach ecc
trace number
trace
tran date
seq
conf
confirmation
ref
reference
auth code
auth
trn
txn id
transaction id
transaction
merchant id
date
type
no category
exchange rate
foreign currency
non sterling transaction fee
amount in
visa direct
intl txn fee
debit card purchase
debit card withdrawal
card purchase
checkcard
pending
dda recur pos pur
dda visamoney credit
dda pur
card
ckcd
pmnt rcvd
recurring
des
`;

/** Words that may end a line without telling anything about who was paid. */
const trailing = `
ppd
ccd
web
ctx
tel
bcc
clp
ddr
sto
bgc
cpm
fpi
fpo
dpc
vis
usa
pos
pin
visa
mc
purchase
debit
signature
recurring
contactless
`;

export interface Phrase {
  readonly words: readonly string[];
}

const phrases = (text: string): Phrase[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ words: line.split(" ") }));

function byFirstWord(list: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> {
  const map = new Map<string, Phrase[]>();
  for (const phrase of list) {
    const first = phrase.words[0] ?? "";
    map.set(first, [...(map.get(first) ?? []), phrase]);
  }
  for (const same of map.values()) same.sort((a, b) => b.words.length - a.words.length);
  return map;
}

/** First word → phrases, longest first. */
export const leadingPhrases = byFirstWord(phrases(leading));
export const regionalPhrases = byFirstWord(phrases(regional));
export const closingPhrases = byFirstWord(phrases(closing));
export const trailingWords: ReadonlySet<string> = new Set(
  phrases(trailing).map((phrase) => phrase.words[0] ?? ""),
);

/** Every word a bank uses in its wrappings: such a word alone is never the name of anybody. */
export const layoutWords: ReadonlySet<string> = new Set(
  [...phrases(leading), ...phrases(closing), ...phrases(trailing)].flatMap(
    (phrase) => phrase.words,
  ),
);
