import type { IncomingHttpHeaders } from "node:http";
import proxyaddr from "proxy-addr";

/** Determines the client address of a request. */
export interface ClientAddresses {
  /** Whether an address belongs to a trusted proxy. */
  isProxy(address: string): boolean;
  /**
   * The client's address: the last one in `X-Forwarded-For` that is not a trusted proxy, or else the connection's
   * address.
   */
  find(remoteAddress: string, headers: IncomingHttpHeaders): string;
}

/** @param trustedProxies Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const isTrusted = proxyaddr.compile([...trustedProxies]);
  const isProxy = (address: string) => trustedProxies.length > 0 && isTrusted(address, 0);
  return {
    isProxy,
    find(remoteAddress, headers) {
      const forwarded = headers["x-forwarded-for"];
      if (forwarded === undefined || !isProxy(remoteAddress)) return remoteAddress;
      const connection = { remoteAddress };
      const request = { headers: { "x-forwarded-for": withoutPorts(String(forwarded)) }, connection };
      return proxyaddr({ ...request, socket: connection } as never, isTrusted);
    },
  };
}

/** Removes the port that some proxies add. Otherwise, each connection would count as a different address. */
function withoutPorts(forwarded: string): string {
  return forwarded
    .split(",")
    .map((address) => address.trim().replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([^\]]*)\](?::\d+)?$/, "$1$2"))
    .join(", ");
}
