// npm run train -- websites
// Counts how often a registered domain that reads like a name is the website of the name, on the labelled lines whose merchant no
// table contains, and writes models/websites.json. One right and one wrong are added to each count, so that few lines claim little
// (Laplace). A name counts once in every country, and only as it is written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { comparableName } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { hintsOf } from "../../workers/recogniser/hints.ts";
import { nameTokens } from "../../workers/recogniser/text/keys.ts";
import { DOMAIN_TIERS } from "../../workers/recogniser/website/precision.ts";
import { domainsOfName, partsOfName } from "../../workers/recogniser/website/website-of-name.ts";
import { NAME_KINDS } from "../../workers/recogniser/website/precision.ts";
import { type LabelledLine, readLabelledLines } from "./labelled.ts";

const FILE = join(import.meta.dirname, "../../workers/knowledge/models/websites.json");
const DECIMALS = 1e2;

interface Count {
  right: number;
  of: number;
}

type CountOf = (tier: string, kind: string) => Count;

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
      const counted = countOf(site.tier, kind);
      counted.of += 1;
      if (websites.includes(site.domain)) counted.right += 1;
    }
  }
}

export function runWebsites(): void {
  const knowledge = readKnowledge();
  const counts = new Map<string, Count>();
  const countOf: CountOf = (tier, kind) => {
    const key = `${tier}, ${kind}`;
    const known = counts.get(key) ?? { right: 0, of: 0 };
    counts.set(key, known);
    return known;
  };
  const seen = new Set<string>();
  for (const line of readLabelledLines()) count(line, seen, countOf, knowledge);
  for (const [key, { right, of }] of counts)
    process.stdout.write(`${key}: ${String(right)} of ${String(of)}\n`);
  const precision = DOMAIN_TIERS.map((tier) => {
    const kinds = NAME_KINDS.map((kind) => {
      const { right, of } = countOf(tier, kind);
      return [kind, Math.round((DECIMALS * (right + 1)) / (of + 2)) / DECIMALS] as const;
    });
    return [tier, Object.fromEntries(kinds)] as const;
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(precision), null, 2)}\n`);
}
