import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createRelyingParty, createRequest } from "../support/relying-party.ts";
import { startService, type TestService } from "../support/service.ts";
import { VISITED } from "../support/visitor.ts";

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
  const outcomes: number[] = [];
  // On a slow machine, the limit can be refilled while the first requests are served.
  while (!outcomes.includes(429)) outcomes.push(...(await Promise.all(Array.from({ length: 600 }, open))));
  const refilled = ((performance.now() - startedAt) / 1_000) * 5;
  const rows = service.db.selectFrom("oidc_artifacts").select("key").where("kind", "=", "Interaction");
  expect((await rows.execute()).length).toBeLessThanOrEqual(Math.ceil(500 + refilled));
});
