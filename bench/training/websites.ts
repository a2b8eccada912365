// npm run train -- websites
// Counts how often a registered domain that reads like a name is the website of the name, on the labelled lines whose merchant no
// table contains, by the list, the ending and what the name is like, and writes models/websites.json. One right and one wrong are
// added to the count of all endings (Laplace), and two answers of that share to the count of each ending, so that few lines claim
// little. A name counts once in every country, and only as it is written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { comparableName } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { hintsOf } from "../../workers/recogniser/hints.ts";
import { nameTokens } from "../../workers/recogniser/text/keys.ts";
import {
  DOMAIN_ENDINGS,
  DOMAIN_TIERS,
  type DomainEnding,
  type DomainTier,
  NAME_KINDS,
  type NameKind,
} from "../../workers/recogniser/website/precision.ts";
import { domainsOfName, partsOfName } from "../../workers/recogniser/website/website-of-name.ts";
import { type LabelledLine, readLabelledLines } from "./labelled.ts";

const FILE = join(import.meta.dirname, "../../workers/knowledge/models/websites.json");
const DECIMALS = 1e2;

interface Count {
  right: number;
  of: number;
}

type CountOf = (tier: DomainTier, ending: DomainEnding, kind: NameKind) => Count;

/** What the share of all endings counts in that of one. */
const SHARE_ANSWERS = 2;

function count({ one }: LabelledLine, seen: Set<string>, countOf: CountOf, knowledge: Knowledge) {
  const { merchants, websites } = one.label;
  if (websites === null || websites.includes("")) return;
  const { home } = hintsOf(one.item, knowledge);
  for (const name of merchants ?? []) {
    const words = nameTokens(name.replaceAll("&", " and "));
    const key = `${comparableName(name)} ${home ?? ""}`;
    const isWritten = comparableName(one.item.description).includes(comparableName(name));
    if (words.length === 0 || !isWritten || seen.has(key)) continue;
    seen.add(key);
    if (knowledge.aliases.keys.find(words.join("")) >= 0) continue;
    for (const [kind, part] of partsOfName(words, knowledge)) {
      const [site] = domainsOfName(part, kind, home, knowledge);
      if (site === undefined) continue;
      const counted = countOf(site.tier, site.ending, kind);
      counted.of += 1;
      if (websites.includes(site.domain)) counted.right += 1;
    }
  }
}

export function runWebsites(): void {
  const knowledge = readKnowledge();
  const counts = new Map<string, Count>();
  const countOf: CountOf = (...path) => {
    const key = path.join(", ");
    const known = counts.get(key) ?? { right: 0, of: 0 };
    counts.set(key, known);
    return known;
  };
  const seen = new Set<string>();
  for (const line of readLabelledLines()) count(line, seen, countOf, knowledge);
  for (const [key, { right, of }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(`${key}: ${String(right)} of ${String(of)}\n`);
  const precisionOf = (tier: DomainTier, ending: DomainEnding, kind: NameKind): number => {
    const all = DOMAIN_ENDINGS.map((one) => countOf(tier, one, kind));
    const sum = (read: (one: Count) => number): number => all.reduce((s, one) => s + read(one), 0);
    const share = (sum(({ right }) => right) + 1) / (sum(({ of }) => of) + 2);
    const { right, of } = countOf(tier, ending, kind);
    return (
      Math.round((DECIMALS * (right + SHARE_ANSWERS * share)) / (of + SHARE_ANSWERS)) / DECIMALS
    );
  };
  const precision = DOMAIN_TIERS.map((tier) => {
    const endings = DOMAIN_ENDINGS.map((ending) => {
      const kinds = NAME_KINDS.map((kind) => [kind, precisionOf(tier, ending, kind)] as const);
      return [ending, Object.fromEntries(kinds)] as const;
    });
    return [tier, Object.fromEntries(endings)] as const;
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(precision), null, 2)}\n`);
}
