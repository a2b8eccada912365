// A typed or pasted name of a merchant, reduced to the letters that are looked up.

/** Signs and pictures next to a name: `LEGO®`, `Apple 🍎`. They include no letters of any language. */
const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;

/** Without signs and pictures, and with plain letters where wide, joined or styled ones stand: `ＩＫＥＡ` is IKEA. */
export const plainText = (name: string): string => name.replace(PICTURES, " ").normalize("NFKC");

/** One word with a dot in it may be a website: `www.amazon.de`. */
export const isAddress = (name: string): boolean => /^\S+\.\S+$/u.test(name.trim());
