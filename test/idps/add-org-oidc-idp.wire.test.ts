import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { createCaller, FORMS } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";
import { describeOidcIdp, expectStored, IDP, SECRET, STORED } from "./cases.ts";

describeOidcIdp("AddOrgOIDCIDP");

describe.each(DATABASE_KINDS)("in another organization, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(kind);
    service.secret(SECRET);
  });
  afterAll(() => service.close());

  test.each(FORMS)("the configuration belongs to the organization that is asked for over %s", async (form) => {
    const caller = createCaller(form, service, service.adminToken);
    const ownerId = await service.createOrg(`Example ${form}`);
    for (const header of [ownerId, ownerId.toUpperCase()]) {
      const outcome = await caller.call("AddOrgOIDCIDP", IDP, { "x-service-orgid": header });
      await expectStored(service, "AddOrgOIDCIDP", outcome, { ownerId, stored: STORED, secret: SECRET });
    }
    caller.close();
  });

  test.each(FORMS)("the configuration belongs to the caller's organization by default over %s", async (form) => {
    const ownerId = await service.createOrg(`Own ${form}`);
    const { token, userId } = await service.createToken({ orgId: ownerId, role: "ORG_OWNER" });
    const caller = createCaller(form, service, token);
    const outcome = await caller.call("AddOrgOIDCIDP", IDP);
    await expectStored(service, "AddOrgOIDCIDP", outcome, {
      ownerId,
      stored: STORED,
      secret: SECRET,
      editorId: userId,
    });
    caller.close();
  });
});
