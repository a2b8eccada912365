// Step: who is the counterparty and who stood in between. Joins what the look-up steps find; every look-up is tried in
// the order of how seldom it is wrong.
import type { Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { IntermediaryRow } from "../../knowledge/sections.ts";
import { confidenceOf, NAMED_CONFIDENCE_MIN } from "./confidence.ts";
import { independent, merchantParty, personal, personParty, recognisable } from "./found.ts";
import { peelIntermediaries } from "./intermediary.ts";
import { aliasPartsOf } from "./alias-parts.ts";
import { type Decided, none, type Parties, type Party, type PartyInput } from "./party-types.ts";
import { personAtStart } from "./person.ts";
import { isSentByTransfer, transferName } from "./transfer.ts";
import { beforeMark, isShorthand, merchantOfTail, throughParties } from "./through.ts";

/** No intermediary is marked: a known merchant, a person behind a transfer, or an independent. */
function directParty(input: PartyInput, parts: readonly string[], knowledge: Knowledge): Party {
  const { line, span } = input;
  const known = recognisable(input, span, parts, knowledge);
  if (known !== null) return !input.bankInternal || startsSpan(known, span) ? known : none;
  const transfer = input.rail ? span : transferName(line);
  const party = transfer === null ? none : personal(input, transfer, knowledge);
  if (party.kind !== "none") return party;
  // What a card terminal wrote is a shop, even when it is called like a person.
  const isTransfer = input.afterWording || isSentByTransfer(line, span.from);
  const isShop = input.card && !isTransfer && !input.labelled;
  const person = isShop ? null : personAtStart(line, span, isTransfer, knowledge);
  return person === null
    ? independent(input, span, knowledge)
    : personParty(line, person, knowledge);
}

/** `ZZ*MARIAS HAIR STUDIO`: nobody knows the mark, but behind it stands a name as behind any other. */
function behindUnknownMark(
  input: PartyInput,
  inner: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party {
  const party = directParty(input, parts, knowledge);
  if (party.kind !== "none" && confidenceOf(party.by) >= NAMED_CONFIDENCE_MIN) return party;
  if (inner.from > input.span.from) return independent(input, inner, knowledge, true);
  // `RSI PA BETRIVERS.COM 312-915-2815`: what was taken for the contact is all that names anybody.
  const ofTail = input.bankInternal ? null : merchantOfTail(input, knowledge);
  return ofTail === null ? party : merchantParty(ofTail);
}

function decideParties(
  input: PartyInput,
  inner: Span,
  rows: readonly IntermediaryRow[],
  knowledge: Knowledge,
): Decided {
  const parts = aliasPartsOf(input.line, knowledge);
  const last = rows[rows.length - 1];
  if (last === undefined || (input.bankInternal && isShorthand(last)))
    return (
      beforeMark(input, knowledge) ?? {
        party: behindUnknownMark(input, inner, parts, knowledge),
        through: [],
      }
    );
  return throughParties(input, rows, last, inner, parts, knowledge);
}

export function findParties(input: PartyInput, knowledge: Knowledge): Parties {
  const { span: inner, rows } = peelIntermediaries(input.line, input.span, knowledge);
  const { party, through } = decideParties(input, inner, rows, knowledge);
  const confidence = party.kind === "none" ? 0 : confidenceOf(party.by);
  return {
    party: confidence < NAMED_CONFIDENCE_MIN ? none : party,
    through,
    throughCategory: through.length === 0 ? -1 : (rows[rows.length - 1]?.category ?? -1),
    confidence: confidence < NAMED_CONFIDENCE_MIN ? 0 : confidence,
  };
}

const startsSpan = (party: Party, span: Span): boolean =>
  party.kind !== "none" && party.span.from === span.from;
