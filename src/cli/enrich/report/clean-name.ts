/**
 * The name of an unknown merchant without what differs from visit to visit: numbers of shops, tills and receipts.
 * "XYZQ SHOP 12 6" → "XYZQ SHOP". A name of numbers alone stays as it is.
 */
export function withoutNumbers(name: string): string {
  const words = name.trim().split(/\s+/u);
  const kept = words.filter((word) => !/^[#*]?\d[\d./:#*-]*$/u.test(word));
  return (kept.length === 0 ? words : kept).join(" ").replace(/[#*\s-]+$/u, "");
}
