import { Resolver } from "node:dns/promises";
import { createOutboundFetch, type OutboundFetch } from "../../outbound/outbound-fetch.ts";

/** How an organization proves that it controls a domain: with a TXT record, or with a file on its web server. */
export type DomainProofType = "dns" | "http";

/** The token of a domain, and where it must be found. */
interface DomainProof {
  readonly domain: string;
  readonly type: DomainProofType;
  readonly token: string;
}

/** Finds the token of a domain. Resolves to why it was not found, in one line; undefined if it was. */
export type ProveDomain = (proof: DomainProof, signal: AbortSignal) => Promise<string | undefined>;

const LIMIT_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1_024;

/** The name of the TXT record, or the URL of the file, with the token as its content. */
export function toProofPlace(type: DomainProofType, domain: string, token: string): string {
  return type === "dns" ? `_signet-challenge.${domain}` : `https://${domain}/.well-known/signet-challenge/${token}.txt`;
}

interface ProveDomainOptions {
  /** Whether a file may be at an address that is not public. */
  readonly allowsPrivate: boolean;
  /** The DNS servers, as `address:port`; by default, those of the machine. */
  readonly dnsServers?: readonly string[];
  readonly fetch?: OutboundFetch;
}

export function createProveDomain({ allowsPrivate, dnsServers, fetch }: ProveDomainOptions): ProveDomain {
  const limits = { timeoutMs: LIMIT_MS, maxBodyBytes: MAX_BODY_BYTES };
  const request = fetch ?? createOutboundFetch({ allowsPrivate, ...limits });

  async function findInDns({ domain, token }: DomainProof, signal: AbortSignal): Promise<string | undefined> {
    const name = toProofPlace("dns", domain, token);
    const resolver = new Resolver({ timeout: 1_500, tries: 2 });
    if (dnsServers !== undefined) resolver.setServers(dnsServers);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    limit.throwIfAborted();
    limit.addEventListener("abort", () => resolver.cancel(), { once: true });
    const records = await resolver.resolveTxt(name);
    const isFound = records.some((parts) => parts.join("").trim() === token);
    return isFound ? undefined : `no TXT record of ${name} contains the token`;
  }

  async function findFile({ domain, token }: DomainProof, signal: AbortSignal): Promise<string | undefined> {
    const url = toProofPlace("http", domain, token);
    const response = await request(url, { signal });
    if (response.status !== 200) return `${url} responds with status ${response.status} instead of 200`;
    return (await response.text()).trim() === token ? undefined : `${url} does not contain the token`;
  }

  return async (proof, signal) => {
    try {
      return await (proof.type === "dns" ? findInDns : findFile)(proof, signal);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}
