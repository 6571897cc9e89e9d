/** Which redirect URIs an application may have. */
export interface ClientUriRules {
  /** For native applications: `http` with a loopback host, and custom schemes (RFC 8252, section 7). */
  readonly native: boolean;
  /** For development: `http` with any host. */
  readonly devMode: boolean;
}

/**
 * Describes what is wrong with a URI to which a browser is redirected, as the end of a sentence about it; undefined if
 * it is accepted: an absolute URI without a fragment (RFC 6749, section 3.1.2). URIs are compared character by
 * character, so the text must be in the form that browsers send.
 */
export function describeRedirectUriProblem(text: string, { native, devMode }: ClientUriRules): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) return "must be an absolute URI of ASCII characters such as https://app.example.com/signed-in";
  if (text.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    if (devMode || (native && LOOPBACK.has(url.hostname))) return undefined;
    return native
      ? "must be an https URI; http is allowed for localhost, 127.0.0.1 and [::1] only"
      : "must be an https URI; http is allowed in development mode only";
  }
  // RFC 8252, section 7.1: a reverse domain name, which contains a dot.
  if (native && /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return native ? "must be an https URI, or have a scheme with a dot such as com.example.app" : "must be an https URI";
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Describes what is wrong with the origin of a page (RFC 6454); undefined if it is accepted. */
export function describeOriginProblem(text: string, { devMode }: Pick<ClientUriRules, "devMode">): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return "must be an origin such as https://app.example.com";
  if (url.protocol === "https:" || (devMode && url.protocol === "http:")) return undefined;
  return "must be an https origin; http is allowed in development mode only";
}

/** Describes what is wrong with a URL of an application that Signet sends requests to; undefined if it is accepted. */
export function describeRequestedUrlProblem(
  text: string,
  { devMode }: Pick<ClientUriRules, "devMode">,
): string | undefined {
  return describeRedirectUriProblem(text, { native: false, devMode });
}
