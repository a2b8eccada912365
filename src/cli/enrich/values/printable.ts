/** Text of the file made safe for a terminal and a single line: no control characters, cut at `charactersMax`. */
export function printable(text: string, charactersMax = 40): string {
  const flat = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const characters = Array.from(flat);
  return characters.length <= charactersMax
    ? flat
    : `${characters.slice(0, charactersMax - 1).join("")}…`;
}
