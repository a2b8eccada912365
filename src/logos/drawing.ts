// Logos as SVG documents: a picture in its brand's colour, or a tile with a letter.
import { isTileText } from "../model/logo.ts";

/** Of what is drawn around a picture; raised with every visible change of this file. */
export const DRAWING_VERSION = 1;

const SIZE = 24;
const OPEN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(SIZE)} ${String(SIZE)}" role="img">`;

const tile = (colour: string): string =>
  `<rect width="${String(SIZE)}" height="${String(SIZE)}" rx="4" fill="#${colour}"/>`;

/** Dark enough for white letters, and easy to distinguish. */
const TILE_COLOURS: readonly string[] = [
  "9F2B2B",
  "A34A00",
  "7A5C00",
  "4F6B12",
  "1F7036",
  "0B6E63",
  "0A6784",
  "1F5FA8",
  "3D4FB3",
  "6440AD",
  "8A2F9B",
  "A02567",
  "6B4A3A",
  "4A5563",
];

/** Behind pictures that would not be seen on a white page. */
const DARK_GROUND = "24292F";
const LIGHT_MIN = 0.8;

/** How light a colour is to the eye, 0..1 (the weights of ITU-R BT.709, without its curve). */
function lightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  );
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** `colour` and `path` come from the file of pictures, whose builder lets nothing else through than these. */
export function drawPicture(colour: string, path: string): string {
  const drawing = `<path fill="#${colour}" d="${path}"/>`;
  if (lightness(colour) < LIGHT_MIN) return `${OPEN}${drawing}</svg>`;
  const inset = `<g transform="translate(4 4) scale(0.6667)">${drawing}</g>`;
  return `${OPEN}${tile(DARK_GROUND)}${inset}</svg>`;
}

/** Null for a text that is more than a letter or two: it comes from an address, which every client can write. */
export function drawTile(id: string, text: string): string | null {
  if (!isTileText(text)) return null;
  const colour = TILE_COLOURS[Number.parseInt(id.slice(0, 8), 16) % TILE_COLOURS.length] ?? "";
  const font = `font-family="system-ui, sans-serif" font-weight="600" font-size="${text.length > 1 ? "10" : "13"}"`;
  return `${OPEN}${tile(colour)}<text x="12" y="12" dy="0.35em" text-anchor="middle" ${font} fill="#FFF">${text}</text></svg>`;
}
