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

/** Who somebody is to the payer, in front of a first name: `Aunt Gloria`. */
export const kinship = set(`
aunt auntie uncle grandma grandpa granny nana mom mum mama dad papa cousin brother sister tante onkel oma opa tia tio abuela`);

/** Taken off the end of a name. */
export const legalForms = set(`
llc inc ltd limited plc corp corporation co gmbh ag sarl sas srl bv nv pty llp lp pllc incorporated pvt psc oy oyj aps ltda lda kg ohg eirl sprl`);

/** Nothing behind these belongs to the name. `CO` is left out: it also stands for county and in CO-OP. */
export const closingForms = set(`llc inc ltd limited plc gmbh incorporated`);

/** Never anybody's name, beside the words of the layouts and of the wording tables. */
export const nobodyWords = set(`
january february march april june july august september october november december
januar februar maerz marz mai juni juli oktober dezember
janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
januari februari maart mei augustus
employee employer paycheck payroll salary wages business self payout office monthly weekly annual my account savings
checking cash money order rent loan mortgage interest fee charge transfer payment pmt pymt deposit withdrawal autopay
card bank online mobile internet web branch check cheque balance tax refund reversal adjustment unknown various misc
other the and of for to from a an in at on by with via per no number id ref services service thank you com www http
https bill bil help automatic repayment send initiated tfr frm xfer adjustment signature ewithdrawal
ext trnsfr trnsfer trsf tfer eb aut srf ogb ui dd wt treas ach pos`);

/** What CO in front of them stands for is a county. */
export const countyOffices = set(`
treas treasurer tax pud sch school schools sheriff clerk assessor govt government water utilities hwy road court library
fair fairgrounds parks parking farm health hosp hospital rec emc electric power district justice probation circuit
superior municipal jail landfill solid sanitation sewer auditor recorder elections housing ems airport transit metro
public animal community utilities superintendent probate constable coroner permit permits revenue trustee`);

/** What CH behind them stands for is a church. */
export const churches = set(`
baptist bapt lutheran luth methodist meth catholic cath christian presbyterian presb community bible episcopal covenant
nazarene reformed evangelical orthodox unitarian mennonite`);

/** What BK behind them stands for is a bank. */
export const bankFounders = set(
  `merchants savings national natl state farmers trust community citizens peoples`,
);

/** What CT behind them stands for is a court. */
export const courts = set(
  `muni municipal county district superior justice circuit probate traffic`,
);

/** What CT behind them stands for is a center. */
export const centres = set(
  `management mgmt mgt medical med care surgery learning rehab wellness imaging health dialysis`,
);

/** What SYS behind them stands for is one system. */
export const systems = set(`library health healthcare school hospital water university retirement`);

/** With an OF behind them: a public body and its place. */
export const townWords = set(`city town village borough township county`);

/** What towns collect money for. */
export const townServices = set(`
util utils utility utilities utilitie water wtr sewer swr ub tax taxes parking parks rec recreation court police electric elec
trash garbage treasurer treas clerk finance permits licensing payment billing tax`);

/** What MED in front of them stands for is medical. */
export const medicalPlaces = set(`ctr cntr center centre grp group assoc associates clinic supply`);

/** What a payment is, behind the name of who is paid; no name goes on with one. */
export const paymentWords = set(`
pmt pmts pymt pymts pymnts payroll autopay epay eft ppd ccd dirdep edi txn xfer mtg pers wages webpay`);

/** Taken off the end of any name: what terminals, websites and payers add. */
export const tailWords = set(`
thx cd abschlag strom dues chk echeck subscr web premium prem premiums copay tuition tuit invoice inv draft autodebit
installment instalment refund patient membership assessment offering donation tithe monthly wkly weekly qtrly quarterly
annual ann budget pln util utl preneed plan registration reg nkp
payment payments pymt pymts pmt pmts autopay epay epayment purchase visa ref id www com http https pending eft ach for of
and at the pap autodraft webpay pay elec qtrly deliv lunch giving online`);

