import { stripVTControlCharacters, styleText } from "node:util";

// Log lines for people at a terminal. Made here from the JSON line, and not with pino-pretty: that brings a dozen packages
// into every installation, and what is needed is this.

const COLORS: Readonly<Record<string, "red" | "yellow" | "green">> = {
  fatal: "red",
  error: "red",
  warn: "yellow",
  info: "green",
};
/** Settings and stacks would fill the screen; the JSON format has them whole. */
const VALUE_LENGTH_MAX = 120;

/** `09:30:00.123 INFO  request status=200 ms=3.1` for a line of the logger in JSON. */
export function prettyLine(line: string, hasColors: boolean): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    hasColors ? styleText(format, text, { validateStream: false }) : text;
  const name = String(level);
  const color = COLORS[name];
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${paint("dim", `${key}=`)}${shortText(value)}`);
  const label = name.toUpperCase().padEnd(5);
  return `${[
    paint("dim", String(time).slice(11, 23)),
    color === undefined ? label : paint(color, label),
    shortText(msg),
    ...shown,
  ].join(" ")}\n`;
}

/** One line without control characters, cut. */
function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const plain = stripVTControlCharacters(text).replace(/\p{Cc}+/gu, " ");
  return plain.length > VALUE_LENGTH_MAX ? `${plain.slice(0, VALUE_LENGTH_MAX)}…` : plain;
}
