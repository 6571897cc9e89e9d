import type { Outcome } from "../support/clients/callers.ts";
import type { TestService } from "../support/servers/service.ts";
import type { IdpRpc, STORED_IDP } from "./oidc-idp.cases.ts";

/** Expects a successful response, the matching row and event, and the encrypted secret. */
export async function expectOidcIdp(
  service: TestService,
  rpc: IdpRpc,
  outcome: Outcome,
  { ownerId, stored, secret, editorId }: { ownerId: string; stored: object; secret: string; editorId?: string },
): Promise<void> {
  expect(outcome).toEqual({
    ok: true,
    headers: expect.anything(),
    message: {
      idpId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      details: {
        sequence: "1",
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: ownerId,
      },
    },
  });
  const { idpId, details } = (outcome as unknown as { message: { idpId: string; details: Record<string, string> } })
    .message;
  const at = new Date(details.creationDate ?? "");
  expect(details.changeDate).toBe(details.creationDate);

  const row = await service.db.selectFrom("idps").selectAll().where("id", "=", idpId).executeTakeFirstOrThrow();
  const { client_secret: ciphertext, client_secret_key: keyId, ...plain } = row;
  const { name, clientId, issuer, scopes, stylingType, displayNameMapping, usernameMapping, autoRegister } =
    stored as typeof STORED_IDP;
  expect(plain).toEqual({
    owner_id: ownerId,
    id: idpId,
    sequence: 1n,
    created_at: at,
    changed_at: at,
    name,
    client_id: clientId,
    issuer,
    scopes,
    styling_type: stylingType,
    display_name_mapping: displayNameMapping,
    username_mapping: usernameMapping,
    auto_register: autoRegister,
    federated_logout_enabled: false,
    state: "active",
    // The deprecated calls cannot choose these.
    kind: "oidc",
    config: { isIdTokenMapping: false, usePkce: true },
    is_linking_allowed: true,
    is_creation_allowed: true,
    is_auto_update: false,
    auto_linking: 0,
  });
  expect(ciphertext.includes(secret) && secret.length > 1).toBe(false);
  const place = { table: "idps", column: "client_secret", rowId: idpId };
  expect(service.keyring.open(place, { keyId, ciphertext })).toBe(secret);

  const events = await service.db.selectFrom("events").selectAll().where("aggregate_id", "=", idpId).execute();
  expect(events).toEqual([
    {
      owner_id: ownerId,
      aggregate_id: idpId,
      sequence: 1n,
      position: expect.anything(),
      type: rpc === "AddOIDCIDP" ? "instance.idp.oidc.added" : "org.idp.oidc.added",
      editor_id: editorId ?? service.adminId,
      created_at: at,
      payload: stored,
    },
  ]);
}
