import countryCodes from "i18n-iso-countries/codes.json" with { type: "json" };
import { plainWords } from "./plain-words.ts";

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt"];
/** Reads a country cell: a code of two or three letters or a name in seven languages → ISO 3166-1 alpha-2, or null. */
export function createCountryReader(): (text: string) => string | null {
  const codes = new Map<string, string>([["uk", "GB"]]);
  for (const [alpha2 = "", alpha3 = ""] of countryCodes) codes.set(alpha3.toLowerCase(), alpha2);
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
