import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createCaller, FORMS } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind);
  });
  afterAll(() => service.close());

  test.each(FORMS)("changes a number over %s", async (form) => {
    const caller = createCaller(form, service, service.adminToken);
    const imported = await caller.call("ImportHumanUser", {
      userName: `ada-${form}`,
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
      password: service.secret("correct horse battery"),
    });
    expect(imported).toMatchObject({ ok: true, message: { details: { sequence: "2", resourceOwner: service.orgId } } });
    const userId = imported.ok ? String(imported.message.userId) : "";
    const changed = await caller.call("UpdateHumanPhone", { userId, phone: "+41 79 123 45 67", isPhoneVerified: true });
    expect(changed).toMatchObject({ ok: true, message: { details: { sequence: "4" } } });
    const bad = await caller.call("UpdateHumanPhone", { userId, phone: "079 123 45 67" });
    expect(bad).toMatchObject({ ok: false, code: 3, reason: "INVALID_ARGUMENT", fields: ["phone"] });
    caller.close();
  });
});
