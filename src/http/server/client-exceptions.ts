// What single client libraries need that differs from the contract, all of it here.

export interface ClientExceptions {
  /** Whether the client reads the id of a rule as text: the contract has an integer. */
  readonly ruleIdsAsText: boolean;
}

/** The published Python library, version 5: its models refuse a rule whose id is a number. */
const PYTHON_LIBRARY = /^ntropy-sdk\/\d/;

/** @param userAgent the header as it was sent */
export function exceptionsFor(userAgent: string | undefined): ClientExceptions {
  return { ruleIdsAsText: PYTHON_LIBRARY.test(userAgent ?? "") };
}
