import { type LookupAddress, lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

interface PostOptions {
  readonly form: URLSearchParams;
  /** Whether the address may be one that is not public. */
  readonly mayBePrivate: boolean;
  readonly timeoutMs: number;
}

/**
 * Posts a form to an address that an application has registered, without following redirects.
 *
 * Rejects if the host has an address that is not public, unless it may: every address is checked that the connection
 * could use, so a name cannot be public when it is checked and private when it is used.
 *
 * @returns The status of the response.
 */
export function postToApp(url: string, { form, mayBePrivate, timeoutMs }: PostOptions): Promise<number> {
  const target = new URL(url);
  const hostname = target.hostname.replace(/^\[|\]$/g, "");
  if (isIP(hostname) !== 0 && !mayBePrivate && !isPublic(hostname)) return Promise.reject(notPublic(hostname));
  const send = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      ...(!mayBePrivate && { lookup: lookupPublic }),
    };
    const call = send(target, options, (response) => {
      // Nothing reads the body, and errors of it do not matter.
      response.on("error", () => {}).resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end(form.toString());
  });
}

const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses = found as LookupAddress[];
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) return callback(error ?? notPublic(hostname), "", 0);
    if (!addresses.every(({ address }) => isPublic(address))) return callback(notPublic(hostname), "", 0);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === "unicast";
}

function notPublic(hostname: string): Error {
  return new Error(`${hostname} has an address that is not public`);
}
