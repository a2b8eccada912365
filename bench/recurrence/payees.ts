// Payees of the generated ledgers: companies with names that a knowledge base has, and made-up independents and persons.
import type { BankRegion } from "../../workers/recurrence/calendar/bank-days.ts";
import type { Payee } from "./context.ts";

const company = (name: string, website: string, category: string): Payee => ({
  ...{ name, website, category, type: "organization", isKnownSubscription: false },
});

const subscriptionOf = (name: string, website: string, category: string): Payee => ({
  ...company(name, website, category),
  isKnownSubscription: true,
});

const independent = (name: string, category: string): Payee => ({
  ...{ name, category, website: null, type: "organization", isKnownSubscription: false },
});

const person = (name: string, category = "peer to peer transfer"): Payee => ({
  ...{ name, category, website: null, type: "person", isKnownSubscription: false },
});

type ByRegion = Readonly<Record<BankRegion, readonly Payee[]>>;

export const STREAMING: readonly Payee[] = [
  subscriptionOf("Netflix", "netflix.com", "entertainment and recreation"),
  subscriptionOf("Spotify", "spotify.com", "entertainment and recreation"),
  subscriptionOf("Disney+", "disneyplus.com", "entertainment and recreation"),
  subscriptionOf("Hulu", "hulu.com", "entertainment and recreation"),
  subscriptionOf("YouTube Premium", "youtube.com", "entertainment and recreation"),
  subscriptionOf("Audible", "audible.com", "books, newsletters, newspapers"),
  subscriptionOf("The New York Times", "nytimes.com", "books, newsletters, newspapers"),
  subscriptionOf("Financial Times", "ft.com", "books, newsletters, newspapers"),
  subscriptionOf("Dropbox", "dropbox.com", "saas tools"),
  subscriptionOf("Duolingo", "duolingo.com", "education"),
  subscriptionOf("Strava", "strava.com", "sport and fitness"),
  subscriptionOf("Headspace", "headspace.com", "self care"),
  subscriptionOf("NordVPN", "nordvpn.com", "saas tools"),
  subscriptionOf("Xbox Game Pass", "xbox.com", "entertainment and recreation"),
  subscriptionOf("Crunchyroll", "crunchyroll.com", "entertainment and recreation"),
  subscriptionOf("Patreon", "patreon.com", "media"),
  subscriptionOf("Tidal", "tidal.com", "entertainment and recreation"),
  subscriptionOf("DAZN", "dazn.com", "entertainment and recreation"),
  subscriptionOf("HelloFresh", "hellofresh.com", "groceries"),
  subscriptionOf("Ring", "ring.com", "electronics"),
];

export const SOFTWARE: readonly Payee[] = [
  subscriptionOf("Adobe", "adobe.com", "saas tools"),
  subscriptionOf("Slack", "slack.com", "saas tools"),
  subscriptionOf("Zoom", "zoom.us", "saas tools"),
  subscriptionOf("GitHub", "github.com", "saas tools"),
  subscriptionOf("Notion", "notion.so", "saas tools"),
  subscriptionOf("Mailchimp", "mailchimp.com", "saas tools"),
  subscriptionOf("QuickBooks", "quickbooks.intuit.com", "saas tools"),
  subscriptionOf("Canva", "canva.com", "saas tools"),
  subscriptionOf("Figma", "figma.com", "saas tools"),
  subscriptionOf("1Password", "1password.com", "saas tools"),
  subscriptionOf("HubSpot", "hubspot.com", "saas tools"),
  subscriptionOf("Xero", "xero.com", "saas tools"),
];

export const YEARLY_SERVICES: readonly Payee[] = [
  subscriptionOf("Namecheap", "namecheap.com", "saas tools"),
  subscriptionOf("GoDaddy", "godaddy.com", "saas tools"),
  subscriptionOf("Costco Membership", "costco.com", "department and discount stores"),
  subscriptionOf("Bitwarden", "bitwarden.com", "saas tools"),
  subscriptionOf("Evernote", "evernote.com", "saas tools"),
];

/** The old name, then the new one. */
export const RENAMED: readonly (readonly [Payee, Payee])[] = [
  [
    subscriptionOf("HBO Max", "hbomax.com", "entertainment and recreation"),
    subscriptionOf("Max", "max.com", "entertainment and recreation"),
  ],
  [
    subscriptionOf("GSuite", "google.com", "saas tools"),
    subscriptionOf("Google Workspace", "google.com", "saas tools"),
  ],
  [company("Sprint", "sprint.com", "utilities"), company("T-Mobile", "t-mobile.com", "utilities")],
  [
    company("Bulb Energy", "bulb.co.uk", "utilities"),
    company("Octopus Energy", "octopus.energy", "utilities"),
  ],
];

