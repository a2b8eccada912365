// States of the US and provinces of Canada as they end a card line.

const STATE_LENGTH = 2;

const us =
  "al ak az ar ca co ct dc de fl ga hi ia id il in ks ky la ma md me mi mn mo ms mt nc nd ne nh nj nm nv ny oh ok or pa pr ri sc sd tn tx ut va vt wa wi wv wy";
const canada = "ab bc mb nb nl ns nt nu on pe qc sk yt";

/** As they end a card line in Australia. */
export const australianStates: ReadonlySet<string> = new Set(
  "nsw vic qld sa wa tas nt act".split(" "),
);

const usStates: ReadonlySet<string> = new Set(us.split(" "));
const canadianStates: ReadonlySet<string> = new Set(canada.split(" "));

const areasOf = (country: string, states: Iterable<string>): (readonly [string, string])[] =>
  [...states].map((state) => [state, `${country}-${state.toUpperCase()}`]);

/** Also words or company endings: believed only with a city, a number or a gap in front. */
const ambiguous: ReadonlySet<string> = new Set([
  "co",
  "in",
  "or",
  "me",
  "de",
  "la",
  "id",
  "al",
  "hi",
  "ok",
  "pa",
  "ma",
  "as",
  "on",
  "pe",
  "sc",
  "mo",
  "ms",
  "mt",
]);

/** The two letters from `at` on as a number: looking that up needs no text of its own. */
const lettersAt = (text: string, at: number): number =>
  text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);

const byLetters = (areas: readonly (readonly [string, string])[]): ReadonlyMap<number, string> =>
  new Map(areas.map(([state, area]) => [lettersAt(state, 0), area] as const));

/** By the country of the account: state as a card line ends with it → area. */
const areasByHome: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  [
    "US",
    byLetters([
      ...areasOf(
        "CA",
        [...canadianStates].filter((state) => !ambiguous.has(state)),
      ),
      ...areasOf("US", usStates),
    ]),
  ],
  // What is both is Canadian there.
  ["CA", byLetters([...areasOf("US", usStates), ...areasOf("CA", canadianStates)])],
]);

/** `va` → `US-VA`, `on` → `CA-ON`, null when it is not one of the country's. Canadian accounts see US places too. */
export const areaOfState = (state: string, home: string | null): string | null =>
  state.length === STATE_LENGTH ? areaAtEnd(state, home) : null;

/** The same for the last two letters of a word: `fredericksburva` → `US-VA`. */
export function areaAtEnd(word: string, home: string | null): string | null {
  if (word.length < STATE_LENGTH || home === null) return null;
  return areasByHome.get(home)?.get(lettersAt(word, word.length - STATE_LENGTH)) ?? null;
}

export const isAmbiguousState = (state: string): boolean => ambiguous.has(state);
