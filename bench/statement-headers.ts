// Fields of the header of a public sample against its truth, where the truth has them.
import type { StatementHeader } from "../src/model/bank-statement.ts";

export interface HeaderScore {
  readonly field: string;
  readonly isRight: boolean;
}

/** The parts of the two forms of truth that say something of the header. */
interface HeaderTruth {
  readonly institution?: string | null;
  readonly accountHolder?: {
    readonly name?: string | null;
    readonly address?: string | null;
    readonly type?: string | null;
  };
  readonly period?: { readonly start: string; readonly end: string } | null;
  readonly accounts?: readonly {
    readonly number?: string | null;
    readonly type?: string | null;
    readonly currency?: string | null;
    readonly openingBalance?: string | null;
    readonly closingBalance?: string | null;
  }[];
  readonly statements?: readonly {
    readonly bank: string;
    readonly account: string;
    readonly start_date: string;
    readonly end_date: string;
  }[];
  readonly statement?: {
    readonly period_start: string;
    readonly period_end: string;
    readonly opening_balance: string;
    readonly closing_balance: string;
    readonly currency: string;
  };
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, "");

/** Whether one text holds the other: names are printed longer or shorter. */
const holds = (read: string | null | undefined, right: string): boolean => {
  const [a, b] = [letters(read ?? ""), letters(right)];
  return a !== "" && (a.includes(b) || b.includes(a));
};

/** @param json the truth of a sample */
export function scoreHeader(json: unknown, header: StatementHeader): HeaderScore[] {
  const truth = json as HeaderTruth;
  const scores: HeaderScore[] = [];
  const add = (field: string, right: string | null | undefined, isRight: () => boolean): void => {
    if (right != null && right !== "") scores.push({ field, isRight: isRight() });
  };
  const [first] = truth.statements ?? [];
  const institution = truth.institution ?? first?.bank;
  add("institution", institution, () => holds(header.institution, institution ?? ""));
  const { name, address, type } = truth.accountHolder ?? {};
  add("holder", name, () => holds(header.holder?.name, name ?? ""));
  add("holder type", type, () => header.holder?.type === type);
  add("city", address, () => {
    const city = header.holder?.address?.city ?? "";
    return city !== "" && (address ?? "").includes(city);
  });
  const start = truth.period?.start ?? first?.start_date ?? truth.statement?.period_start;
  const end = truth.period?.end ?? first?.end_date ?? truth.statement?.period_end;
  add("period", start, () => header.period?.start === start && header.period?.end === end);
  scores.push(...scoreAccount(truth, header));
  return scores;
}

type AccountField = readonly [name: string, right: string | null | undefined];

function trueAccount(truth: HeaderTruth): AccountField[] {
  const [right] = truth.accounts ?? [];
  if (right !== undefined)
    return [
      ["account number", right.number],
      ["account type", right.type],
      ["currency", right.currency],
      ["opening", right.openingBalance],
      ["closing", right.closingBalance],
    ];
  const { statement, statements } = truth;
  return [
    ["account number", statements?.[0]?.account],
    ["account type", null],
    ["currency", statement?.currency],
    ["opening", statement?.opening_balance],
    ["closing", statement?.closing_balance],
  ];
}

function scoreAccount(truth: HeaderTruth, header: StatementHeader): HeaderScore[] {
  const [read] = header.accounts;
  const given = [read?.number, read?.type, read?.currency, read?.opening, read?.closing];
  return trueAccount(truth).flatMap(([field, value], at) =>
    value == null ? [] : [{ field, isRight: letters(value) === letters(given[at] ?? "") }],
  );
}
