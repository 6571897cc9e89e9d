import { type Caller, createCaller, readRestResponse } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { CLIENT_SECRET, IDP, withChanges } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { expectOidcIdp } from "./expect-oidc-idp.ts";
import { acceptedIdps, type IdpRpc, REJECTED_IDP_JSON, rejectedIdps, STORED_IDP } from "./oidc-idp.cases.ts";

const REST_PATHS: Record<IdpRpc, string> = {
  AddOIDCIDP: "/admin/v1/idps/oidc",
  AddOrgOIDCIDP: "/management/v1/idps/oidc",
};

export interface Started {
  readonly service: TestService;
  /** Calls over gRPC as the instance owner `admin`. */
  readonly caller: Caller;
}

/**
 * The tests shared by both operations, over gRPC on PostgreSQL. test/rpc/every-protocol.wire.test.ts runs representatives
 * on the other protocols and the other database.
 *
 * @returns The started service, for further tests in the same file.
 */
export function describeOidcIdp(rpc: IdpRpc): () => Started {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService("postgres");
    service.secret(CLIENT_SECRET);
    caller = createCaller("grpc", service, service.adminToken);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const owner = () => (rpc === "AddOIDCIDP" ? service.instanceId : service.orgId);

  describe(`${rpc} over gRPC`, () => {
    test.each(acceptedIdps(rpc))("stores $title", async ({ changes, stored, secret = CLIENT_SECRET }) => {
      if (secret.length > 1) service.secret(secret);
      const outcome = await caller.call(rpc, withChanges(IDP, changes));
      await expectOidcIdp(service, rpc, outcome, { ownerId: owner(), stored: { ...STORED_IDP, ...stored }, secret });
    });

    test.each(rejectedIdps(rpc))("rejects $title", async ({ changes, fields }) => {
      const call = () => caller.call(rpc, withChanges(IDP, changes));
      await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", fields);
    });

    test("adds a second configuration of the same name", async () => {
      const twice = [await caller.call(rpc, IDP), await caller.call(rpc, IDP)];
      const ids = twice.map((outcome) => outcome.ok && outcome.message.idpId);
      expect(new Set(ids).size).toBe(2);
      for (const outcome of twice) {
        await expectOidcIdp(service, rpc, outcome, { ownerId: owner(), stored: STORED_IDP, secret: CLIENT_SECRET });
      }
    });
  });

  describe(`${rpc} over REST`, () => {
    test.each(REJECTED_IDP_JSON)("rejects $title", async ({ changes, field }) => {
      const post = async () =>
        readRestResponse(
          await fetch(service.origin + REST_PATHS[rpc], {
            method: "POST",
            headers: { "content-type": "application/json", authorization: `Bearer ${service.adminToken}` },
            body: JSON.stringify({ ...IDP, ...changes }),
          }),
        );
      await expectError(service.db, "rest", post, "INVALID_ARGUMENT", [field]);
    });
  });

  return () => ({ service, caller });
}
