// Some programs write "1" of "132.44" at another time than the rest, and so the two are not next to each other in the file. Where they touch
// on the page they are one number.
import type { PageWord } from "./words.ts";

const FIRST_PART = /^[-+(]?\p{Sc}?\d{1,3}$/u;
const LAST_PART = /^(?:\d{1,2}|[,.]\d{3}|\d{1,2}[,.]\d{3})?(?:[,.]\d{3})*[.,]\d{2}[-)]?$/u;
const WHOLE = /^[-+(]?\p{Sc}?(?:\d{1,3}(?:[,.]\d{3})*|\d+)[.,]\d{2}[-)]?$/u;
/** As a share of the height. A reader could not see two columns there either. */
const GAP_MAX = 0.02;
/** Of one page; with more of them none is joined. */
const FIRST_PARTS_MAX = 2_000;

/** @param words of one page, of a text layer */
export function joinSplitNumbers(words: readonly PageWord[]): readonly PageWord[] {
  const firsts = words.filter(({ text }) => FIRST_PART.test(text));
  if (firsts.length === 0 || firsts.length > FIRST_PARTS_MAX) return words;
  const byEdge = Map.groupBy(firsts, ({ right }) => Math.round(right));
  const joined = new Map<PageWord, PageWord | null>();
  for (const last of words.filter(({ text }) => LAST_PART.test(text))) {
    const edge = Math.round(last.left);
    const first = [edge - 1, edge, edge + 1]
      .flatMap((at) => byEdge.get(at) ?? [])
      .find(
        (word) => !joined.has(word) && doTouch(word, last) && WHOLE.test(word.text + last.text),
      );
    if (first === undefined) continue;
    joined.set(first, null);
    joined.set(last, { ...last, text: first.text + last.text, left: first.left });
  }
  return words.flatMap((word) => {
    const other = joined.get(word);
    return other === undefined ? [word] : (other ?? []);
  });
}

function doTouch(first: PageWord, last: PageWord): boolean {
  const most = (last.bottom - last.top) * GAP_MAX;
  return (
    Math.abs(last.left - first.right) <= most &&
    Math.abs(last.top - first.top) <= most &&
    Math.abs(last.bottom - first.bottom) <= most
  );
}
