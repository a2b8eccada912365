import { plainWords } from "./plain-words.ts";

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt"];
/** Three-letter codes have no table in the runtime; these are the ones that card exports show. */
const ALPHA3 =
  "USA:US GBR:GB IRL:IE DEU:DE AUT:AT CHE:CH FRA:FR BEL:BE NLD:NL LUX:LU ESP:ES PRT:PT ITA:IT DNK:DK SWE:SE NOR:NO FIN:FI " +
  "POL:PL CZE:CZ HUN:HU GRC:GR CAN:CA MEX:MX BRA:BR AUS:AU NZL:NZ IND:IN SGP:SG HKG:HK JPN:JP CHN:CN ZAF:ZA ARE:AE TUR:TR";

/** Reads a country cell: a code of two or three letters or a name in seven languages → ISO 3166-1 alpha-2, or null. */
export function createCountryReader(): (text: string) => string | null {
  const codes = new Map<string, string>([["uk", "GB"]]);
  for (const pair of ALPHA3.split(" ")) {
    const [long = "", short = ""] = pair.split(":");
    codes.set(long.toLowerCase(), short);
  }
  for (const language of LANGUAGES) addNames(codes, language);
  return (text) => codes.get(plainWords(text)) ?? null;
}

function addNames(codes: Map<string, string>, language: string): void {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = names.of(code);
      // EU, UN and the private-use codes name no country.
      if (name === undefined || ["EU", "EZ", "UN", "ZZ", "UK", "XA", "XB"].includes(code)) continue;
      codes.set(code.toLowerCase(), code);
      codes.set(plainWords(name), code);
    }
  }
}
