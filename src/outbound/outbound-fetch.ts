import { promises as dns, type LookupAddress } from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { startRequestSpan } from "../telemetry/request-span.ts";
import { currentSpan } from "../telemetry/span-scope.ts";
import { isPublicAddress } from "./public-address.ts";

interface OutboundOptions {
  /** Whether hosts with addresses that are not public may be reached. */
  readonly allowsPrivate: boolean;
  /** For the request and the complete response, in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum size of a response body. Without it, the body is not read, and the response has none. */
  readonly maxBodyBytes?: number;
  /** Finds the addresses of a name. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/** The part of `RequestInit` that is used. */
interface OutboundInit {
  readonly method?: string | undefined;
  readonly headers?: RequestInit["headers"];
  /** A text, or URLSearchParams. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export type OutboundFetch = (url: string, init?: OutboundInit) => Promise<Response>;

/** Any failure: the request was not sent, or did not get a usable response. The message contains no secret. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  /** Whether the host may have received the request. */
  readonly isSent: boolean;

  constructor(message: string, { isSent = false }: { readonly isSent?: boolean } = {}) {
    super(message);
    this.isSent = isSent;
  }
}

/**
 * Creates a `fetch` for URLs chosen by others. It does not follow redirects, decompress responses, or reuse
 * connections.
 *
 * Unless `allowsPrivate`, it rejects a host with an address that is not public (`isPublicAddress`). It checks every
 * address that the connection could use, so a name cannot be public when it is checked and private when it is used.
 */
export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  const { allowsPrivate, timeoutMs, maxBodyBytes, lookup = allowsPrivate ? lookupAnywhere : lookupInDns } = options;
  const lookupChecked = createLookup(lookup, allowsPrivate);

  return async (url, { method = "GET", headers, body, signal } = {}) => {
    const target = new URL(url);
    const hostname = checkTarget(target, allowsPrivate);
    const span = startRequestSpan(currentSpan(), method, target);
    const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
      method,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        "accept-encoding": "identity",
        // Without `tracestate`, which may contain data that is not intended for this server.
        ...(span && { traceparent: span.headers.traceparent }),
      },
      lookup: lookupChecked,
      agent: false,
      ...(signal && { signal }),
    });
    let isSent = false;
    request.once("socket", (socket) =>
      socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => {
        isSent = true;
      }),
    );
    request.end(body === undefined || body === null ? undefined : String(body));
    const late = new OutboundError(`${hostname} did not respond completely within ${timeoutMs} ms`);
    const timer = setTimeout(() => request.destroy(late), timeoutMs);
    request.once("close", () => clearTimeout(timer));
    try {
      const response = await receiveResponse(request, maxBodyBytes);
      span?.end(response);
      return response;
    } catch (error) {
      span?.end({ error });
      const message = error instanceof OutboundError ? error.message : `${hostname}: ${describe(error)}`;
      throw new OutboundError(message, { isSent });
    } finally {
      // An unread body may still arrive.
      if (maxBodyBytes !== undefined) request.destroy();
    }
  };
}

/** Returns the host of a URL that may be requested. */
function checkTarget({ protocol, hostname }: URL, allowsPrivate: boolean): string {
  if (protocol !== "https:" && protocol !== "http:") throw new OutboundError("only http and https URLs are allowed");
  const host = hostname.replace(/^\[|\]$/g, "");
  if (!allowsPrivate && isKnownAsPrivate(host)) throw notPublic(host);
  return host;
}

/** A lookup for a connection, which fails if a host has an address that may not be reached. */
function createLookup(lookup: NonNullable<OutboundOptions["lookup"]>, allowsPrivate: boolean): LookupFunction {
  async function findAddresses(hostname: string): Promise<LookupAddress[]> {
    const addresses = [...(await lookup(hostname))];
    if (addresses.length === 0) throw new OutboundError(`${hostname} has no address`);
    if (!allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw notPublic(hostname);
    return addresses;
  }

  return (hostname, { all }, callback) => {
    findAddresses(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

/** Resolves to the complete response. Rejects when the request fails, or is destroyed with an error. */
function receiveResponse(request: ClientRequest, maxBodyBytes: number | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => readResponse(response, maxBodyBytes).then(resolve, reject));
    // Without this listener, Node closes the connection without an error or a response.
    request.once("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      reject(new OutboundError(`the response has the status ${statusCode}`));
    });
  });
}

/** Known without a lookup (RFC 6761), because Node does not look up IP addresses. */
function isKnownAsPrivate(hostname: string): boolean {
  return isIP(hostname) === 0 ? /(^|\.)localhost\.?$/i.test(hostname) : !isPublicAddress(hostname);
}

async function readResponse(response: IncomingMessage, maxBodyBytes: number | undefined): Promise<Response> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new OutboundError(`the response has the status ${status}`);
  const contentType = response.headers["content-type"];
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  if (maxBodyBytes === undefined) {
    response.resume();
    return new Response(null, { status, headers });
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new OutboundError(`the response has more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers });
}

/** The codes of Node for a name without an address. */
const UNKNOWN_NAME: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Includes the code, such as ECONNREFUSED, because the error for several addresses has no message. */
function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (UNKNOWN_NAME.has(code)) return "no server has this name";
  return [code, message].filter(Boolean).join(" ");
}

function notPublic(hostname: string): OutboundError {
  return new OutboundError(`${hostname} has an address that is not public`);
}

/** Resolves like other programs on the machine, including `/etc/hosts`. */
function lookupAnywhere(hostname: string): Promise<LookupAddress[]> {
  return dns.lookup(hostname, { all: true });
}

/**
 * Queries the DNS servers. `dns.lookup` would occupy one of the four threads on which Node also signs tokens and reads
 * files, for as long as an attacker's name server does not respond.
 */
async function lookupInDns(hostname: string): Promise<LookupAddress[]> {
  const found = await Promise.allSettled([
    resolver.resolve4(hostname).then((all) => all.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((all) => all.map((address) => ({ address, family: 6 }))),
  ]);
  const addresses = found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const [failed] = found;
  if (addresses.length === 0 && failed.status === "rejected") throw failed.reason;
  return addresses;
}

const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
