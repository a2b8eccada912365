// Everybody whom the look-up of merchants chooses from, for people who ask why. Decides nothing: it asks the look-up.
import type { Line, Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { ALIAS_TOKENS_MAX, believed, nameStart, toTheEnd } from "../steps/merchant.ts";
import { type Candidate, candidateAt, type MerchantContext, ownerOf } from "../steps/owner.ts";

/** Somebody who answers to an alias in the span, with what was looked at. */
export interface ListedMerchant extends Candidate {
  readonly span: Span;
  readonly length: number;
  readonly stands: "whole" | "first" | "inside";
  /** Another owner of the alias fits the place better. */
  readonly outdone: boolean;
  readonly believed: boolean;
}

function ownersOf(alias: number, context: MerchantContext, knowledge: Knowledge): Candidate[] {
  const { first } = knowledge.aliases;
  const owners: Candidate[] = [];
  for (let at = first[alias] ?? 0; at < (first[alias + 1] ?? 0); at++)
    owners.push(candidateAt(at, context, knowledge));
  return owners;
}

/** Everybody whom `findMerchant` chooses from, believed or not: for people who ask why. */
export function listMerchants(
  line: Line,
  parts: readonly string[],
  span: Span,
  context: MerchantContext,
  knowledge: Knowledge,
): readonly ListedMerchant[] {
  const start = nameStart(line, span, context, knowledge);
  const listed: ListedMerchant[] = [];
  for (let from = span.from; from < span.to; from++) {
    const first = from <= start;
    for (let to = from + 1; to <= Math.min(span.to, from + ALIAS_TOKENS_MAX); to++) {
      const name = parts.slice(from, to).join("");
      const alias = name.length < 2 ? -1 : knowledge.aliases.keys.find(name);
      if (alias < 0) continue;
      const best = ownerOf(alias, context, knowledge)?.merchant;
      const stands = !first ? "inside" : toTheEnd(line, span, to) ? "whole" : "first";
      for (const candidate of ownersOf(alias, context, knowledge)) {
        const at = { span: { from, to }, length: name.length };
        const outdone = candidate.merchant !== best;
        const isBelieved = !outdone && believed(line, span, start, { ...at, candidate }, knowledge);
        listed.push({ ...candidate, ...at, stands, outdone, believed: isBelieved });
      }
    }
  }
  return listed;
}
