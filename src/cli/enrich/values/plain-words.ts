/** Lower case, without accents, every other sign a single space: "Begünstigter/Zahlungspflichtiger" → "begunstigter zahlungspflichtiger". */
export function plainWords(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
