// What single client libraries need that differs from the contract, all of it here.

export interface ClientExceptions {
  /** Whether the client reads the id of a rule as text: the contract has an integer. */
  readonly ruleIdsAsText: boolean;
  /** Whether the client can read `semi-monthly` as the periodicity of a recurring group. */
  readonly hasSemiMonthly: boolean;
}

/** The published Python library, version 5: its models refuse a rule whose id is a number. */
const PYTHON_LIBRARY = /^ntropy-sdk\/\d/;
/** Its versions before 5.7: their models refuse a periodicity that they do not have. */
const WITHOUT_SEMI_MONTHLY = /^ntropy-sdk\/(?:[0-4]\.|5\.[0-6](?:\D|$))/;

/** @param userAgent the header as it was sent */
export function exceptionsFor(userAgent: string | undefined): ClientExceptions {
  const sent = userAgent ?? "";
  return {
    ruleIdsAsText: PYTHON_LIBRARY.test(sent),
    hasSemiMonthly: !WITHOUT_SEMI_MONTHLY.test(sent),
  };
}
