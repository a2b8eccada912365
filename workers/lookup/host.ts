// A pasted website: an address with or without scheme, `www.`, port, path, user and so on.
import { domainToUnicode } from "node:url";

/** The longest name of the DNS. */
const HOST_LENGTH_MAX = 253;
/** What mail programs and sentences put around an address. */
const AROUND = new Set("<>()[]\"',; \t\r\n\u00a0");
const SCHEME = /^[a-z][a-z\d+.-]*:(?=[/\\]{2})/iu;
/** At least two labels, the last of which is not a number as in an IP address. */
const NAMED_HOST = /\.[a-z][a-z\d-]*$/u;

function withoutAround(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && AROUND.has(text.charAt(from))) from++;
  while (to > from && AROUND.has(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** The labels of the host in an address, in small letters and in Unicode; null where there is none. */
export function hostLabels(pasted: string): readonly string[] | null {
  const address = withoutAround(pasted)
    .replace(SCHEME, "")
    .replace(/^[/\\]+/u, "");
  const host = URL.parse(`http://${address}`)?.hostname.replace(/\.$/u, "") ?? "";
  if (host.length > HOST_LENGTH_MAX || !NAMED_HOST.test(host)) return null;
  const labels = domainToUnicode(host).split(".");
  return labels.includes("") ? null : labels;
}
