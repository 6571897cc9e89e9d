/**
 * Describes what is wrong with the issuer of an OpenID provider, as the end of a sentence about it; undefined for an
 * absolute `https` URL of RFC 3986 without user, query or fragment (OpenID Connect Discovery 1.0, section 2). `http` is
 * allowed only for a provider on the same machine: `localhost`, 127.0.0.0/8 or `[::1]`.
 *
 * The caller trims the issuer. It is otherwise stored unchanged, because clients compare it with the claim `iss` character by
 * character. Therefore, it must be a URL that parsers do not correct: without white space, backslashes, missing slashes,
 * characters outside ASCII, or other notations of IPv4 addresses.
 */
export function describeIssuerProblem(value: string): string | undefined {
  if (/[?#]/.test(value)) return "must not have a query or fragment";
  const parts = URL_SHAPE.exec(value)?.groups;
  if (!parts) {
    const seen = /\s/.test(value) ? ", without white space" : "";
    return `must be an absolute https URL such as https://accounts.example.com${seen}`;
  }
  if (parts.user !== undefined) return "must not have a user name or password";
  const host = parts.host?.toLowerCase() ?? "";
  const url = URL.parse(value);
  if (!url || url.port === "0" || (host !== url.hostname && !host.startsWith("["))) {
    return "must have a valid host and port";
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    return "must be an https URL; http is allowed for localhost, 127.0.0.0/8 and [::1] only";
  }
  return undefined;
}

// RFC 3986, appendix A, limited to the hosts and path characters that are in use. Runs in linear time, because each
// part ends at a character that it cannot contain, except for the user, which is tried once.
const URL_SHAPE =
  /^https?:\/\/(?<user>[^/@]*@)?(?<host>[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*)?$/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
