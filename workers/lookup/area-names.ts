// Names of countries and states as people write them, beside the English names of countries in the knowledge. Data.

const rows = (text: string): readonly (readonly [string, string])[] =>
  text
    .split(/[\n;]/u)
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .map((row) => [row.slice(row.indexOf(" ") + 1), row.slice(0, row.indexOf(" "))]);

/** Name → area: what a country is called beside its English name in the standard, and in its own languages. */
export const countryNicknames = rows(`
US USA; US United States of America; US the United States; US the US; US America
GB UK; GB United Kingdom; GB the UK; GB Great Britain; GB Britain; GB England; GB Scotland; GB Wales; GB Northern Ireland
DE Deutschland; AT Österreich; CH Schweiz; CH Suisse; CH Svizzera; FR La France; ES España; IT Italia; PT Portugal
NL Nederland; NL The Netherlands; NL Holland; BE België; BE Belgique; LU Luxembourg; IE Republic of Ireland; IE Éire
SE Sverige; NO Norge; DK Danmark; FI Suomi; IS Ísland; PL Polska; CZ Czechia; CZ Czech Republic; CZ Česko
SK Slovensko; HU Magyarország; SI Slovenija; HR Hrvatska; RO România; GR Hellas; TR Türkiye; TR Turkey; RU Russia
BR Brasil; MX México; PE Perú; DO Dominican Republic; KR South Korea; KR Korea; JP Nippon; CN PRC; TW Taiwan
HK Hong Kong; VN Vietnam; AE UAE; AE United Arab Emirates; SA KSA; ZA RSA; IR Iran; MK Macedonia; MD Moldova
AU New South Wales; AU NSW; AU Queensland; AU Western Australia; AU South Australia; AU Tasmania; DE Bavaria; DE Bayern
CI Ivory Coast; TZ Tanzania; BO Bolivia; VE Venezuela; SY Syria; LA Laos; PS Palestine; NZ Aotearoa
`);

/** Name → area of the states and provinces whose places the knowledge files by state. */
export const stateNames = rows(`
US-AL Alabama; US-AK Alaska; US-AZ Arizona; US-AR Arkansas; US-CA California; US-CO Colorado; US-CT Connecticut
US-DC District of Columbia; US-DE Delaware; US-FL Florida; US-GA Georgia; US-HI Hawaii; US-IA Iowa
US-ID Idaho; US-IL Illinois; US-IN Indiana; US-KS Kansas; US-KY Kentucky; US-LA Louisiana; US-MA Massachusetts
US-MD Maryland; US-ME Maine; US-MI Michigan; US-MN Minnesota; US-MO Missouri; US-MS Mississippi; US-MT Montana
US-NC North Carolina; US-ND North Dakota; US-NE Nebraska; US-NH New Hampshire; US-NJ New Jersey; US-NM New Mexico
US-NV Nevada; US-NY New York State; US-NY State of New York; US-OH Ohio; US-OK Oklahoma; US-OR Oregon; US-PA Pennsylvania
US-PR Puerto Rico; US-RI Rhode Island; US-SC South Carolina; US-SD South Dakota; US-TN Tennessee; US-TX Texas; US-UT Utah
US-VA Virginia; US-VT Vermont; US-WA Washington State; US-WI Wisconsin; US-WV West Virginia; US-WY Wyoming
CA-AB Alberta; CA-BC British Columbia; CA-MB Manitoba; CA-NB New Brunswick; CA-NL Newfoundland and Labrador
CA-NL Newfoundland; CA-NS Nova Scotia; CA-NT Northwest Territories; CA-NU Nunavut; CA-ON Ontario
CA-PE Prince Edward Island; CA-QC Québec; CA-SK Saskatchewan; CA-YT Yukon
`);

/** Name → that by which the knowledge has the city, folded and joined. */
export const cityNicknames = rows(`
newyorkcity New York; newyorkcity NYC; munich München; vienna Wien; koln Cologne; rome Roma; milan Milano; turin Torino
florence Firenze; venice Venezia; naples Napoli; genoa Genova; prague Praha; warsaw Warszawa; copenhagen København
lisbon Lisboa; geneve Geneva; brussels Bruxelles; brussels Brussel; thehague Den Haag; antwerpen Antwerp; sevilla Seville
goteborg Gothenburg; nurnberg Nuremberg; athens Athina; bengaluru Bangalore; mumbai Bombay; kolkata Calcutta; chennai Madras
hochiminhcity Saigon; frankfurtammain Frankfurt; basel Basle; stlouis Saint Louis; newcastleupontyne Newcastle
krakow Cracow; mexicocity Ciudad de México; bucharest București; belgrade Beograd; moscow Moskva
`);
