import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createProveDomain, toProofPlace } from "../../src/orgs/domains/domain-proof.ts";
import { createOutboundFetch } from "../../src/outbound/outbound-fetch.ts";
import { startDns } from "../support/servers/dns-server.ts";

const TOKEN = "VZpHDk5VQm2ZgmJmUOVj9Q";
const PROOF = { domain: "example.com", type: "http", token: TOKEN } as const;
const signal = new AbortController().signal;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Checks a file on a real server, which stands for the one of the domain. */
async function checkFile(listener: RequestListener, timeoutMs = 5_000): Promise<string | undefined> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const request = createOutboundFetch({ allowsPrivate: true, timeoutMs, maxBodyBytes: 64 * 1_024 });
  const fetch: typeof request = (url, init) => {
    expect(url).toBe(`https://example.com/.well-known/signet-challenge/${TOKEN}.txt`);
    return request(`http://127.0.0.1:${port}${new URL(url).pathname}`, init);
  };
  return await createProveDomain({ allowsPrivate: false, fetch })(PROOF, signal);
}

test("a file with the token proves the control of a domain", async () => {
  expect(await checkFile((_request, response) => response.end(`${TOKEN}\n`))).toBeUndefined();
});

test.each<[string, RequestListener, RegExp]>([
  ["another content", (_request, response) => response.end("hello"), /does not contain the token$/],
  ["a longer content", (_request, response) => response.end(`<p>${TOKEN}</p>`), /does not contain the token$/],
  [
    "status 404",
    (_request, response) => response.writeHead(404).end(TOKEN),
    /responds with status 404 instead of 200$/,
  ],
  [
    "a redirect",
    (_request, response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end(TOKEN),
    /responds with status 302 instead of 200$/,
  ],
  [
    "more than 64 KiB",
    (_request, response) => response.end(TOKEN + " ".repeat(64 * 1_024)),
    /the response has more than 65536 bytes$/,
  ],
])("a file with %s proves nothing", async (_what, listener, problem) => {
  expect(await checkFile(listener)).toMatch(problem);
});

test("a server that does not respond proves nothing", async () => {
  expect(await checkFile(() => {}, 50)).toMatch(/did not respond completely within 50 ms/);
});

test.each(["localhost", "127.0.0.1", "10.0.0.1", "169.254.169.254"])("no request is sent to %s", async (domain) => {
  const prove = createProveDomain({ allowsPrivate: false });
  expect(await prove({ ...PROOF, domain }, signal)).toMatch(/has an address that is not public$/);
});

test("a TXT record with the token proves the control of a domain, also beside others", async () => {
  const dns = await startDns();
  const prove = createProveDomain({ allowsPrivate: false, dnsServers: [dns.address] });
  const proof = { ...PROOF, type: "dns" } as const;
  expect(await prove(proof, signal)).toMatch(/ENOTFOUND/);
  dns.records.set(toProofPlace("dns", "example.com", TOKEN), ["v=spf1 -all"]);
  expect(await prove(proof, signal)).toBe("no TXT record of _signet-challenge.example.com contains the token");
  dns.records.set(toProofPlace("dns", "example.com", TOKEN), ["v=spf1 -all", TOKEN]);
  expect(await prove(proof, signal)).toBeUndefined();
  await dns.close();
});

test("a caller who has gone ends the query of a name server that does not respond", async () => {
  const dns = await startDns();
  dns.silence();
  const prove = createProveDomain({ allowsPrivate: false, dnsServers: [dns.address] });
  const caller = new AbortController();
  const result = prove({ ...PROOF, type: "dns" }, caller.signal);
  caller.abort();
  expect(await result).toMatch(/ECANCELLED/);
  await dns.close();
});
