// Websites as people write them.

/** Labels of letters, digits and dashes; the last one is not a number. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const WWW = /^www\.(?=.*\.)/;

/**
 * The domain of a text that is a domain or the address of a page at one: in lower case, without `www.`. Null for other texts.
 */
export function domainOf(text: string): string | null {
  const url = SCHEME.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const { hostname, username } = new URL(url);
  const domain = hostname.replace(WWW, "");
  // `mailto:person@example.com` is not a website.
  return username === "" && DOMAIN.test(domain) ? domain : null;
}
