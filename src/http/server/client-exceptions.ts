// What single client libraries need that differs from the contract, all of it here.

export interface ClientExceptions {
  /** Whether the client reads the id of a rule as text: the contract has an integer. */
  readonly ruleIdsAsText: boolean;
  /** Which values of a periodicity the models of the client have. */
  readonly periodicities: "all" | "not semi-monthly" | "with underscores, not semi-monthly";
}

/** The published Python library, version 5: its models refuse a rule whose id is a number. */
const PYTHON_LIBRARY = /^ntropy-sdk\/(\d+)\.?(\d*)/;

/** Its enumeration of periodicities: from 5.7 on all, from 5.3 on `bi_weekly` for `bi-weekly`. */
function periodicitiesOf(major: number, minor: number): ClientExceptions["periodicities"] {
  if (major !== 5 || minor >= 7) return "all";
  return minor >= 3 ? "with underscores, not semi-monthly" : "not semi-monthly";
}

/** @param userAgent the header as it was sent */
export function exceptionsFor(userAgent: string | undefined): ClientExceptions {
  const match = PYTHON_LIBRARY.exec(userAgent ?? "");
  if (match === null) return { ruleIdsAsText: false, periodicities: "all" };
  const [, major, minor] = match;
  return {
    ruleIdsAsText: true,
    periodicities:
      minor === undefined || minor === "" ? "all" : periodicitiesOf(Number(major), Number(minor)),
  };
}

/** A periodicity of the v3 API in the words of the client. */
export function periodicityFor({ periodicities }: ClientExceptions, periodicity: string): string {
  if (periodicities === "all") return periodicity;
  if (periodicity === "semi-monthly") return "other";
  return periodicities === "not semi-monthly" ? periodicity : periodicity.replace("-", "_");
}
