import { VISITED } from "../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
});
afterAll(() => service?.close());

test("an address cannot start more sign-ins than its limit by concurrent requests", async () => {
  const { pathname, search } = createRequest(await createRelyingParty(service)).url;
  const open = async () => {
    const headers = { "x-forwarded-for": "10.2.0.1" };
    const response = await fetch(service.origin + pathname + search, { headers, redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  };
  const startedAt = performance.now();
  const admitted = () => Math.ceil(500 + ((performance.now() - startedAt) / 1_000) * 5);
  const outcomes: number[] = [];
  const countStarted = () => outcomes.filter((status) => status === 303).length;
  // On a slow machine, the limit is partly refilled while the first requests are served, and some fail with 503, which
  // releases their reservations.
  while (!outcomes.includes(429) && countStarted() <= admitted()) {
    outcomes.push(...(await Promise.all(Array.from({ length: 600 }, open))));
  }
  const most = admitted();
  expect(outcomes).toContain(429);
  const rows = service.db.selectFrom("oidc_artifacts").select("key").where("kind", "=", "Interaction");
  expect((await rows.execute()).length).toBeLessThanOrEqual(most);
});

test("a stranger cannot push more requests than start sign-ins, but an application with a secret can", async () => {
  const statusesOf = async (party: RelyingParty, address: string, form: Record<string, string> = {}) => {
    const { id, secret } = party;
    const basic = secret && { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
    const parameters = { ...Object.fromEntries(createRequest(party).url.searchParams), ...form };
    const push = async () => {
      const response = await fetch(`${service.origin}/oauth/v2/par`, {
        method: "POST",
        headers: { "x-forwarded-for": address, ...basic },
        body: new URLSearchParams(parameters),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const statuses = new Set<number>();
    for (let i = 0; i < 15 && !statuses.has(429); i++) {
      for (const status of await Promise.all(Array.from({ length: 50 }, push))) statuses.add(status);
    }
    // On a slow machine, some fail because the service is busy.
    statuses.delete(503);
    return [...statuses].sort();
  };
  const open = await createRelyingParty(service, { auth_method: "none" });
  expect(await statusesOf(open, "198.51.100.1")).toEqual([201, 429]);
  expect(await statusesOf(await createRelyingParty(service), "203.0.113.1")).toEqual([201]);
});