export const AMAZON: Payee = company("Amazon", "amazon.com", "ecommerce purchase");
export const APPLE: Payee = company("Apple", "apple.com", "app stores");
export const GOOGLE: Payee = company("Google", "google.com", "app stores");

export const GYMS: readonly Payee[] = [
  company("Planet Fitness", "planetfitness.com", "sport and fitness"),
  company("PureGym", "puregym.com", "sport and fitness"),
  company("Basic-Fit", "basic-fit.com", "sport and fitness"),
  independent("Harbour Street Yoga", "sport and fitness"),
];

export const PHONE: ByRegion = {
  us: [
    company("Verizon Wireless", "verizon.com", "utilities"),
    company("AT&T", "att.com", "utilities"),
    company("Comcast", "xfinity.com", "utilities"),
  ],
  uk: [
    company("EE", "ee.co.uk", "utilities"),
    company("Vodafone", "vodafone.co.uk", "utilities"),
    company("Sky", "sky.com", "utilities"),
  ],
  eu: [
    company("Telekom", "telekom.de", "utilities"),
    company("Orange", "orange.fr", "utilities"),
    company("Ziggo", "ziggo.nl", "utilities"),
  ],
};

export const POWER: ByRegion = {
  us: [
    company("Con Edison", "coned.com", "utilities"),
    company("Duke Energy", "duke-energy.com", "utilities"),
    independent("Millbrook Rural Electric", "utilities"),
  ],
  uk: [
    company("British Gas", "britishgas.co.uk", "utilities"),
    company("EDF Energy", "edfenergy.com", "utilities"),
  ],
  eu: [
    company("Vattenfall", "vattenfall.de", "utilities"),
    company("Engie", "engie.fr", "utilities"),
    independent("Stadtwerke Lindenau", "utilities"),
  ],
};

export const WATER: ByRegion = {
  us: [
    independent("City of Fairmont Water", "utilities"),
    company("American Water", "amwater.com", "utilities"),
  ],
  uk: [
    company("Thames Water", "thameswater.co.uk", "utilities"),
    company("Anglian Water", "anglianwater.co.uk", "utilities"),
  ],
  eu: [independent("Wasserverband Nord", "utilities"), company("Vitens", "vitens.nl", "utilities")],
};

export const INSURERS: ByRegion = {
  us: [
    company("GEICO", "geico.com", "insurance"),
    company("State Farm", "statefarm.com", "insurance"),
    company("Progressive", "progressive.com", "insurance"),
  ],
  uk: [
    company("Aviva", "aviva.co.uk", "insurance"),
    company("Admiral", "admiral.com", "insurance"),
    company("Direct Line", "directline.com", "insurance"),
  ],
  eu: [
    company("Allianz", "allianz.de", "insurance"),
    company("AXA", "axa.fr", "insurance"),
    company("HUK-Coburg", "huk.de", "insurance"),
  ],
};

export const LENDERS: ByRegion = {
  us: [
    company("Toyota Financial", "toyotafinancial.com", "auto loan repayment"),
    company("Nelnet", "nelnet.com", "student loan repayment"),
    company("Rocket Mortgage", "rocketmortgage.com", "mortgage"),
  ],
  uk: [
    company("Black Horse", "blackhorse.co.uk", "auto loan repayment"),
    company("Nationwide Mortgage", "nationwide.co.uk", "mortgage"),
    company("Zopa", "zopa.com", "loan repayment"),
  ],
  eu: [
    company("Santander Consumer", "santander.de", "loan repayment"),
    company("Cofidis", "cofidis.fr", "loan repayment"),
    company("ING Hypotheek", "ing.nl", "mortgage"),
  ],
};

export const CARD_ISSUERS: readonly Payee[] = [
  company("American Express", "americanexpress.com", "credit card bill"),
  company("Capital One", "capitalone.com", "credit card bill"),
  company("Barclaycard", "barclaycard.co.uk", "credit card bill"),
];

