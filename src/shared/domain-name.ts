// Websites as people write them.

/** Labels of letters, digits and dashes, the last of which is no number. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const WWW = /^www\.(?=.*\.)/;

/** The domain of a text that is one, or the address of a page at one: in lower case, without `www.`. Null for any other. */
export function domainOf(text: string): string | null {
  const url = SCHEME.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const { hostname, username } = new URL(url);
  const domain = hostname.replace(WWW, "");
  // `mailto:somebody@example.com` is nobody's website.
  return username === "" && DOMAIN.test(domain) ? domain : null;
}
