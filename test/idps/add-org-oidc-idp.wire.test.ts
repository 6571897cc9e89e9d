import { createCaller } from "../support/clients/callers.ts";
import { CLIENT_SECRET, IDP } from "../support/clients/requests.ts";
import { describeOidcIdp } from "./describe-oidc-idp.ts";
import { expectOidcIdp } from "./expect-oidc-idp.ts";
import { STORED_IDP } from "./oidc-idp.cases.ts";

const started = describeOidcIdp("AddOrgOIDCIDP");
const EXPECTED = { stored: STORED_IDP, secret: CLIENT_SECRET };

test("AddOrgOIDCIDP adds the configuration to the organization in the header", async () => {
  const { service, caller } = started();
  const ownerId = await service.createOrg("Example");
  for (const header of [ownerId, ownerId.toUpperCase()]) {
    const outcome = await caller.call("AddOrgOIDCIDP", IDP, { "x-service-orgid": header });
    await expectOidcIdp(service, "AddOrgOIDCIDP", outcome, { ...EXPECTED, ownerId });
  }
});

test("AddOrgOIDCIDP adds the configuration to the caller's organization by default", async () => {
  const { service } = started();
  const ownerId = await service.createOrg("Own");
  const { token, userId } = await service.createToken({ orgId: ownerId, role: "ORG_OWNER" });
  const caller = createCaller("grpc", service, token);
  const outcome = await caller.call("AddOrgOIDCIDP", IDP);
  await expectOidcIdp(service, "AddOrgOIDCIDP", outcome, { ...EXPECTED, ownerId, editorId: userId });
  caller.close();
});
