/**
 * An amount rounded to parts of a unit: 100 for cents. Amounts may be as large as numbers can be: one that is too large to have such
 * parts stays, and what exceeds the largest number is that number, since JSON has no infinity.
 */
export function roundAmount(amount: number, parts: number): number {
  const scaled = amount * parts;
  const rounded = scaled > Number.MAX_SAFE_INTEGER ? amount : Math.round(scaled) / parts;
  return Math.min(rounded, Number.MAX_VALUE);
}
