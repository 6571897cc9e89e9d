import type { IncomingHttpHeaders } from "node:http";
import proxyaddr from "proxy-addr";

/** Finds out which address a request comes from. */
export interface ClientAddresses {
  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string): boolean;
  /** The client's address: the last one in `X-Forwarded-For` that is no trusted proxy's, else that of the connection. */
  find(remoteAddress: string, headers: IncomingHttpHeaders): string;
}

/** @param trustedProxies Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
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

/** Some proxies add the port, with which each connection would be an address of its own. */
function withoutPorts(forwarded: string): string {
  return forwarded
    .split(",")
    .map((address) => address.trim().replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([^\]]*)\](?::\d+)?$/, "$1$2"))
    .join(", ");
}