/** Words that a name may hold but that are no name on their own. */
export const hollowWords = set(`
merchant bankcd bankcard parking meter vending subscription subscriptio contacts snack soda vend
rental purchase insurance payments credit debit finance financial funds advance utilities electric water gas store shop
market restaurant cafe`);

/** Written in capitals whatever the case of the line. */
export const upperWords = set(`
usa uk bbq atm tv dvd ny nyc sf bp kfc hm ups usps dhl ymca ikea cvs nhs dvla hmrc bbc itv nj tx ca fl irs dmv jd jb tj
aj pj cj mj bj rj dj pud hoa coa mhc poa isd usd fcu cpa dds dmd od md ymca emc`);

/** Written in small letters inside a name. */
export const lowerWords = set(`of the and for at in on de la del du des et by to und von`);

/** Words that names of shops and companies often end with, the more frequent of equal beginnings first. */
export const endWords: readonly string[] = `
service services store center centre market restaurant pizzeria pizza grill grille kitchen cafe coffee bakery bakeshop bistro
brewing brewery brewhouse barbecue barbershop barber bar tavern taproom steakhouse smokehouse seafood sushi ramen noodles
taqueria tacos cantina cocina mexican chinese thai italian indian mediterranean vietnamese japanese korean
creamery confections chocolates candy donuts doughnuts bagels sandwiches catering eatery diner delicatessen deli
grocery groceries supermarket foods farms farm farmers produce meats butcher liquors liquor wines wine spirits winery
vineyards vineyard cellars distillery supply supplies hardware lumber nursery nurseries garden gardens landscaping
florist flowers floral gifts boutique clothing apparel outfitters jewelers jewelry shoes footwear consignment thrift
vintage antiques collectibles comics games toys hobbies crafts quilting fabrics books bookstore records music instruments
gallery galleries studio studios photography theatre theater cinema bowling arcade recreation adventures rentals rental
marina campground resort lodge lodging hotel motel inn suites retreat club country golf fitness gymnastics athletics
athletic yoga pilates crossfit martial training academy school preschool montessori childcare daycare learning tutoring
university college district department county pharmacy church ministries ministry fellowship foundation association society
salon beauty barbers nails nail massage therapy therapeutic wellness aesthetics skincare dermatology tanning
dental dentistry dentist orthodontics endodontics periodontics orthopedics orthopaedics pediatrics pediatric
chiropractic acupuncture optometry optical eyecare vision medical medicine clinic hospital health healthcare pharmacy
drugs laboratory radiology imaging counseling psychiatry psychology urgent family physicians associates
veterinary animal pet pets grooming kennels kennel boarding
automotive auto body motors motorsports collision mechanical transmission tires tire towing carwash detailing glass
plumbing electric electrical heating cooling roofing construction contracting contractors builders remodeling painting
flooring carpet cleaning cleaners laundromat laundry alterations tailoring pest exterminating security locksmith
appliance appliances furniture furnishings mattress interiors designs design printing graphics signs
storage moving movers transportation transport logistics trucking express airport parking
insurance financial mortgage realty properties property apartments management holdings enterprises industries
international solutions consulting marketing technologies technology systems productions entertainment
attorneys law accounting taxes tax company brothers sons house shop store depot outlet warehouse emporium trading
mercantile general provisions essentials village pointe plaza square station corner garage workshop works
`
  .split(/\s+/u)
  .filter((word) => word !== "");

/** Abbreviations that stand for words of names and for nothing else: `MED` may be a med spa, `SOL` the sun. */
export const nameAbbreviations = set(`
mkt ctr cntr assn assoc svc svcs dntl univ dist dept hosp pharm apts bros mkts rstrnt
mgmt mgt plbg plmbg clnrs chrch cmnty hlth hlthc hlthcare htg jwlrs jwlry ktchn mfg natl intl nrsry rnch thtr tvrn whse
wtr equip elem fndtn gdns grdn clnc anml bldrs flwrs lndry lndscp lndscpng mtn mtns mrkt schl vlg twp cnty muni optom luth
meth bapt presb cath sanit vly spgs hts crk lbry smkhs
pwr supermkt suprmkt grmng brbrshp bkry dlrshp`);

export const endWordSet: ReadonlySet<string> = new Set(endWords);
