// Words that decide whether something is a name, and how it is written. Hand-written; all folded.

const set = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/u).filter((word) => word !== ""));

/** Legal forms, and words that only businesses carry in their names. */
export const companyWords = set(`
llc inc ltd limited plc corp corporation co company gmbh ag sarl sas sa srl spa bv nv oy ab aps pty llp lp pllc pc group
holdings services service solutions systems consulting construction properties property management enterprises
industries international partners associates insurance agency bank restaurant cafe store shop market center centre
clinic school church academy council hoa isd county lettings stores pvt foundation university college hospital trust`);

/** Words of the wording tables that belong to the name they stand in: `LEEDS CITY COUNCIL COUNCIL TAX`. */
export const institutionWords = set(`
hoa isd council county city town district university college school lettings church association stadtwerke
hausverwaltung`);

/** Words that banks put between the words of a transfer; a name that holds one is a sentence of the bank. */
export const transferWords = set(`
transaction initiated transfer deposit withdrawal checking savings signature posted dd ui pmt pymt pmnt rcvd wlo
adjustment xfer ach refund autosave authorized advance dep wd trs msp descriptor recd prenote webfile cty`);

/** Taken off the end of a name. */
export const legalForms = set(`
llc inc ltd limited plc corp corporation co gmbh ag sarl sas srl bv nv pty llp lp pllc incorporated pvt`);

/** Nothing behind these belongs to the name. `CO` is left out: it also stands for county and in CO-OP. */
export const closingForms = set(`llc inc ltd limited plc gmbh incorporated`);

/** Never anybody's name, beside the words of the layouts and of the wording tables. */
export const nobodyWords = set(`
employee employer paycheck payroll salary wages business self payout office monthly weekly annual my account savings
checking cash money order rent loan mortgage interest fee charge transfer payment pmt pymt deposit withdrawal autopay
card bank online mobile internet web branch check cheque balance tax refund reversal adjustment unknown various misc
other the and of for to from a an in at on by with via per no number id ref services service thank you com www http
https bill bil help automatic repayment send initiated tfr frm xfer adjustment signature ewithdrawal
ext trnsfr trnsfer trsf tfer eb aut srf ogb ui dd wt treas ach pos`);

/** Taken off the end of any name: what terminals and websites add. */
export const tailWords = set(`
thx cd abschlag strom dues
payment payments pymt pymts pmt pmts autopay epay epayment purchase visa ref id www com http https pending eft ach for of
and at the`);

/** Words that a name may hold but that are no name on their own. */
export const hollowWords = set(`
merchant bankcd bankcard parking meter vending subscription subscriptio contacts snack soda vend
rental purchase insurance payments credit debit finance financial funds advance utilities electric water gas store shop
market restaurant cafe`);

/** Written in capitals whatever the case of the line. */
export const upperWords = set(`
usa uk bbq atm tv dvd ny nyc sf bp kfc hm ups usps dhl ymca ikea cvs nhs dvla hmrc bbc itv nj tx ca fl irs dmv jd jb tj
aj pj cj mj bj rj dj`);

/** Written in small letters inside a name. */
export const lowerWords = set(`of the and for at in on de la del du des et by to und von`);
