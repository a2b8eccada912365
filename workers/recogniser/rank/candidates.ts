// Who may be meant in a line: every party that is named in or around the tokens that are likely a name, with what speaks for and
// against them. The ranker chooses.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { AliasFlag } from "../../knowledge/sections.ts";
import { LABEL } from "../parse/labels.ts";
import { findAddress } from "../website/address.ts";
import type { Candidate } from "./candidate.ts";
import { AT } from "./evidence.ts";
import { LineView, log1, type ParsedLine } from "./line-view.ts";
import {
  addAliases,
  addInexact,
  addMarks,
  addOffices,
  Findings,
  merchantContextOf,
} from "./merchants.ts";
import { addNameCandidates } from "./names.ts";
import { type MerchantContext, ownerOf } from "./owner.ts";

const NAMES_COUNTED_MAX = 3;
const TOKENS_COUNTED_MAX = 8;

/** Who owns a web address in the line, or the address itself. */
function addAddress(
  view: LineView,
  context: MerchantContext,
  findings: Findings,
): Candidate | null {
  const { parsed, knowledge } = view;
  const site = findAddress(parsed.line, parsed.hints.home, knowledge);
  if (site === null) return null;
  const { domain, label, span } = site;
  const alias = domain === null ? -1 : knowledge.aliases.keys.find(domain);
  const owner = alias < 0 ? null : ownerOf(alias, context, knowledge);
  const isUnchecked = owner !== null && (owner.flags & AliasFlag.unchecked) !== 0;
  if (owner !== null && !isUnchecked) {
    findings.add(owner, span, label.length, ["address"]);
    return null;
  }
  // The address itself is as certain as that of an unknown company.
  let web = 0;
  for (let at = span.from; at < span.to; at++) web = Math.max(web, view.probability(at, LABEL.web));
  const evidence = view.evidenceAt(span);
  evidence[AT.web] = web;
  evidence[AT.length] = log1(label.length);
  return {
    class: "address",
    span,
    merchant: owner?.merchant ?? -1,
    address: { label, domain },
    lastWord: null,
    evidence,
  };
}

function noCounterparty(view: LineView): Candidate {
  const evidence = view.lineEvidence();
  evidence[AT.most] = view.most;
  evidence[AT.least] = Math.log((view.most + 0.01) / (1.01 - view.most));
  evidence[AT.names] = Math.min(NAMES_COUNTED_MAX, view.spans.length);
  evidence[AT.tokens] = Math.min(TOKENS_COUNTED_MAX, view.count);
  return { class: "none", span: { from: 0, to: 0 }, merchant: -1, lastWord: null, evidence };
}

/**
 * Every party that may be meant, and last that no counterparty is named.
 * @param sizedFor is given the categories for which it was asked whether the amount is unusual: nothing else depends on it
 */
export function candidatesOf(
  parsed: ParsedLine,
  knowledge: Knowledge,
  sizedFor: number[] = [],
): readonly Candidate[] {
  const view = new LineView(parsed, knowledge);
  const context = merchantContextOf(parsed, sizedFor);
  const findings = new Findings(view);
  addAliases(view, context, findings);
  addMarks(view, context, findings);
  addOffices(view, context, findings);
  addInexact(view, context, findings);
  const address = addAddress(view, context, findings);
  const merchants = findings.list();
  const all = merchants.slice();
  if (address !== null) all.push(address);
  addNameCandidates(view, merchants, all);
  const record = merchants.find(({ evidence }) => evidence[AT.record] === 1);
  if (record !== undefined)
    for (const { span, evidence } of all)
      if (span.from >= record.span.to) evidence[AT.behindRecord] = 1;
  all.push(noCounterparty(view));
  return all;
}
