// Puts samples into another order before each round of training.
import type { Random } from "../../test/support/random.ts";

/** In place (Fisher and Yates 1938; Durstenfeld 1964). */
export function shuffle(items: unknown[], random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    const [kept, moved] = [items[last], items[other]];
    if (kept === undefined || moved === undefined) continue;
    items[last] = moved;
    items[other] = kept;
  }
}
