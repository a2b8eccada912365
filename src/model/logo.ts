// Where the logo of an entity is found, and how the pictures are kept. The threads write the address into the facts, the
// API answers it; the builder of the knowledge writes the file, the API reads it.

/** At most two letters or digits: enough for what a tile shows, too little to be misused. */
const TILE_TEXT = /^[\p{L}\p{N}]{1,2}$/u;

export const isTileText = (text: string): boolean => TILE_TEXT.test(text);

/** What a tile shows of a name: its first letter or digit as a capital, null where it has none. */
function tileTextOf(name: string): string | null {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0];
  if (letter === undefined) return null;
  const capital = letter.toUpperCase();
  return isTileText(capital) ? capital : letter;
}

/**
 * Address of the logo of the entity, null for a name that no tile can be made of. It carries the text of the tile, so that
 * the answer needs no look-up of the entity.
 */
export function logoUrl(publicUrl: string, id: string, name: string): string | null {
  const text = tileTextOf(name);
  return text === null ? null : `${publicUrl}/logos/${id}.svg?name=${encodeURIComponent(text)}`;
}

/**
 * Sections of logos.bin, a file in the frame of `knowledge-file.ts`:
 *
 *   logo.ids       u8   16 bytes an id, sorted: the entities that have a picture
 *   logo.numbers   u32  number of the picture, parallel to the ids
 *   logo.starts    u32  n + 1 offsets into logo.pictures
 *   logo.pictures  u8   ASCII: six hexadecimal digits of the brand's colour, then the path of a drawing of 24 by 24
 */
export const LOGO_SECTIONS = {
  ids: "logo.ids",
  numbers: "logo.numbers",
  starts: "logo.starts",
  pictures: "logo.pictures",
} as const;
