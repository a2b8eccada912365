/**
 * The name of an unknown merchant without what differs from visit to visit: numbers of shops, tills and receipts.
 * "XYZQ SHOP 12 6" and "Xyzq Shop #13" → "xyzq shop". A name of numbers alone stays as it is.
 */
export function groupingName(name: string): string {
  const words = name.trim().split(/\s+/u);
  const kept = words.filter((word) => !/^[#*]?\d[\d./:#*-]*$/u.test(word));
  return (kept.length === 0 ? words : kept)
    .join(" ")
    .replace(/[#*\s-]+$/u, "")
    .toLowerCase();
}
