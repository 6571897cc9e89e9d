import { type LookupAddress, lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Posts a form to an address that an organization has registered, without following redirects.
 *
 * Rejects if the host has an address that is not public: every address is checked that the connection could use, so a
 * name cannot be public when it is checked and private when it is used.
 */
export function postToApp(url: string, { body, headers, signal }: RequestInit): Promise<Response> {
  const target = new URL(url);
  const hostname = target.hostname.replace(/^\[|\]$/g, "");
  if (isIP(hostname) !== 0 && !isPublic(hostname)) return Promise.reject(notPublic(hostname));
  const send = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      headers: Object.fromEntries(new Headers(headers)),
      lookup: lookupPublic,
      agent: false,
      ...(signal && { signal }),
    };
    const call = send(target, options, (response) => {
      response.resume();
      // A redirect may have no body, and nothing reads one.
      resolve(new Response(null, { status: response.statusCode ?? 500 }));
    });
    call.on("error", reject);
    call.end(String(body));
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
