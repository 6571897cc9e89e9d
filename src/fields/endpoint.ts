import { describeIssuerProblem } from "./issuer.ts";

/**
 * Describes what is wrong with the URL of an endpoint of a provider, as the end of a sentence about it; undefined for
 * an absolute `https` URL without a user or fragment (RFC 6749, sections 3.1 and 3.2), with the rules of an issuer
 * otherwise.
 */
export function describeEndpointProblem(value: string): string | undefined {
  if (value.includes("#")) return "must not have a fragment";
  const [url = "", ...rest] = value.split("?");
  if (!QUERY.test(rest.join("?"))) return "must have a valid query";
  return describeIssuerProblem(url);
}

/** RFC 3986, section 3.4. */
const QUERY = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
