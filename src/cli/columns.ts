// Tables of commands that list things: aligned, never cut, because ids are copied out of them.

/** A line of text for each row, without its line break. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((widest, row) => {
    for (const [index, cell] of row.entries())
      widest[index] = Math.max(widest[index] ?? 0, cell.length);
    return widest;
  }, []);
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
