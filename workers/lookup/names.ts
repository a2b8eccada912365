// Names that are looked up as a whole and stand in no bank line: those of parents and intermediaries, which have no
// aliases, and words that are a brand only where nothing but a name is asked for.
import type { Knowledge } from "../knowledge/knowledge.ts";
import { NO_MERCHANT } from "../knowledge/sections.ts";
import { nameKey } from "../recogniser/text/keys.ts";

export interface MerchantNames {
  /** The merchant that is meant by this when it is asked for by itself, null when the tables do not say it. */
  readonly asked: (key: string) => number | null;
  /** The same for names that are also found with a typo. */
  readonly brand: (key: string) => number | null;
  /** Whether it is primarily a word or a name of people, even if a merchant has it. */
  readonly isWord: (key: string) => boolean;
  /** The merchant of that name that no alias leads to. */
  readonly unlisted: (key: string) => number | undefined;
}

/** Some hundred names. */
function unlistedOf({ merchants, aliases, text }: Knowledge): Map<string, number> {
  const isListed = new Uint8Array(merchants.name.length);
  for (const merchant of aliases.merchants) isListed[merchant] = 1;
  const unlisted = new Map<string, number>();
  for (const [merchant, name] of merchants.name.entries()) {
    if (isListed[merchant] === 0) unlisted.set(nameKey(text(name)), merchant);
  }
  return unlisted;
}

/** Made at the first name. */
export function createNames(knowledge: Knowledge): MerchantNames {
  const { askedNames, askedBrands } = knowledge;
  let unlisted: ReadonlyMap<string, number> | null = null;
  return {
    asked: (key) => {
      const merchant = askedNames.get(key) ?? NO_MERCHANT;
      return merchant === NO_MERCHANT ? null : merchant;
    },
    brand: (key) => askedBrands.get(key) ?? null,
    isWord: (key) => askedNames.get(key) === NO_MERCHANT,
    unlisted: (key) => {
      unlisted ??= unlistedOf(knowledge);
      return unlisted.get(key);
    },
  };
}
