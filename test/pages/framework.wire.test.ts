import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind);
  });
  afterAll(() => service.close());

  test("an unknown path is a plain page", async () => {
    const answer = await fetch(`${service.origin}/ui/nothing`, { headers: { "accept-language": "de-CH,fr;q=0.5" } });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/<html lang="de">[^]*Diese Seite gibt es nicht/);
  });
});
