import { domainToASCII } from "node:url";

/** RFC 1035, section 2.3.4, without the final dot. */
const MAX_LENGTH = 253;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** At least two labels. The last one contains a letter, so the name is no IP address. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?=[0-9-]*[a-z])${LABEL}$`);

/** `domainToASCII` would ignore what follows these characters, or decode them. */
const FOREIGN = /[\s/\\?#@:%[\]]/;

/**
 * The form in which domains are stored and compared: in lowercase, in ASCII (RFC 5891), without a final dot. Empty for a
 * text that is not a domain.
 */
export function toDomain(text: string): string {
  const domain = text.trim().replace(/\.$/, "").toLowerCase();
  return FOREIGN.test(domain) ? "" : domainToASCII(domain);
}

/** @param domain The result of `toDomain`. */
export function describeDomainProblem(domain: string): string | undefined {
  if (domain.length <= MAX_LENGTH && DOMAIN.test(domain)) return undefined;
  return "must be a domain such as example.com";
}