export const GROCERS: ByRegion = {
  us: [
    company("Kroger", "kroger.com", "groceries"),
    company("Trader Joe's", "traderjoes.com", "groceries"),
    company("Whole Foods", "wholefoodsmarket.com", "groceries"),
    company("Publix", "publix.com", "groceries"),
  ],
  uk: [
    company("Tesco", "tesco.com", "groceries"),
    company("Sainsbury's", "sainsburys.co.uk", "groceries"),
    company("Aldi", "aldi.co.uk", "groceries"),
  ],
  eu: [
    company("Lidl", "lidl.de", "groceries"),
    company("Carrefour", "carrefour.fr", "groceries"),
    company("Albert Heijn", "ah.nl", "groceries"),
  ],
};

export const CAFES: readonly Payee[] = [
  company("Starbucks", "starbucks.com", "cafes and coffee shops"),
  company("Costa Coffee", "costa.co.uk", "cafes and coffee shops"),
  independent("Larkspur Coffee", "cafes and coffee shops"),
  independent("Cafe Morgenrot", "cafes and coffee shops"),
];

export const EATING_OUT: readonly Payee[] = [
  company("McDonald's", "mcdonalds.com", "food and drink"),
  company("Chipotle", "chipotle.com", "food and drink"),
  company("Subway", "subway.com", "food and drink"),
  company("DoorDash", "doordash.com", "food and drink"),
  company("Deliveroo", "deliveroo.com", "food and drink"),
  independent("Thai Basil House", "food and drink"),
  independent("Trattoria Bellini", "food and drink"),
];

export const FUEL: readonly Payee[] = [
  company("Shell", "shell.com", "fuel"),
  company("BP", "bp.com", "fuel"),
  company("Exxon", "exxon.com", "fuel"),
];

export const RIDES: readonly Payee[] = [
  company("Uber", "uber.com", "ridesharing and taxis"),
  company("Lyft", "lyft.com", "ridesharing and taxis"),
  company("Bolt", "bolt.eu", "ridesharing and taxis"),
];

export const SHOPS: readonly Payee[] = [
  company("Target", "target.com", "department and discount stores"),
  company("IKEA", "ikea.com", "home improvements and maintenance services"),
  company("H&M", "hm.com", "clothing"),
  company("Boots", "boots.com", "drugstores and pharmacies"),
  company("CVS", "cvs.com", "drugstores and pharmacies"),
  company("Decathlon", "decathlon.com", "recreational goods"),
  company("Home Depot", "homedepot.com", "home improvements and maintenance services"),
  independent("Bramble Garden Centre", "home improvements and maintenance services"),
  independent("Pine Ridge Dental", "medical bill"),
  independent("Oakfield Veterinary Clinic", "pets"),
  company("Booking.com", "booking.com", "hotels and lodging"),
  company("Ticketmaster", "ticketmaster.com", "entertainment and recreation"),
  company("Ryanair", "ryanair.com", "other transport"),
];

export const EMPLOYERS: readonly Payee[] = [
  independent("Halvorsen Logistics", "paycheck"),
  independent("Brightwater Systems", "paycheck"),
  independent("Kestrel Foods", "paycheck"),
  independent("Northgate Hospital Trust", "paycheck"),
  independent("Meridian Schools", "paycheck"),
  company("Siemens", "siemens.com", "paycheck"),
  company("Walmart", "walmart.com", "paycheck"),
];

export const PERSONS: readonly Payee[] = [
  "Jamie Ortega",
  "Priya Raman",
  "Lukas Brandt",
  "Emma Whitfield",
  "Chen Wei",
  "Sofia Marino",
  "Daniel Okafor",
  "Hannah Lindqvist",
].map((name) => person(name));

export const LANDLORDS: readonly Payee[] = [
  independent("Parkview Apartments", "rent and property management fee"),
  independent("Elmstead Lettings", "rent and property management fee"),
  person("Margaret Doyle", "rent and property management fee"),
  independent("Hausverwaltung Krause", "rent and property management fee"),
];

export const CLIENTS: readonly Payee[] = [
  independent("Studio Nordlys", "freelance"),
  independent("Calder & Finch", "freelance"),
  independent("Ostermann Media", "freelance"),
  independent("Redwood Analytics", "freelance"),
];

export const SUPPLIERS: readonly Payee[] = [
  independent("Weaver Packaging", "goods"),
  independent("Bauer Grosshandel", "goods"),
  independent("Saltmarsh Produce", "goods"),
  company("Sysco", "sysco.com", "goods"),
  company("Staples", "staples.com", "office supplies"),
  company("FedEx", "fedex.com", "shipping"),
];

/** A payee of one case only. */
export const namedPayee = (name: string, website: string | null, category: string): Payee =>
  website === null ? independent(name, category) : company(name, website, category);

export const OWN_ACCOUNT: Payee = independent("Own Savings", "inter account transfer");
