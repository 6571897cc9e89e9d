import { maskedNetworkOf } from "../network-of.ts";
import { parseUserAgent, type UserAgent } from "../parse-user-agent.ts";

/** Where a sign-in comes from, as its events say it: nothing identifies a single client. */
export interface SignInOrigin extends UserAgent {
  /** The IPv4 /24 or IPv6 /48. */
  readonly network?: string;
}

/** @param userAgent The header `user-agent`. */
export function toSignInOrigin(address: string, userAgent: string | undefined): SignInOrigin {
  const network = maskedNetworkOf(address);
  return { ...(network !== undefined && { network }), ...parseUserAgent(userAgent) };
}
