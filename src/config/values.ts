// The forms that values of settings have. Each reader refuses another form with one sentence that names the setting.
import { parseCidrs } from "../outbound/addresses.ts";
import type { PortRange } from "../outbound/url.ts";

const PORT_MAX = 65_535;

/** A setting is wrong. The message is one sentence for the person who started the program. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

/** @throws ConfigError for anything but a whole number within the bounds */
export function readInteger(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new ConfigError(
      `${name} must be a whole number from ${String(min)} to ${String(max)}, not "${text}".`,
    );
  }
  return number;
}

/** @throws ConfigError for what the name of a topic or a group cannot begin with */
export function readPrefix(name: string, text: string): string {
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(text)) {
    throw new ConfigError(
      `${name} must be 1 to 100 letters, digits, dots, dashes and underscores, not "${text}".`,
    );
  }
  return text;
}

/** @throws ConfigError for anything but one of the choices */
export function readChoice<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) {
    throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${text}".`);
  }
  return choice;
}

/** Exact origins separated by commas; none where the text is null. @throws ConfigError for anything else */
export function readOrigins(name: string, text: string | null): string[] {
  const origins = text === null ? [] : text.split(",").map((origin) => origin.trim());
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) {
    throw new ConfigError(
      `${name} must be origins such as https://app.example.com, several separated by commas, not "${wrong}".`,
    );
  }
  return origins;
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const ON: readonly string[] = ["on", "true", "yes", "1"];
const OFF: readonly string[] = ["off", "false", "no", "0"];

/** A switch in any of the usual spellings, in any case. @throws ConfigError for anything else */
export function readSwitch(name: string, text: string): boolean {
  const spelling = text.toLowerCase();
  if (ON.includes(spelling)) return true;
  if (OFF.includes(spelling)) return false;
  throw new ConfigError(
    `${name} must be on or off (also ${[...ON.slice(1), ...OFF.slice(1)].join(", ")}), not "${text}".`,
  );
}

/** The value may hold a password: messages must not repeat it. @throws ConfigError for another protocol */
export function readUrlSetting(name: string, text: string, protocols: readonly string[]): string {
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.join("// or ")}//.`);
  }
  return text;
}

/** Networks separated by commas; none where the text is null. @throws ConfigError for anything else */
/** Ports and ranges of them, such as `443,8000-8999`; `usual` when nothing is set. */
export function readPorts(
  name: string,
  text: string | null,
  usual: readonly PortRange[],
): readonly PortRange[] {
  return (
    text?.split(",").map((part) => {
      const [, from = "", to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()) ?? [];
      const range = { from: Number(from), to: Number(to) };
      if (range.from < 1 || range.to > PORT_MAX || range.from > range.to)
        throw new ConfigError(
          `${name} must be ports from 1 to ${String(PORT_MAX)} and ranges of them such as 443,8000-8999, not "${part.trim()}".`,
        );
      return range;
    }) ?? usual
  );
}

export function readCidrs(name: string, text: string | null): string[] {
  const cidrs = text === null ? [] : text.split(",").map((cidr) => cidr.trim());
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  if (wrong !== undefined) {
    throw new ConfigError(
      `${name} must be networks such as 10.1.0.0/16 or fd00::/8, several separated by commas, not "${wrong}".`,
    );
  }
  return cidrs;
}

function isCidr(text: string): boolean {
  if (!text.includes("/")) return false;
  try {
    return parseCidrs([text]).length === 1;
  } catch {
    return false;
  }
}

/** The value of a setting; null: it is not set. */
export type ReadSetting = (name: string) => string | null;
