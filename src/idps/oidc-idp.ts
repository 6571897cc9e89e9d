import type { Kysely } from "kysely";
import type { AddOIDCIDPRequest, AddOIDCIDPResponse } from "../../gen/signet/v1/admin_pb.js";
import type { AddOrgOIDCIDPRequest, AddOrgOIDCIDPResponse } from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import type { Problems } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcIdpPayload } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { checkOidcConfig } from "./check-oidc-config.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { IDP_SEALED } from "./idp-sealed.ts";

/** The dependencies of the operations that add an OpenID Connect provider. */
export interface AddOidcIdpParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** A valid configuration, which is the payload of the event, and the secret. */
export interface OidcIdp {
  readonly configuration: OidcIdpPayload;
  readonly clientSecret: string;
}

/** Checks the rules that the schema cannot express. They are the same for the instance and for organizations. */
export function checkOidcIdp(request: AddOIDCIDPRequest | AddOrgOIDCIDPRequest, problems: Problems): OidcIdp {
  const { name, stylingType, clientSecret, autoRegister } = request;
  const configuration = { name, stylingType, ...checkOidcConfig(request, problems), autoRegister };
  return { configuration, clientSecret };
}

/**
 * Stores a configuration of the instance or of an organization with its event. Encrypts the client secret.
 *
 * @returns The given response, with the id and the details.
 */
export async function storeOidcIdp<Response extends AddOIDCIDPResponse | AddOrgOIDCIDPResponse>(
  { db, keyring, clock }: AddOidcIdpParts,
  { configuration, clientSecret }: OidcIdp,
  owner: IdpOwner,
  call: Call,
  response: Response,
): Promise<Response> {
  const id = createId();
  response.idpId = id;
  call.keptResponse?.add(response);
  const secret = keyring.seal({ ...IDP_SEALED, rowId: id }, clientSecret);
  const values = {
    ...configuration,
    ownerId: owner.id,
    aggregateId: id,
    editorId: call.userId,
    clientSecret: secret.ciphertext,
    clientSecretKey: secret.keyId,
    now: clock(),
    events: eventsToJson([{ type: `${owner.kind}.idp.oidc.added`, payload: configuration }]),
  };
  const [row] = await insertIdp(db, values, call);
  if (row === undefined) throw new Error("an insert returned no row");
  response.details = toObjectDetails(row, owner.id);
  return response;
}

/** The payload of the event, and the secret, which events must not contain. */
interface InsertIdpValues extends EventValues, OidcIdpPayload {
  clientSecret: Buffer;
  clientSecretKey: string;
}

const insertIdp = prepareWrite<InsertIdpValues, ObjectRow>((db, param) =>
  db
    .with("created", (query) =>
      query
        .insertInto("idps")
        .values({
          owner_id: param("ownerId", "uuid"),
          id: param("aggregateId", "uuid"),
          ...createdColumns(param),
          name: param("name", "text"),
          styling_type: param("stylingType", "smallint"),
          client_id: param("clientId", "text"),
          client_secret: param("clientSecret", "bytea"),
          client_secret_key: param("clientSecretKey", "text"),
          issuer: param("issuer", "text"),
          scopes: param("scopes", "text[]"),
          display_name_mapping: param("displayNameMapping", "smallint"),
          username_mapping: param("usernameMapping", "smallint"),
          auto_register: param("autoRegister", "boolean"),
        })
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "created"))
    .selectFrom("created")
    .selectAll(),
);
