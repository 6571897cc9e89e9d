import { Agent, request as httpRequest } from "node:http";
import { cpuSeconds } from "../attack/process-tree.ts";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { createProcesses, type TestServer } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";

const SECONDS = 30;
/** Calls of all kinds together. A slower machine makes fewer. */
const PER_SECOND = 2_000;
/** Connections for each kind of call, each with one call at a time. */
const CONNECTIONS = 20;
const STRANGERS = 10;
/** Requests per second of strangers at one address. Lower than by default, so that a busy machine exceeds it too. */
const MAX_ANONYMOUS_REQUESTS = 30;
/** What strangers may make in this time. */
const MIN_CALLS = (2 + SECONDS) * MAX_ANONYMOUS_REQUESTS;

type Outcome = number | "closed";

/** A call of an application; resolves to its outcome. */
type Call = () => Promise<Outcome>;

const processes = createProcesses();
let server: TestServer;
let service: TestService;
let app: RelyingParty;
let userId: string;

beforeAll(async () => {
  const installation = await processes.createInstallation("service");
  // The service in this process has no limits.
  server = await processes.serve({
    ...installation.variables,
    LOG_LEVEL: "warn",
    MAX_ANONYMOUS_REQUESTS: String(MAX_ANONYMOUS_REQUESTS),
  });
  service = await serveHere(installation);
  app = await createRelyingParty(service);
  userId = await importAda(service, VERIFIED);
});
afterAll(async () => {
  await service?.close();
  await processes.close();
});

function send(agent: Agent, path: string, headers = {}, form?: Record<string, string>) {
  return new Promise<{ outcome: Outcome; text: string }>((resolve) => {
    const type = form && { "content-type": "application/x-www-form-urlencoded" };
    const { hostname: host, port } = new URL(server.origin);
    const options = { host, port, agent, path, method: form ? "POST" : "GET", headers: { ...headers, ...type } };
    httpRequest(options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ outcome: response.statusCode ?? 0, text }));
    })
      .on("error", () => resolve({ outcome: "closed", text: "" }))
      .end(form && String(new URLSearchParams(form)));
  });
}

/** A sign-in for each connection, because a refresh token is used by one call at a time. */
async function createCalls(): Promise<Record<string, Call[]>> {
  const basic = { authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}` };
  const calls: Record<"introspection" | "userinfo" | "refresh", Call[]> = {
    introspection: [],
    userinfo: [],
    refresh: [],
  };
  for (let count = 0; count < CONNECTIONS; count++) {
    const tokens = await signInAndRedeem(service, newBrowser(service), app, userId, {
      scope: "openid offline_access",
      prompt: "consent",
    });
    const token = tokens.access_token;
    const [first, second, third] = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    let refreshToken = tokens.refresh_token ?? "";
    calls.introspection.push(
      async () => (await send(first as Agent, "/oauth/v2/introspect", basic, { token })).outcome,
    );
    calls.userinfo.push(async () => {
      return (await send(second as Agent, "/oidc/v1/userinfo", { authorization: `Bearer ${token}` })).outcome;
    });
    calls.refresh.push(async () => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const { outcome, text } = await send(third as Agent, "/oauth/v2/token", basic, form);
      if (outcome === 200) refreshToken = JSON.parse(text).refresh_token;
      return outcome;
    });
  }
  return calls;
}

/** Makes a call again and again, at most this many times per second. */
async function repeat(make: Call, perSecond: number, outcomes: Map<Outcome, number>): Promise<void> {
  const startedAt = performance.now();
  for (let made = 0; performance.now() - startedAt < SECONDS * 1_000; made++) {
    const wait = startedAt + (made * 1_000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const outcome = await make();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
}

test("an application calls as often as the machine allows, and is not refused while a stranger at its address is", async () => {
  const calls = await createCalls();
  const strangers = new Map<Outcome, number>();
  const stranger = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return async () => (await send(agent, "/healthz")).outcome;
  };
  const byKind = Object.entries(calls).map(([kind, each]) => ({ kind, each, outcomes: new Map<Outcome, number>() }));
  // Until then, the application's connections are those of a stranger.
  for (const { each } of byKind) for (const make of each) expect(await make()).toBe(200);
  const pids = [server.child.pid ?? 0];
  const cpuBefore = cpuSeconds(pids);
  const perSecond = PER_SECOND / (byKind.length * CONNECTIONS);
  await Promise.all([
    ...byKind.flatMap(({ each, outcomes }) => each.map((make) => repeat(make, perSecond, outcomes))),
    ...Array.from({ length: STRANGERS }, () => repeat(stranger(), PER_SECOND, strangers)),
  ]);
  const made = Object.fromEntries(byKind.map(({ kind, outcomes }) => [kind, Object.fromEntries(outcomes)]));
  const total = byKind.flatMap(({ outcomes }) => [...outcomes.values()]).reduce((sum, count) => sum + count, 0);
  const cpuMsPerCall = ((cpuSeconds(pids) - cpuBefore) * 1_000) / total;
  const figures = { perSecond: total / SECONDS, cpuMsPerCall, made, strangers: [...strangers] };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(byKind.map(({ outcomes }) => [...outcomes.keys()])).toEqual([[200], [200], [200]]);
  expect([...strangers.keys()]).toEqual(expect.arrayContaining([429, "closed"]));
  expect(total).toBeGreaterThan(MIN_CALLS);
});
