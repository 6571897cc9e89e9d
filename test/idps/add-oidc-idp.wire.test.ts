import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { createCaller, FORMS } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";
import { describeOidcIdp, expectStored, IDP, SECRET, STORED } from "./cases.ts";

describeOidcIdp("AddOIDCIDP");

describe.each(DATABASE_KINDS)("whatever organization is asked for, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind);
    service.secret(SECRET);
  });
  afterAll(() => service.close());

  test.each(FORMS)("the configuration belongs to the instance over %s", async (form) => {
    const caller = createCaller(form, service, service.adminToken);
    const orgId = await service.createOrg(`Example ${form}`);
    for (const header of [service.orgId, orgId, "00000000-0000-7000-8000-000000000000", "no id, at all"]) {
      const outcome = await caller.call("AddOIDCIDP", IDP, { "x-service-orgid": header });
      await expectStored(service, "AddOIDCIDP", outcome, {
        ownerId: service.instanceId,
        stored: STORED,
        secret: SECRET,
      });
    }
    caller.close();
  });
});
