import { CLIENT_SECRET, IDP } from "../support/clients/requests.ts";
import { describeOidcIdp } from "./describe-oidc-idp.ts";
import { expectOidcIdp } from "./expect-oidc-idp.ts";
import { STORED_IDP } from "./oidc-idp.cases.ts";

const started = describeOidcIdp("AddOIDCIDP");

test("AddOIDCIDP ignores the organization header: the configuration belongs to the instance", async () => {
  const { service, caller } = started();
  const orgId = await service.createOrg("Example");
  for (const header of [service.orgId, orgId, "00000000-0000-7000-8000-000000000000", "no id, at all"]) {
    const outcome = await caller.call("AddOIDCIDP", IDP, { "x-service-orgid": header });
    await expectOidcIdp(service, "AddOIDCIDP", outcome, {
      ownerId: service.instanceId,
      stored: STORED_IDP,
      secret: CLIENT_SECRET,
    });
  }
});
