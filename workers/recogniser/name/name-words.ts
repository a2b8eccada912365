// Words that decide whether something is a name, and how it is written. Hand-written; all folded.

import { type WordSet, wordSet } from "../text/word-map.ts";

const set = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s+/u).filter((word) => word !== ""));

/** Legal forms, and words that only businesses carry in their names. */
export const companyWords = set(`
llc inc ltd limited plc corp corporation co company gmbh ag sarl sas sa srl spa bv nv oy ab aps pty llp lp pllc pc group
holdings services service solutions systems consulting construction properties property management enterprises
industries international partners associates insurance agency bank restaurant cafe store shop market center centre
clinic school church academy council hoa isd county lettings stores pvt foundation university college hospital trust`);

/** Taken off the end of a name. */
export const legalForms = set(`
llc inc ltd limited plc corp corporation co gmbh ag sarl sas srl bv nv pty llp lp pllc incorporated pvt psc oy oyj aps ltda lda kg ohg eirl sprl`);

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

/** What MED in front of them stands for is medical. */
export const medicalPlaces = set(`ctr cntr center centre grp group assoc associates clinic supply`);

/** Written in capitals whatever the case of the line. */
export const upperWords: WordSet = wordSet(
  set(`
usa uk bbq atm tv dvd ny nyc sf bp kfc hm ups usps dhl ymca ikea cvs nhs dvla hmrc bbc itv nj tx ca fl irs dmv jd jb tj
aj pj cj mj bj rj dj pud hoa coa mhc poa isd usd fcu cpa dds dmd od md ymca emc`),
);

/** Written in small letters inside a name. */
export const lowerWords: WordSet = wordSet(
  set(`of the and for at in on de la del du des et by to und von`),
);

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

export const endWordSet: WordSet = wordSet(endWords);
